import type {ControllerSettings} from '../../../core/model/controllerSettings.ts';
import {nodeCondition} from '../../../core/model/node.ts';
import {type Pod, podKey} from '../../../core/model/pod.ts';
import {type Duration, type Instant, second} from '../../../core/time/instant.ts';
import type {SeenEvent} from '../eventEvidence.ts';
import type {Evidence} from '../evidence.ts';
import {type Interval, intersect} from '../interval.ts';
import {lifecycleTaint} from '../nodes/lifecycleTaint.ts';
import type {NodeEvidence} from '../nodes/nodeEvidence.ts';

/** The grace period of pods that say nothing of one. */
const usualGracePeriod: Duration = 30 * second;

/**
 * When the eviction of a node started: when it got its NoExecute taint, or when its pods were deleted without one.
 * Undefined where neither has happened since it is not ready.
 */
export function evictionStartOf(
	one: NodeEvidence,
	evidence: Evidence,
	{taintBasedEvictions}: Pick<ControllerSettings, 'taintBasedEvictions'>,
): Interval | undefined {
	return taintBasedEvictions ? one.taintedAt : evictedAt(one, evidence);
}

/** Whether the eviction of a node that is not ready has started. */
export const hasEvictionStarted = (
	{node}: NodeEvidence,
	evictionStarts: ReadonlyMap<string, Interval>,
	{taintBasedEvictions}: Pick<ControllerSettings, 'taintBasedEvictions'>,
): boolean => (taintBasedEvictions ? lifecycleTaint(node) !== undefined : evictionStarts.has(node.name));

/**
 * When the pods of a node that is not ready were deleted without a taint, by the controllers that run now: their event
 * tells, and the pods' own statuses do, which say NodeLost from then on. Words from before the node fell silent, or
 * before these controllers started, are old.
 */
function evictedAt(one: NodeEvidence, evidence: Evidence): Interval | undefined {
	const {node, readyChangedAt} = one;
	const ready = nodeCondition(node, 'Ready');
	if (!ready || ready.status === 'True') return undefined;
	const since = Math.max(readyChangedAt?.lo ?? Number.NEGATIVE_INFINITY, evidence.controllersStarted.lo);
	const {now} = evidence;
	const mayBeOld = evidence.controllersStarted.hi > (readyChangedAt?.lo ?? Number.NEGATIVE_INFINITY);
	const pods = evidence.pods.onNode(node.name);
	const byPods = byTheirPods(pods, since, mayBeOld, now);
	const {events} = evidence;
	const told = [events.evicted(node.name), ...pods.map((pod) => events.evictedWithNode(podKey(pod)))];
	const by = Math.min(now, ...told.flatMap((seen) => toldBy(seen, since)));
	if (!told.some((seen) => seen && seen.at.hi >= since)) return byPods;
	const byEvents = {lo: since, hi: by};
	return byPods ? (intersect(byPods, byEvents) ?? byPods) : byEvents;
}

/** It comes again in every pass, and some get lost: it was then, or before. One from before is of an earlier outage. */
function toldBy(seen: SeenEvent | undefined, since: Instant): readonly Instant[] {
	if (!seen || seen.at.hi < since) return [];
	const {first} = seen.event;
	return [first.at >= since ? first.at + first.precision + second : seen.at.hi];
}

/** @param mayBeOld whether controllers that ran before may have left these words */
function byTheirPods(
	pods: readonly Pod[],
	since: Instant,
	mayBeOld: boolean,
	now: Instant,
): Interval | undefined {
	const lost = pods.filter(({isNodeLost}) => isNodeLost);
	if (lost.length === 0) return undefined;
	// Pods that came later, and those that somebody deleted before, have times of their own.
	const asked = lost.flatMap(askedAt).filter((at) => at + second >= since);
	if (asked.length === 0) return mayBeOld ? undefined : {lo: since, hi: now};
	return {lo: Math.max(since, Math.min(...asked)), hi: Math.min(now, Math.max(...asked) + second)};
}

/** Whether nothing would show that a node is evicted: it has no pod that is not told already that its node is lost. */
export const leavesNoTrace = ({node}: NodeEvidence, {pods}: Evidence): boolean =>
	pods.onNode(node.name).every(({isNodeLost}) => isNodeLost);

const askedAt = ({deletionTimestamp, deletionGracePeriodSeconds}: Pod): readonly Instant[] =>
	deletionTimestamp === undefined
		? []
		: [
				deletionTimestamp -
					(deletionGracePeriodSeconds === undefined ? usualGracePeriod : deletionGracePeriodSeconds * second),
			];
