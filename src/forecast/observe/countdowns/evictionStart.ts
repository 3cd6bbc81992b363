import {maxOf, minOf} from '../../../core/collections/extremes.ts';
import type {ControllerSettings} from '../../../core/model/controllerSettings.ts';
import {readyCondition} from '../../../core/model/node.ts';
import {type Pod, podKey} from '../../../core/model/pod.ts';
import {beginningOfTime, type Duration, type Instant, second} from '../../../core/time/instant.ts';
import type {SeenEvent} from '../eventEvidence.ts';
import type {Evidence} from '../evidence.ts';
import {type Interval, intersect} from '../interval.ts';
import {lifecycleTaint} from '../nodes/lifecycleTaint.ts';
import type {NodeEvidence} from '../nodes/nodeEvidence.ts';

/** The grace period of pods that set none. */
const usualGracePeriod: Duration = 30 * second;

/**
 * When the eviction of a node started: when it got its NoExecute taint; without taints, when its pods were deleted. Undefined
 * if that has not happened since the node ceased to be ready.
 */
export function evictionStartOf(
	one: NodeEvidence,
	evidence: Evidence,
	{taintBasedEvictions}: ControllerSettings,
): Interval | undefined {
	return taintBasedEvictions ? one.taintedAt : evictedAt(one, evidence);
}

/** Whether the eviction of a node that is not ready has started. */
export const hasEvictionStarted = (
	{node}: NodeEvidence,
	evictionStarts: ReadonlyMap<string, Interval>,
	{taintBasedEvictions}: Pick<ControllerSettings, 'taintBasedEvictions'>,
) => (taintBasedEvictions ? lifecycleTaint(node) !== undefined : evictionStarts.has(node.name));

/**
 * When the running controllers deleted the pods of a node that is not ready, without a taint: by their event, and by the
 * pods' statuses, which say NodeLost from then on. Evictions from before the node went down, or the controllers started, do
 * not count.
 */
function evictedAt(one: NodeEvidence, evidence: Evidence): Interval | undefined {
	const {node, readyChangedAt, wasReady, notReadySince} = one;
	const ready = readyCondition(node);
	if (!ready || ready.status === 'True') return undefined;
	// A node that was not ready before it turned Unknown may have been evicted for that already.
	const changedAt = wasReady === false ? notReadySince?.lo : readyChangedAt?.lo;
	const downSince = changedAt ?? beginningOfTime;
	const since = Math.max(downSince, evidence.controllersStarted.lo);
	const {now} = evidence;
	const pods = evidence.pods.onNode(node.name);
	const byPods = byTheirPods(pods, since, now);
	const {events} = evidence;
	const seenEvents = [
		events.last('DeletingAllPods', node.name),
		...pods.map((pod) => events.last('NodeControllerEviction', podKey(pod))),
	];
	const by = minOf(
		seenEvents.flatMap((seen) => latestByEvent(seen, since)),
		now,
	);
	if (!seenEvents.some((seen) => seen && seen.at.hi >= since)) return byPods;
	const byEvents = {lo: since, hi: by};
	return byPods ? (intersect(byPods, byEvents) ?? byPods) : byEvents;
}

/**
 * The latest instant of an eviction, by its event. The event is repeated in every pass, and some are lost. An event from
 * before `since` belongs to an earlier outage.
 */
function latestByEvent(seen: SeenEvent | undefined, since: Instant): readonly Instant[] {
	if (!seen || seen.at.hi < since) return [];
	const {first} = seen.event;
	return [first.at >= since ? first.at + first.precision + second : seen.at.hi];
}

function byTheirPods(pods: readonly Pod[], since: Instant, now: Instant): Interval | undefined {
	const lost = pods.filter(({isNodeLost}) => isNodeLost);
	const requested = lost.flatMap(deletionRequestedAt).filter((at) => at + second >= since);
	// Pods that were deleted before, or never are, may say NodeLost since an earlier or untraceable eviction: both are tried.
	if (requested.length === 0) return undefined;
	return {lo: Math.max(since, minOf(requested)), hi: Math.min(now, maxOf(requested) + second)};
}

/** Whether an eviction of a node would leave no trace: all its pods already say NodeLost. */
export const leavesNoTrace = ({node}: NodeEvidence, {pods}: Evidence): boolean =>
	pods.onNode(node.name).every(({isNodeLost}) => isNodeLost);

const deletionRequestedAt = ({deletionTimestamp, deletionGracePeriodSeconds}: Pod): readonly Instant[] =>
	deletionTimestamp === undefined
		? []
		: [
				deletionTimestamp -
					(deletionGracePeriodSeconds === undefined ? usualGracePeriod : deletionGracePeriodSeconds * second),
			];
