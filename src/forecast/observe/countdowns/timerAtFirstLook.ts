import type {Node} from '../../../core/model/node.ts';
import {nodeCondition} from '../../../core/model/node.ts';
import type {Pod} from '../../../core/model/pod.ts';
import {isNodeLifecycleTaint, type Taint, taintUnreachable} from '../../../core/model/taint.ts';
import type {Toleration} from '../../../core/model/toleration.ts';
import {toleratesTaint} from '../../../core/model/toleration.ts';
import {pressureConditions} from '../../../core/nodepressure/thresholds/signal.ts';
import {minTolerationTime} from '../../../core/tainteviction/tolerations.ts';
import {beginningOfTime, type Duration, type Instant, never, second} from '../../../core/time/instant.ts';
import {type Interval, intersect, notBefore} from '../interval.ts';
import {type TolerationOutcome, tolerationOf} from './podTimers.ts';
import {
	boundAt,
	countdownsSince,
	handling,
	leftAt,
	type ReferencePod,
	usedSince,
	wereMarked,
} from './referencePods.ts';

/** A kubelet that comes back reports the readiness of its pods, and its own, so close together. */
const reporting: Duration = 30 * second;

/** When a timer started and ends, as a first look at its pod shows. */
export type TimerBounds = {readonly started: Interval; readonly fires: Interval; readonly source: string};

/** A tainted node at a first look, with what is needed to judge its pods' timers. */
export type NodeAtFirstLook = {
	readonly node: Node;
	readonly pods: readonly Pod[];
	readonly noExecute: readonly Taint[];
	/** When the running controllers started: timers are not older. */
	readonly controllersStarted: Interval;
	readonly nodeMonitorPeriod: Duration;
	/** Whether the node may have been tainted while a long monitor pass ran that came to it later. */
	readonly mayBeQueuedAgain: boolean;
	/** The pods that show which taints the node had; none while evictions are throttled. */
	readonly referencePods: readonly ReferencePod[];
	readonly comparisonOperators: boolean;
	/** Whether the node was ready before its Ready condition changed, where that is known. */
	readonly wasReady?: boolean | undefined;
	/** When its Ready condition changed, as far as it is known. */
	readonly readyChangedAt: Interval | undefined;
	/** The earliest instant at which it last turned Unknown, by the events; minus infinity where none tells. */
	readonly turnedUnknownAfter: Instant;
	readonly now: Instant;
};

/**
 * Judges when a pod's timer started and when it ends, from one look: by the taint's time, the pod's binding, the controllers'
 * start, and the fact that the pod still exists.
 */
export function timerAtFirstLook(
	pod: Pod,
	toleration: Extract<TolerationOutcome, {type: 'limited'}>,
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
	return {started, fires: {lo: Math.max(widened.lo, Math.min(look.now, widened.hi)), hi: widened.hi}, source};
}

/**
 * When a countdown started for taints without a time, as users' are: it has not ended, and neither have those of the node's
 * other pods.
 */
function countdownOfUndated(
	tolerated: Duration,
	{node, noExecute, referencePods, comparisonOperators, now}: NodeAtFirstLook,
): Interval {
	const since = countdownsSince(noExecute, referencePods, comparisonOperators);
	const hi = Math.min(now, writtenBy(beginningOfTime, node) ?? now);
	return {lo: Math.min(hi, Math.max(now - tolerated, since)), hi};
}

/** When a taint that carries its time was added: the time is taken before the write, which a throttled client sends later. */
const addedAt = ({timeAdded}: Taint, {node}: NodeAtFirstLook): Interval | undefined =>
	timeAdded === undefined
		? undefined
		: {lo: timeAdded, hi: writtenBy(timeAdded, node) ?? timeAdded + second + handling};

/**
 * When all of a node's taints were written and handled at the latest; undefined where nothing tells that they were written
 * after an instant.
 *
 * All taints are one field, owned by whoever changed it last. The entry of that manager is dated by its last change of any
 * of its fields: it bounds the taints from above, and from below it proves nothing.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/apimachinery/pkg/util/managedfields/internal/managedfieldsupdater.go Update
 */
function writtenBy(after: Instant, {taintWrites = []}: Node): Instant | undefined {
	const later = taintWrites.map(({time}) => time).filter((time) => time > after);
	return later.length > 0 ? Math.max(...later) + second + handling : undefined;
}

