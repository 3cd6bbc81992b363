import {maxOf, minOf} from '../../core/collections/extremes.ts';
import {isReadyNode} from '../../core/model/node.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import {markedAt} from '../observe/countdowns/referencePods.ts';
import type {Evidence} from '../observe/evidence.ts';
import {at, middle, sinceBeginning} from '../observe/interval.ts';
import {passMayLast} from '../observe/latencies.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import type {ObservedState} from '../observe/observed.ts';
import {leaseReads} from '../observe/passes/leaseReads.ts';
import {type MarkingPasses, turnedUnknown} from './markingPasses.ts';
import {type PassInProgress, unmarked} from './passInProgress.ts';
import {zonesAt} from './zonePast.ts';

/** The longest that an unthrottled pass lasts. */
const longest: Duration = 30 * second;

/**
 * Finds a pass that turned nodes Unknown just now. It may be over, and have judged the zones; or it may have more nodes and
 * pods to mark, while the zones' queues continue as before.
 */
export function findMaybeUnfinishedPass(passes: MarkingPasses): PassInProgress | undefined {
	const {observed} = passes;
	const {evidence, settings, now} = observed;
	const latest = turnedUnknown(observed)
		.filter((one) => turnedAt(one).hi > now - longest)
		.toSorted((a, b) => turnedAt(b).hi - turnedAt(a).hi);
	if (latest.length === 0) return undefined;
	const marked: NodeEvidence[] = [];
	let wroteAt = now;
	for (const one of latest) {
		// This node was turned by an earlier pass. At the ends of truncated times, two passes two seconds apart would look like one.
		if (marked.length > 0 && wroteAt - lastWrite(one, middle, evidence) > settings.nodeMonitorPeriod / 2)
			break;
		marked.push(one);
		wroteAt = at(turnedAt(one), middle);
	}
	const startedAt = minOf(marked.map((one) => turnedAt(one).lo));
	const foundAll = maxOf(marked.map((one) => turnedAt(one).hi));
	const lastWrites = [
		...marked.map((one) => lastWrite(one, 1, evidence)),
		...clearedSince(foundAll, observed),
	];
	const isOver = maxOf(lastWrites) < now - passMayLast - leaseReads(observed);
	if (isOver) return undefined;
	const done = {startedAt, marked: marked.toReversed(), remaining: unmarked(observed)};
	const startedBy = minOf(marked.map((one) => turnedAt(one).hi));
	return {...passes.restOf(done), startedBy, isThrottled: false};
}

/** When a pass that had found all zones down by then took off the taints of nodes that are still not ready. */
function clearedSince(found: Instant, {affected, settings}: ObservedState): readonly Instant[] {
	if (!zonesAt(found, affected, settings).allDown) return [];
	return affected.nodes.flatMap(({node, untaintedAt}) =>
		!isReadyNode(node) && untaintedAt && untaintedAt.lo >= found ? untaintedAt.hi : [],
	);
}

const turnedAt = ({readyChangedAt}: NodeEvidence) => readyChangedAt ?? sinceBeginning;

/**
 * When a pass last wrote to a node or, after it, to one of its pods.
 *
 * @param quantile the point taken of each time interval: 0 its beginning, 1 its end
 */
function lastWrite(one: NodeEvidence, quantile: number, {pods}: Evidence): Instant {
	const turned = at(turnedAt(one), quantile);
	let last = turned;
	for (const pod of pods.mapOfNode(one.node.name).values()) {
		const marked = pod.ready === 'True' ? undefined : markedAt(pod, turned);
		if (marked !== undefined) last = Math.max(last, marked + second * quantile);
	}
	return last;
}
