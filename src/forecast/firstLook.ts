import type {Node} from '../core/model/node.ts';
import {nodeCondition} from '../core/model/node.ts';
import type {Pod} from '../core/model/pod.ts';
import {type Taint, taintNotReady, taintUnreachable} from '../core/model/taint.ts';
import {toleratesTaint} from '../core/tainteviction/tolerations.ts';
import {type Duration, type Instant, second} from '../core/time/instant.ts';
import {type Interval, wholeSecond} from './interval.ts';
import type {Toleration} from './podTimers.ts';

/** What a first look at a pod on a tainted node tells of the timer that runs for it. */
export type TimerEvidence = {readonly started: Interval; readonly fires: Interval; readonly source: string};

/** What is needed to judge a timer that was started before anybody looked. */
export type FirstLook = {
	readonly node: Node;
	readonly pods: readonly Pod[];
	readonly noExecute: readonly Taint[];
	/** When the running controllers started: no timer is older. */
	readonly controllersStarted: Interval;
	readonly nodeMonitorPeriod: Duration;
	/** Whether a monitor pass lasted so long that nodes were tainted in its course. */
	readonly hadLongPass: boolean;
	readonly comparisonOperators: boolean;
	readonly now: Instant;
};

const ownKeys = [taintNotReady, taintUnreachable];

/** How long after an instant the controllers have surely handled what happened at it. */
const handling: Duration = second / 5;

/**
 * Judges when a pod's timer started and when it runs out, from one look: the taint's own time, the pod's binding, the
 * controllers' start, and the fact that the pod is still there.
 */
export function timerAtFirstLook(
	pod: Pod,
	toleration: Extract<Toleration, {type: 'limited'}>,
	look: FirstLook,
): TimerEvidence {
	const {taint, tolerated} = toleration;
	const added = addedAt(taint, look);
	const base = added ?? {lo: look.now - tolerated, hi: look.now};
	const started = notBefore(notBefore(base, look.controllersStarted), boundAt(pod));
	const fires = {lo: started.lo + tolerated, hi: started.hi + tolerated};
	const source = added
		? `the taint's own time`
		: 'nothing says when the taint was added; the pod is still there';
	const widened = widenForEarlierTimers(pod, look, started, fires, added !== undefined);
	return {started, fires: {lo: Math.max(widened.lo, Math.min(look.now, widened.hi)), hi: widened.hi}, source};
}

/** Where a taint's addition lies; undefined where nothing tells. */
function addedAt({key, timeAdded}: Taint, {node}: FirstLook): Interval | undefined {
	if (timeAdded !== undefined) return {lo: timeAdded, hi: writtenBy(timeAdded, node) + second + handling};
	// A taint without a time is a user's; only the last writer of the taints is known.
	const writes = ownKeys.includes(key) ? [] : (node.taintWrites ?? []);
	const [latest] = writes.toSorted((a, b) => b.time - a.time);
	return latest && writes.length === 1 ? {lo: latest.time, hi: latest.time + second + handling} : undefined;
}

/** A taint's time is taken before the call that writes it, which a throttled client sends later. */
function writtenBy(timeAdded: Instant, {taintWrites = []}: Node): Instant {
	const later = taintWrites.map(({time}) => time).filter((time) => time > timeAdded);
	return Math.max(timeAdded, ...later);
}

function boundAt({scheduledAt, createdAt}: Pod): Interval {
	const at = scheduledAt ?? createdAt;
	return {...wholeSecond(at), hi: at + second + handling};
}

/** A timer starts with the later of two things. */
const notBefore = (a: Interval, b: Interval): Interval => ({
	lo: Math.max(a.lo, b.lo),
	hi: Math.max(a.hi, b.hi),
});

/**
 * A timer once set is kept: it may have been set for another taint, which was swapped for this one or is gone, or for
 * one that still stands beside it.
 */
function widenForEarlierTimers(
	pod: Pod,
	look: FirstLook,
	started: Interval,
	fires: Interval,
	isDated: boolean,
): Interval {
	const rewritten = rewrittenSince(look);
	if (rewritten !== undefined)
		return {lo: Math.min(fires.lo, rewritten + (fires.lo - started.lo)), hi: fires.hi};
	const earlier = earlierTolerations(pod, look, isDated);
	if (earlier.length === 0) return fires;
	const swapped = swappedSince(look);
	const from = isDated && swapped !== undefined ? swapped : look.controllersStarted.lo;
	return {
		lo: Math.min(fires.lo, Math.max(from, look.controllersStarted.lo) + Math.min(...earlier)),
		hi: Math.max(fires.hi, started.hi + Math.max(...earlier)),
	};
}

/**
 * Since when the node may have had its present taint, where it may have been written a second time: a pass that lists
 * the nodes before one of them is tainted, and comes to it after that, queues it again. Its timers run on.
 */
function rewrittenSince({node, noExecute, hadLongPass, controllersStarted}: FirstLook): Instant | undefined {
	const own = noExecute.find(({key}) => ownKeys.includes(key));
	const changedAt = nodeCondition(node, 'Ready')?.lastTransitionTime;
	if (!hadLongPass || own?.timeAdded === undefined || changedAt === undefined) return undefined;
	return own.timeAdded - changedAt > second ? Math.max(changedAt, controllersStarted.lo) : undefined;
}

/** The limits, in milliseconds, that an earlier timer of the pod may have had. */
function earlierTolerations(pod: Pod, look: FirstLook, isDated: boolean): readonly Duration[] {
	const {noExecute, comparisonOperators} = look;
	const isSwapped = swappedSince(look) !== undefined;
	return pod.tolerations.flatMap(({tolerationSeconds, ...toleration}) => {
		if (tolerationSeconds === undefined || (toleration.effect !== '' && toleration.effect !== 'NoExecute'))
			return [];
		const isPresent = noExecute.some((taint) => toleratesTaint(toleration, taint, comparisonOperators));
		const isOwn = ownKeys.includes(toleration.key);
		const isPossible = isOwn
			? isSwapped || noExecute.length > 1 || mayHaveBeenDown(look, tolerationSeconds * second)
			: !isPresent || noExecute.length > 1 || !isDated;
		return isPossible ? [Math.max(0, tolerationSeconds) * second] : [];
	});
}

/**
 * Whether the node may have had the controller's own taint so lately that a timer from then still runs, kept by another
 * taint: it is not ready now, or has not been ready for long.
 */
function mayHaveBeenDown(
	{node, noExecute, controllersStarted, now}: FirstLook,
	tolerated: Duration,
): boolean {
	if (noExecute.every(({key}) => ownKeys.includes(key))) return false;
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
}: FirstLook): Instant | undefined {
	const own = noExecute.find(({key}) => ownKeys.includes(key));
	const ready = nodeCondition(node, 'Ready');
	if (own?.timeAdded === undefined || !ready) return undefined;
	const changedAt = ready.lastTransitionTime;
	if (own.timeAdded - changedAt >= nodeMonitorPeriod + second) return undefined;
	const marked = pods.flatMap(({readyChangedAt}) => readyChangedAt ?? []);
	if (own.key === taintUnreachable) {
		// A throttled pass takes its time to mark them.
		return marked.some((at) => at >= changedAt - second) ? undefined : controllersStarted.lo;
	}
	const before = marked.filter((at) => at < changedAt);
	return before.length > 0 ? Math.min(...before) : undefined;
}
