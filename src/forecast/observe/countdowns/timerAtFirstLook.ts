import {maxOf, minOf} from '../../../core/collections/extremes.ts';
import type {Node} from '../../../core/model/node.ts';
import type {Pod} from '../../../core/model/pod.ts';
import {
	isNodeLifecycleTaint,
	type Taint,
	taintNotReady,
	taintUnreachable,
} from '../../../core/model/taint.ts';
import {type Toleration, toleratesTaint} from '../../../core/model/toleration.ts';
import {minTolerationTime} from '../../../core/tainteviction/tolerations.ts';
import {beginningOfTime, type Duration, type Instant, never, second} from '../../../core/time/instant.ts';
import {type Interval, notBefore} from '../interval.ts';
import {
	changeOf,
	mayBeSwappedAtStart,
	mayHaveBeenDown,
	type NodeAtFirstLook,
	swappedSince,
	wasMarked,
} from './nodeAtFirstLook.ts';
import {type LimitedToleration, type PodTimer, tolerationOf} from './podTimers.ts';
import {boundAt, countdownsSince, earlierUses, handling, leftAt, type ReferencePod} from './referencePods.ts';

export type TimerBounds = Pick<PodTimer, 'started' | 'fires' | 'usual' | 'source'>;

/**
 * Determines when a pod's timer started and ends, from one look: by the taint's time, the pod's binding, the controllers'
 * start, and the fact that the pod still exists.
 */
export function timerAtFirstLook(
	pod: Pod,
	toleration: LimitedToleration,
	look: NodeAtFirstLook,
): TimerBounds {
	const {taint, tolerated} = toleration;
	const added = addedAt(taint, look);
	const base = added ?? countdownOfUndated(tolerated, look);
	const started = notBefore(notBefore(base, look.controllersStarted), boundAt(pod));
	const fires = {lo: started.lo + tolerated, hi: started.hi + tolerated};
	const source = added
		? `the taint's own time`
		: 'only the last write of the taints is dated; the pod is still there';
	const widened = widenForEarlierTimers(pod, look, started, fires, added !== undefined);
	const hi = toleration.isAtOnce ? fires.hi : widened.hi;
	const soon = taint.timeAdded === undefined ? started.hi : taint.timeAdded + second + handling;
	const usual = {lo: fires.lo, hi: Math.min(fires.hi, Math.max(started.lo, soon) + tolerated)};
	return {started, fires: {lo: Math.max(widened.lo, Math.min(look.now, hi)), hi}, usual, source};
}

/** When a countdown started for taints without a time, as users' are: none of the node's pods' countdowns has ended. */
function countdownOfUndated(
	tolerated: Duration,
	{node, noExecute, referencePods, comparisonOperators, now}: NodeAtFirstLook,
): Interval {
	const since = countdownsSince(noExecute, referencePods, comparisonOperators);
	const hi = Math.min(now, writtenBy(beginningOfTime, node) ?? now);
	return {lo: Math.min(hi, Math.max(now - tolerated, since)), hi};
}

/** When a taint with a time was added. The time is taken before the write, which a throttled client sends later. */
const addedAt = ({timeAdded}: Taint, {node}: NodeAtFirstLook): Interval | undefined =>
	timeAdded === undefined
		? undefined
		: {lo: timeAdded, hi: writtenBy(timeAdded, node) ?? timeAdded + second + handling};

/**
 * The latest instant at which all of a node's taints were written and handled; undefined if nothing shows a write after an
 * instant.
 *
 * All taints are one field, owned by its last writer. The managedFields entry of that writer is dated by its last change of
 * any of its fields: it bounds the taints from above, but not from below.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/apimachinery/pkg/util/managedfields/internal/managedfieldsupdater.go Update
 */
function writtenBy(after: Instant, {taintWrites = []}: Node): Instant | undefined {
	const later = taintWrites.map(({time}) => time).filter((time) => time > after);
	return later.length > 0 ? maxOf(later) + second + handling : undefined;
}

/**
 * Allows for timers that were set earlier and kept, for a taint that was swapped, was removed, or is still there. They may end
 * sooner than one for a taint that the pod does not tolerate, but none outlives that taint.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/tainteviction/taint_eviction.go processPodOnNode
 */
function widenForEarlierTimers(
	pod: Pod,
	look: NodeAtFirstLook,
	started: Interval,
	fires: Interval,
	isDated: boolean,
): Interval {
	const rewritten = rewrittenSince(look) ?? never;
	const lo = Math.min(fires.lo, rewritten + (fires.lo - started.lo));
	const swapped = swappedSince(look);
	const from = Math.max(
		isDated && swapped !== undefined ? swapped : look.controllersStarted.lo,
		look.controllersStarted.lo,
		boundAt(pod).lo,
	);
	const earlier = earlierTimers(pod, look, {from, addedBy: started.hi, isDated});
	return {
		lo: minOf(
			earlier.map(({since, limit}) => since + limit),
			lo,
		),
		hi: maxOf(
			earlier.map(({limit}) => started.hi + limit),
			fires.hi,
		),
	};
}

/**
 * Since when the node may have had its present taint, if the taint may have been written twice. A node is queued again by a
 * pass that lists it before it is tainted and processes it later, by the end of a time in which every zone was down, by a
 * move to another zone, and by a swap in the first pass of new controllers. Its timers continue. A pod that was evicted
 * before its countdown could end shows this; a pod that still exists, though its countdown would have ended, shows a later
 * start.
 */
