import {minOf} from '../../../core/collections/extremes.ts';
import {type Node, nodeCondition, readyCondition} from '../../../core/model/node.ts';
import type {Pod} from '../../../core/model/pod.ts';
import {isNodeLifecycleTaint, type Taint, taintUnreachable} from '../../../core/model/taint.ts';
import {pressureConditions} from '../../../core/nodepressure/thresholds/signal.ts';
import {type Duration, type Instant, minute, second} from '../../../core/time/instant.ts';
import {type Interval, intersect} from '../interval.ts';
import {type ReferencePod, wereMarked} from './referencePods.ts';

/** A returning kubelet reports the readiness of its pods, and its own, within this time. */
const reporting: Duration = 30 * second;

/** A tainted node at a first look, with what is needed to judge its pods' timers. */
export type NodeAtFirstLook = Readonly<{
	node: Node;
	pods: readonly Pod[];
	noExecute: readonly Taint[];
	/** When the running controllers started: no timer is older. */
	controllersStarted: Interval;
	nodeMonitorPeriod: Duration;
	/**
	 * By when the node was tainted first, if its taint may have been written again since: by the end of a long monitor pass that
	 * processed it later; at any time if a pass then found all zones down. The beginning of time if neither is possible.
	 */
	firstTaintedBy: Instant;
	/** The pods that show which taints the node had; empty if a long pass may have delayed evictions. */
	referencePods: readonly ReferencePod[];
	/** The same, also after a long pass. */
	podsOfAnyTime: readonly ReferencePod[];
	/** How much the client's limits may have delayed an eviction: if its whole burst was left, and if none was. */
	delayedBy: Interval;
	comparisonOperators: boolean;
	/** Whether the node was ready before its Ready condition changed, if known. */
	wasReady?: boolean | undefined;
	/** When its Ready condition changed, if known. */
	readyChangedAt: Interval | undefined;
	/** The earliest instant at which it last turned Unknown, by events; minus infinity if there are none. */
	turnedUnknownAfter: Instant;
	now: Instant;
}>;

/** Whether a node was ready before it turned Unknown: only that pass marks its pods not ready. */
export const wasMarked = ({pods, wasReady}: NodeAtFirstLook, changedAt: Instant) =>
	wasReady === true || wereMarked(pods, changedAt);

/** A cluster is assumed to have controllers again after this time. */
const longestWithoutControllers: Duration = 60 * minute;

/**
 * Whether the node may have had the controller's own taint recently, so that another taint keeps a timer from then running:
 * it is not ready, became ready recently, or had done so recently when new controllers, which remove the taint, started.
 */
export function mayHaveBeenDown(
	{node, noExecute, controllersStarted, now}: NodeAtFirstLook,
	tolerated: Duration,
) {
	if (noExecute.every(isNodeLifecycleTaint)) return false;
	const ready = readyCondition(node);
	if (ready?.status !== 'True') return true;
	const {lastTransitionTime: readySince} = ready;
	const takenOff = Math.max(readySince, controllersStarted.lo);
	return takenOff > now - tolerated && readySince > controllersStarted.lo - longestWithoutControllers;
}

/**
 * Since when the node may have had the opposite of its present taint. The pass that changes the Ready condition swaps the
 * taints, and the timers continue. Undefined if the pods show that there was no opposite.
 */
export function swappedSince(look: NodeAtFirstLook): Instant | undefined {
	const {noExecute, nodeMonitorPeriod, controllersStarted} = look;
	const own = noExecute.find(isNodeLifecycleTaint);
	const change = changeOf(look);
	if (own?.timeAdded === undefined || !change) return undefined;
	const changedAt = change.lo;
	if (own.timeAdded - change.hi >= nodeMonitorPeriod + second) return undefined;
	// A throttled pass takes time to mark pods.
	if (own.key === taintUnreachable) return wasMarked(look, changedAt) ? undefined : controllersStarted.lo;
	return unknownSince(look, change);
}

/**
 * Whether the first pass of new controllers may have swapped the opposite of the present taint: the node came back, not
 * ready, before they started. They remove a node's taints when they register it, and then swap the listed taint.
 */
export function mayBeSwappedAtStart(look: NodeAtFirstLook) {
	const change = changeOf(look);
	const isUnreachable = look.noExecute.some(({key}) => key === taintUnreachable);
	return (
		!isUnreachable &&
		change !== undefined &&
		change.lo <= look.controllersStarted.hi &&
		unknownSince(look, change) !== undefined
	);
}

/** Since when a node may have been Unknown before it became not ready; undefined if it was ready. */
function unknownSince(look: NodeAtFirstLook, change: Interval): Instant | undefined {
	const {pods, controllersStarted, turnedUnknownAfter} = look;
	const marked = pods.flatMap(({readyChangedAt}) => readyChangedAt ?? []);
	const before = marked.filter((at) => at < change.hi);
	if (before.length > 0) return minOf(before);
	const isBack = mayHaveReturned(look);
	// A returning kubelet makes its pods ready again, which removes the marks.
	const wasUnmarked = ({ready, readySince, createdAt}: Pod) =>
		ready === 'True' && (readySince ?? createdAt) < change.lo - reporting;
	const isPossible = isBack ?? !pods.some(wasUnmarked);
	return isPossible ? Math.max(controllersStarted.lo, turnedUnknownAfter) : undefined;
}

/**
 * Whether a node may have been Unknown until just before its Ready condition changed: a returning kubelet changes all its
 * conditions. Undefined if it posts no others.
 */
function mayHaveReturned({node, nodeMonitorPeriod}: NodeAtFirstLook): boolean | undefined {
	const others = pressureConditions.flatMap((type) => nodeCondition(node, type) ?? []);
	const posted = others.filter(({status}) => status !== 'Unknown');
	const changedAt = readyCondition(node)?.lastTransitionTime;
	if (posted.length === 0 || changedAt === undefined) return undefined;
	const since = changedAt - nodeMonitorPeriod - second;
	return posted.every(({lastTransitionTime}) => lastTransitionTime >= since);
}

/** When the Ready condition changed, truncated to seconds: by itself, unless a kubelet with a wrong clock wrote it. */
export function changeOf({node, readyChangedAt}: NodeAtFirstLook): Interval | undefined {
	const ready = readyCondition(node);
	if (!ready) return undefined;
	const shown = {lo: ready.lastTransitionTime, hi: ready.lastTransitionTime};
	const isRight =
		!readyChangedAt || intersect({...shown, hi: shown.hi + second}, readyChangedAt) !== undefined;
	return isRight ? shown : readyChangedAt;
}
