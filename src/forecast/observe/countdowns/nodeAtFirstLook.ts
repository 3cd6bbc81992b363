import {type Node, nodeCondition} from '../../../core/model/node.ts';
import type {Pod} from '../../../core/model/pod.ts';
import {isNodeLifecycleTaint, type Taint, taintUnreachable} from '../../../core/model/taint.ts';
import {pressureConditions} from '../../../core/nodepressure/thresholds/signal.ts';
import {type Duration, type Instant, minute, second} from '../../../core/time/instant.ts';
import {type Interval, intersect} from '../interval.ts';
import {type ReferencePod, wereMarked} from './referencePods.ts';

/** A kubelet that comes back reports the readiness of its pods, and its own, so close together. */
const reporting: Duration = 30 * second;

/** A tainted node at a first look, with what is needed to judge its pods' timers. */
export type NodeAtFirstLook = {
	readonly node: Node;
	readonly pods: readonly Pod[];
	readonly noExecute: readonly Taint[];
	/** When the running controllers started: timers are not older. */
	readonly controllersStarted: Interval;
	readonly nodeMonitorPeriod: Duration;
	/**
	 * Whether the node may have been tainted before its taint was written anew: while a long monitor pass ran that came to it
	 * later, or by a pass that then found all zones down.
	 */
	readonly mayBeQueuedAgain: boolean;
	/** The pods that show which taints the node had; none while evictions are throttled. */
	readonly referencePods: readonly ReferencePod[];
	/** Those of them that are still there, at any time. */
	readonly remainingPods: readonly ReferencePod[];
	/** How much later than it was due the client's limits may have put an eviction off. */
	readonly delayedBy: Duration;
	readonly comparisonOperators: boolean;
	/** Whether the node was ready before its Ready condition changed, where that is known. */
	readonly wasReady?: boolean | undefined;
	/** When its Ready condition changed, as far as it is known. */
	readonly readyChangedAt: Interval | undefined;
	/** The earliest instant at which it last turned Unknown, by the events; minus infinity where none tells. */
	readonly turnedUnknownAfter: Instant;
	readonly now: Instant;
};

/** Whether a node was ready before it turned Unknown: pods are marked not ready then, and in no other pass. */
export const wasMarked = ({pods, wasReady}: NodeAtFirstLook, changedAt: Instant): boolean =>
	wasReady === true || wereMarked(pods, changedAt);

/** A cluster is assumed to have controllers again after this time. */
const longestWithoutControllers: Duration = 60 * minute;

/**
 * Whether the node may have had the controller's own taint so lately that a timer from then still runs, kept by another
 * taint: it is not ready now, or has not been ready for long, or not for long when the controllers started, who take it off.
 */
export function mayHaveBeenDown(
	{node, noExecute, controllersStarted, now}: NodeAtFirstLook,
	tolerated: Duration,
): boolean {
	if (noExecute.every(isNodeLifecycleTaint)) return false;
	const ready = nodeCondition(node, 'Ready');
	if (ready?.status !== 'True') return true;
	const {lastTransitionTime: readySince} = ready;
	const takenOff = Math.max(readySince, controllersStarted.lo);
	return takenOff > now - tolerated && readySince > controllersStarted.lo - longestWithoutControllers;
}

/**
 * Since when the node may have carried the opposite of its present taint: a swap is made in the pass that changes the
 * Ready condition, and the timers run on. Undefined where the pods show that there was none.
 */
export function swappedSince(look: NodeAtFirstLook): Instant | undefined {
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
export function mayBeSwappedAtStart(look: NodeAtFirstLook): boolean {
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
export function changeOf({node, readyChangedAt}: NodeAtFirstLook): Interval | undefined {
	const ready = nodeCondition(node, 'Ready');
	if (!ready) return undefined;
	const shown = {lo: ready.lastTransitionTime, hi: ready.lastTransitionTime};
	const isRight =
		!readyChangedAt || intersect({...shown, hi: shown.hi + second}, readyChangedAt) !== undefined;
	return isRight ? shown : readyChangedAt;
}