function rewrittenSince(look: NodeAtFirstLook): Instant | undefined {
	const {pods, noExecute, firstTaintedBy, controllersStarted, comparisonOperators} = look;
	const {podsOfAnyTime, delayedBy, now} = look;
	const own = noExecute.find(isNodeLifecycleTaint);
	const changedAt = changeOf(look)?.lo;
	if (own?.timeAdded === undefined || changedAt === undefined) return undefined;
	const addedAt = own.timeAdded;
	const evicted = pods.filter((pod) => {
		const toleration = tolerationOf(pod, noExecute, comparisonOperators);
		const tolerated = toleration.type === 'limited' ? toleration.tolerated : 0;
		return (leftAt(pod) ?? never) < addedAt + tolerated;
	});
	const hadEvictions = evicted.some((pod) => (leftAt(pod) ?? addedAt) >= changedAt);
	// Those that went show how long the node had no taint if they tolerate none.
	const bounding = podsOfAnyTime.filter((one) =>
		one.until === now
			? holdsNoLonger(one, own, comparisonOperators)
			: isEvictedAtOnce(one, own, comparisonOperators),
	);
	const startedSince = countdownsSince([own], bounding, comparisonOperators) - delayedBy.hi;
	const mayBeQueuedAgain = firstTaintedBy > Math.max(startedSince, beginningOfTime);
	const since = mayBeQueuedAgain || hadEvictions || mayBeSwappedAtStart(look) ? changedAt : never;
	// Before the node turned Unknown, the opposite taint may have evicted some.
	const earliest = wasMarked(look, changedAt)
		? since
		: minOf(
				evicted.map((pod) => countdownBefore(pod, own, look)),
				since,
			);
	return addedAt - changedAt > second && Number.isFinite(earliest)
		? Math.max(earliest, controllersStarted.lo, startedSince)
		: undefined;
}

/** Whether a pod's countdown by the opposite taint, which a swap leaves running, would end no later than one by this taint. */
function holdsNoLonger({tolerations}: ReferencePod, own: Taint, comparisonOperators: boolean): boolean {
	const lasts = (key: string) => {
		const toleration = tolerationOf({tolerations}, [{...own, key}], comparisonOperators);
		return toleration.type === 'limited' ? toleration.tolerated : 0;
	};
	const opposite = own.key === taintUnreachable ? taintNotReady : taintUnreachable;
	return lasts(opposite) <= lasts(own.key);
}

/** Whether a pod is evicted as soon as its node has either of the controller's taints. */
const isEvictedAtOnce = ({tolerations}: ReferencePod, own: Taint, comparisonOperators: boolean) =>
	[taintNotReady, taintUnreachable].every((key) => {
		const toleration = tolerationOf({tolerations}, [{...own, key}], comparisonOperators);
		return toleration.type === 'limited' && toleration.isAtOnce === true;
	});

/** When the countdown of an evicted pod began, if its node's own taint started it. */
function countdownBefore(pod: Pod, own: Taint, {comparisonOperators}: NodeAtFirstLook): Instant {
	const toleration = tolerationOf(pod, [own], comparisonOperators);
	const tolerated = toleration.type === 'limited' ? toleration.tolerated : 0;
	return (leftAt(pod) ?? never) - tolerated;
}

/** A timer that the pod may have had before: its earliest start, and its length. */
type EarlierTimer = {readonly since: Instant; readonly limit: Duration};

/**
 * The earlier timers that the pod may have, one for each toleration that may have set it.
 *
 * @param addedBy by when the present taint was there: an earlier one was there until then, or the timer would be gone
 */
function earlierTimers(
	pod: Pod,
	look: NodeAtFirstLook,
	{from, addedBy, isDated}: {readonly from: Instant; readonly addedBy: Instant; readonly isDated: boolean},
): readonly EarlierTimer[] {
	const {noExecute, referencePods, comparisonOperators} = look;
	const isSwapped = swappedSince(look) !== undefined;
	let usedSince: ReturnType<typeof earlierUses> | undefined;
	return pod.tolerations.flatMap((toleration) => {
		const limit = minTolerationTime([toleration]);
		if (limit === undefined || (toleration.effect !== '' && toleration.effect !== 'NoExecute')) return [];
		const isPresent = noExecute.some((taint) => toleratesTaint(toleration, taint, comparisonOperators));
		const isOwn = isNodeLifecycleTaint(toleration);
		const isPossible = isOwn
			? isSwapped || noExecute.length > 1 || mayHaveBeenDown(look, limit)
			: !isPresent || noExecute.length > 1 || !isDated;
		// A timer that was set before has ended; its deletion may wait for the client.
		const setAfter = Math.max(from, look.now - limit - look.delayedBy.lo);
		if (isPossible) usedSince ??= earlierUses(pod, referencePods, comparisonOperators);
		const since =
			usedSince && isPossible
				? Math.max(usedSince(toleration, setAfter), ranSince(toleration, look))
				: addedBy;
		return since < addedBy - handling ? [{since, limit}] : [];
	});
}

/**
 * The earliest start of a countdown by a toleration of the controller's own taint: with that taint on the node before,
 * reference pods would be gone, however long their deletions waited for the controller's client.
 */
function ranSince(
	{key}: Toleration,
	{referencePods, delayedBy, comparisonOperators}: NodeAtFirstLook,
): Instant {
	if (!isNodeLifecycleTaint({key})) return beginningOfTime;
	return (
		countdownsSince([{key, value: '', effect: 'NoExecute'}], referencePods, comparisonOperators) -
		delayedBy.lo
	);
}