/**
 * Allows for timers that were set earlier and kept: for a taint that was swapped for this one, was removed, or is still there
 * beside it.
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
	);
	const earlier = earlierTimers(pod, look, {from, addedBy: started.hi, isDated});
	return {
		lo: Math.min(lo, ...earlier.map(({since, limit}) => since + limit)),
		hi: Math.max(fires.hi, ...earlier.map(({limit}) => started.hi + limit)),
	};
}

/**
 * Since when the node may have had its present taint, where it may have been written a second time: a pass that lists
 * the nodes before one of them is tainted, and comes to it after that, queues it again, and so does the end of a time
 * in which every zone was down, a move to another zone, or a swap in the first pass of new controllers. Its timers run on.
 * A pod that was evicted before its countdown for the taint could end shows it.
 */
function rewrittenSince(look: NodeAtFirstLook): Instant | undefined {
	const {pods, noExecute, mayBeQueuedAgain, controllersStarted, comparisonOperators} = look;
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
	const since = mayBeQueuedAgain || hadEvictions || mayBeSwappedAtStart(look) ? changedAt : never;
	// The taint that it was swapped for when the node turned Unknown may have evicted some before.
	const earliest = wasMarked(look, changedAt)
		? since
		: Math.min(since, ...evicted.map((pod) => countdownBefore(pod, own, look)));
	return addedAt - changedAt > second && Number.isFinite(earliest)
		? Math.max(earliest, controllersStarted.lo)
		: undefined;
}

/** When the countdown of a pod began that has gone, as far as the taints allow that a node's own controller gives. */
function countdownBefore(pod: Pod, own: Taint, {comparisonOperators}: NodeAtFirstLook): Instant {
	const toleration = tolerationOf(pod, [own], comparisonOperators);
	const tolerated = toleration.type === 'limited' ? toleration.tolerated : 0;
	return (leftAt(pod) ?? never) - tolerated;
}

/** Whether a node was ready before it turned Unknown: pods are marked not ready then, and in no other pass. */
const wasMarked = ({pods, wasReady}: NodeAtFirstLook, changedAt: Instant): boolean =>
	wasReady === true || wereMarked(pods, changedAt);

/** A timer that the pod may have had before: since when, and how long it was to run. */
type EarlierTimer = {readonly since: Instant; readonly limit: Duration};

/**
 * The earlier timers that the pod may have, one for each toleration that may have set it.
 *
 * @param addedBy when the present taint was there: an earlier one stood then, or the timer would be gone
 */
function earlierTimers(
	pod: Pod,
	look: NodeAtFirstLook,
	{from, addedBy, isDated}: {readonly from: Instant; readonly addedBy: Instant; readonly isDated: boolean},
): readonly EarlierTimer[] {
	const {noExecute, referencePods, comparisonOperators} = look;
	const isSwapped = swappedSince(look) !== undefined;
	return pod.tolerations.flatMap((toleration) => {
		const limit = minTolerationTime([toleration]);
		if (limit === undefined || (toleration.effect !== '' && toleration.effect !== 'NoExecute')) return [];
		const isPresent = noExecute.some((taint) => toleratesTaint(toleration, taint, comparisonOperators));
		const isOwn = isNodeLifecycleTaint(toleration);
		const isPossible = isOwn
			? isSwapped || noExecute.length > 1 || mayHaveBeenDown(look, limit)
			: !isPresent || noExecute.length > 1 || !isDated;
		// One that was set before has run out.
		const setAfter = Math.max(from, look.now - limit);
		const since = isPossible
			? Math.max(
					usedSince(toleration, pod, referencePods, setAfter, comparisonOperators),
					ranSince(toleration, look),
				)
			: addedBy;
		return since < addedBy - handling ? [{since, limit}] : [];
	});
}

/**
 * Since when a countdown by a toleration of the controller's own taint may run at the earliest: with that taint on the
 * node, reference pods would have gone.
 */
function ranSince({key}: Toleration, {referencePods, comparisonOperators}: NodeAtFirstLook): Instant {
	if (!isNodeLifecycleTaint({key})) return beginningOfTime;
	return countdownsSince([{key, value: '', effect: 'NoExecute'}], referencePods, comparisonOperators);
}

