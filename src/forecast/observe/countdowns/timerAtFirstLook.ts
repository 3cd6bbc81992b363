import type {Node} from '../../../core/model/node.ts';
import {nodeCondition} from '../../../core/model/node.ts';
import type {Pod} from '../../../core/model/pod.ts';
import {isNodeLifecycleTaint, type Taint, taintUnreachable} from '../../../core/model/taint.ts';
import {toleratesTaint} from '../../../core/model/toleratesTaint.ts';
import {minTolerationTime} from '../../../core/tainteviction/tolerations.ts';
import {type Duration, type Instant, second} from '../../../core/time/instant.ts';
import type {Interval} from '../interval.ts';
import type {TolerationOutcome} from './podTimers.ts';
import {boundAt, countdownsSince, handling, leftAt, type ReferencePod, usedSince} from './referencePods.ts';

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
	/** Whether nodes may have been tainted while a long monitor pass ran. */
	readonly hadLongPass: boolean;
	/** The pods that show which taints the node had; none while evictions are throttled. */
	readonly referencePods: readonly ReferencePod[];
	readonly comparisonOperators: boolean;
	/** Whether the node was ready before its Ready condition changed, where that is known. */
	readonly wasReady?: boolean | undefined;
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
	const base = added ?? countdownByReferencePods(tolerated, look);
	const started = notBefore(notBefore(base, look.controllersStarted), boundAt(pod));
	const fires = {lo: started.lo + tolerated, hi: started.hi + tolerated};
	const source = added
		? `the taint's own time`
		: 'nothing says when the taint was added; the pod is still there';
	const widened = widenForEarlierTimers(pod, look, started, fires, added !== undefined);
	return {started, fires: {lo: Math.max(widened.lo, Math.min(look.now, widened.hi)), hi: widened.hi}, source};
}

/** When a countdown started for taints without a time: it has not ended, and neither have those of the node's other pods. */
function countdownByReferencePods(
	tolerated: Duration,
	{noExecute, referencePods, comparisonOperators, now}: NodeAtFirstLook,
): Interval {
	const since = countdownsSince(noExecute, referencePods, comparisonOperators);
	return {lo: Math.min(now, Math.max(now - tolerated, since)), hi: now};
}

/** When a taint was added; undefined where that is not known. */
function addedAt({key, timeAdded}: Taint, {node}: NodeAtFirstLook): Interval | undefined {
	if (timeAdded !== undefined) return {lo: timeAdded, hi: writtenBy(timeAdded, node) + second + handling};
	// A taint without a time is a user's; only the last writer of the taints is known.
	const writes = isNodeLifecycleTaint({key}) ? [] : (node.taintWrites ?? []);
	const [latest] = writes.toSorted((a, b) => b.time - a.time);
	return latest && writes.length === 1 ? {lo: latest.time, hi: latest.time + second + handling} : undefined;
}

/** When a taint was written: its time is taken before the write, which a throttled client sends later. */
function writtenBy(timeAdded: Instant, {taintWrites = []}: Node): Instant {
	const later = taintWrites.map(({time}) => time).filter((time) => time > timeAdded);
	return Math.max(timeAdded, ...later);
}

/** The later of two instants, each known as an interval. */
const notBefore = (a: Interval, b: Interval): Interval => ({
	lo: Math.max(a.lo, b.lo),
	hi: Math.max(a.hi, b.hi),
});

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
	const rewritten = rewrittenSince(look);
	if (rewritten !== undefined)
		return {lo: Math.min(fires.lo, rewritten + (fires.lo - started.lo)), hi: fires.hi};
	const swapped = swappedSince(look);
	const from = Math.max(
		isDated && swapped !== undefined ? swapped : look.controllersStarted.lo,
		look.controllersStarted.lo,
	);
	const earlier = earlierTimers(pod, look, {from, addedBy: started.hi, isDated});
	if (earlier.length === 0) return fires;
	return {
		lo: Math.min(fires.lo, ...earlier.map(({since, limit}) => since + limit)),
		hi: Math.max(fires.hi, ...earlier.map(({limit}) => started.hi + limit)),
	};
}

/**
 * Since when the node may have had its present taint, where it may have been written a second time: a pass that lists
 * the nodes before one of them is tainted, and comes to it after that, queues it again, and so does the end of a time
 * in which every zone was down. Its timers run on. A pod that was evicted before the taint was added shows it.
 */
function rewrittenSince({
	node,
	pods,
	noExecute,
	hadLongPass,
	controllersStarted,
}: NodeAtFirstLook): Instant | undefined {
	const own = noExecute.find(isNodeLifecycleTaint);
	const changedAt = nodeCondition(node, 'Ready')?.lastTransitionTime;
	if (own?.timeAdded === undefined || changedAt === undefined) return undefined;
	const addedAt = own.timeAdded;
	const hadEvictions = pods.some((pod) => {
		const left = leftAt(pod) ?? addedAt;
		return left >= changedAt && left < addedAt;
	});
	if (!hadLongPass && !hadEvictions) return undefined;
	return addedAt - changedAt > second ? Math.max(changedAt, controllersStarted.lo) : undefined;
}

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
			? usedSince(toleration, pod, referencePods, setAfter, comparisonOperators)
			: addedBy;
		return since < addedBy - handling ? [{since, limit}] : [];
	});
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
 *
 * Pods are marked not ready in the pass that turns a ready node Unknown, and in no other.
 */
function swappedSince({
	pods,
	node,
	noExecute,
	nodeMonitorPeriod,
	controllersStarted,
	wasReady,
}: NodeAtFirstLook): Instant | undefined {
	const own = noExecute.find(isNodeLifecycleTaint);
	const ready = nodeCondition(node, 'Ready');
	if (own?.timeAdded === undefined || !ready) return undefined;
	const changedAt = ready.lastTransitionTime;
	if (own.timeAdded - changedAt >= nodeMonitorPeriod + second) return undefined;
	const marked = pods.flatMap(({readyChangedAt}) => readyChangedAt ?? []);
	if (own.key === taintUnreachable) {
		if (wasReady) return undefined;
		// A throttled pass takes its time to mark them.
		return marked.some((at) => at >= changedAt - second) ? undefined : controllersStarted.lo;
	}
	const before = marked.filter((at) => at < changedAt);
	return before.length > 0 ? Math.min(...before) : undefined;
}
