import type {Duration, Instant} from '../../../core/time/instant.ts';
import type {Evidence} from '../evidence.ts';
import type {NodeEvidence} from '../nodes/nodeEvidence.ts';

/** What a pass that throttling makes long has written without a pause: since when, and when last. Other passes: `controllerEvidence.ts`. */
export type ThrottledPassWrites = {
	readonly first: Instant;
	readonly last: Instant;
	/** The first write of it and of each pass before it that is known, the latest first. */
	readonly starts: readonly Instant[];
};

/** Several ask for those of one group of nodes, which may have many pods: they are looked through once. */
const known = new WeakMap<readonly NodeEvidence[], {readonly writes: ThrottledPassWrites | undefined}>();

/**
 * Finds the last writes of a pass that throttling makes long. It writes all the time, a node's condition or a pod's, and
 * a whole period without a word lies between it and the next one.
 *
 * @param marked the nodes that it, or the one before it, turned Unknown
 */
export function throttledPassWrites(
	marked: readonly NodeEvidence[],
	evidence: Evidence,
	nodeMonitorPeriod: Duration,
): ThrottledPassWrites | undefined {
	const found = known.get(marked) ?? {writes: findWrites(marked, evidence, nodeMonitorPeriod)};
	known.set(marked, found);
	return found.writes;
}

function findWrites(
	marked: readonly NodeEvidence[],
	evidence: Evidence,
	nodeMonitorPeriod: Duration,
): ThrottledPassWrites | undefined {
	const writes = marked
		.flatMap(({node, readyChangedAt}) => [
			...(readyChangedAt ? [readyChangedAt.lo] : []),
			...evidence.pods
				.onNode(node.name)
				.flatMap(({ready, readyChangedAt: at}) => (ready === 'False' && at !== undefined ? [at] : [])),
		])
		.toSorted((a, b) => b - a);
	const [last] = writes;
	if (last === undefined) return undefined;
	// Times of whole seconds are cut off: what looks like a pause may be that much shorter.
	const pause = nodeMonitorPeriod - 1000;
	const starts = writes.filter((at, index) => at - (writes[index + 1] ?? Number.NEGATIVE_INFINITY) >= pause);
	return {first: starts[0] ?? last, last, starts};
}