/**
 * Whether the node may have had the controller's own taint so lately that a timer from then still runs, kept by another
 * taint: it is not ready now, or has not been ready for long.
 */
function mayHaveBeenDown(
	{node, noExecute, controllersStarted, now}: NodeAtFirstLook,
	tolerated: Duration,
): boolean {
	if (noExecute.every(isNodeLifecycleTaint)) return false;
	const ready = nodeCondition(node, 'Ready');
	return (
		ready?.status !== 'True' || ready.lastTransitionTime > Math.max(controllersStarted.lo, now - tolerated)
	);
}

/**
 * Since when the node may have carried the opposite of its present taint: a swap is made in the pass that changes the
 * Ready condition, and the timers run on. Undefined where the pods show that there was none.
 */
function swappedSince(look: NodeAtFirstLook): Instant | undefined {
	const {noExecute, nodeMonitorPeriod, controllersStarted} = look;
	const own = noExecute.find(isNodeLifecycleTaint);
	const change = changeOf(look);
	if (own?.timeAdded === undefined || !change) return undefined;
	const changedAt = change.lo;
	if (own.timeAdded - change.hi >= nodeMonitorPeriod + second) return undefined;
	// A throttled pass takes its time to mark pods.
	if (own.key === taintUnreachable) return wasMarked(look, changedAt) ? undefined : controllersStarted.lo;
	return unknownSince(look, change);
}

/**
 * Whether the first pass of the controllers may have swapped the opposite of the present taint: the node came back, not ready,
 * before they started. They take off what the node had when they come to know it, and swap what they saw at first.
 */
function mayBeSwappedAtStart(look: NodeAtFirstLook): boolean {
	const change = changeOf(look);
	const isUnreachable = look.noExecute.some(({key}) => key === taintUnreachable);
	return (
		!isUnreachable &&
		change !== undefined &&
		change.lo <= look.controllersStarted.hi &&
		unknownSince(look, change) !== undefined
	);
}

/** Since when a node may have been Unknown until it changed to not ready; undefined where it was ready. */
function unknownSince(look: NodeAtFirstLook, change: Interval): Instant | undefined {
	const {pods, controllersStarted, turnedUnknownAfter} = look;
	const marked = pods.flatMap(({readyChangedAt}) => readyChangedAt ?? []);
	const before = marked.filter((at) => at < change.hi);
	if (before.length > 0) return Math.min(...before);
	const isBack = mayHaveReturned(look);
	// A kubelet that comes back makes its pods ready again, and the marks are gone.
	const wasUnmarked = ({ready, readySince, createdAt}: Pod) =>
		ready === 'True' && (readySince ?? createdAt) < change.lo - reporting;
	const isPossible = isBack ?? !pods.some(wasUnmarked);
	return isPossible ? Math.max(controllersStarted.lo, turnedUnknownAfter) : undefined;
}

/**
 * Whether a node may have been Unknown until a moment before its Ready condition changed: a kubelet that comes back changes all
 * its conditions. Undefined where it posts no others.
 */
function mayHaveReturned({node, nodeMonitorPeriod}: NodeAtFirstLook): boolean | undefined {
	const others = pressureConditions.flatMap((type) => nodeCondition(node, type) ?? []);
	const posted = others.filter(({status}) => status !== 'Unknown');
	const changedAt = nodeCondition(node, 'Ready')?.lastTransitionTime;
	if (posted.length === 0 || changedAt === undefined) return undefined;
	const since = changedAt - nodeMonitorPeriod - second;
	return posted.every(({lastTransitionTime}) => lastTransitionTime >= since);
}

/**
 * When the node's Ready condition changed, cut to seconds as the API shows it: by the condition itself, unless a kubelet with a
 * wrong clock wrote that.
 */
function changeOf({node, readyChangedAt}: NodeAtFirstLook): Interval | undefined {
	const ready = nodeCondition(node, 'Ready');
	if (!ready) return undefined;
	const shown = {lo: ready.lastTransitionTime, hi: ready.lastTransitionTime};
	const isRight =
		!readyChangedAt || intersect({...shown, hi: shown.hi + second}, readyChangedAt) !== undefined;
	return isRight ? shown : readyChangedAt;
}
