import {beginningOfTime, type Duration, type Instant} from '../../../core/time/instant.ts';
import type {Evidence} from '../evidence.ts';
import type {NodeEvidence} from '../nodes/nodeEvidence.ts';

/** When a throttled pass wrote, first and last, without a pause. For other passes see `passObservations.ts`. */
export type ThrottledPassWrites = {
	readonly first: Instant;
	readonly last: Instant;
	/** The first writes of this pass and of the known ones before it, the latest first. */
	readonly starts: readonly Instant[];
};

/**
 * Finds the writes of a throttled pass. It writes conditions of nodes and pods all the time; a whole monitor period without a
 * write separates it from the next pass.
 *
 * @param marked the nodes that it, or the pass before it, turned Unknown
 */
export function throttledPassWrites(
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
	// API times are truncated to whole seconds: a pause may look up to a second shorter than it is.
	const pause = nodeMonitorPeriod - 1000;
	const starts = writes.filter((at, index) => at - (writes[index + 1] ?? beginningOfTime) >= pause);
	return {first: starts[0] ?? last, last, starts};
}
