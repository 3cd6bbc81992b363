import {
	isReadyNode,
	isUnknownNode,
	type Node,
	type NodeCondition,
	readyCondition,
} from '../../../core/model/node.ts';
import type {Pod} from '../../../core/model/pod.ts';
import {type Duration, type Instant, second} from '../../../core/time/instant.ts';
import {wereMarked} from '../countdowns/referencePods.ts';
import {type Interval, reconciled, wholeSecond} from '../interval.ts';
import {passMayLast} from '../latencies.ts';
import {byServerClock, type LeaseRenewal} from './kubeletClock.ts';
import {lifecycleTaint} from './lifecycleTaint.ts';
import {renewIntervalOf} from './renewInterval.ts';
import {type StatusHeartbeats, unwatchedHeartbeats, withHeartbeat} from './statusHeartbeats.ts';

/** A node, and when its signs of life reached the API server. */
export type NodeEvidence = Readonly<{
	node: Node;
	/** The kubelet's last renewal, by its own clock. */
	renewTime: Instant | undefined;
	/** When the API server received it. */
	renewedAt: Interval | undefined;
	/** Whether it arrived late by a clock that is right. */
	isDelayed: boolean;
	/** When somebody else last wrote its lease without renewing it. Since v1.37 the node does not turn Unknown then. */
	leaseTouchedAt?: Interval | undefined;
	/** When its lease was deleted, until a kubelet creates it again. */
	leaseDeletedAt?: Instant | undefined;
	/** A later renewal that the controllers do not count: its own time is before that of the last one. */
	ignored?: LeaseRenewal | undefined;
	/** How often the kubelet renews, by the duration in its lease. */
	renewInterval: Duration;
	/** The longest recent time between two renewals, by their arrival; 0 if none was seen. */
	slowestRenewal: Duration;
	/** Whether `renewedAt` is uncertain because the kubelet's clock is wrong: it may be alive, or silent since then. */
	hasWrongClock: boolean;
	/** Whether only the kubelet's own clock dates `renewedAt`. */
	isUndated: boolean;
	/** When the Ready condition's heartbeat reached the API server. */
	heartbeatAt?: Interval | undefined;
	/** The same of the previous heartbeat; undefined if unknown. */
	heartbeatBefore?: Interval | undefined;
	/** How often its kubelet posts its status, if it keeps no lease. */
	heartbeats: StatusHeartbeats;
	/** When the Ready condition last changed its status. */
	readyChangedAt?: Interval | undefined;
	/** Whether Ready was True before that; undefined if it never changed, or is unknown. */
	wasReady?: boolean | undefined;
	/** Since when it was not ready before it turned Unknown, if both were seen. */
	notReadySince?: Interval | undefined;
	/** When the time began in which it was not ready before that, where that was seen. */
	downSince?: DownSince | undefined;
	/** Since when it was ready before it last went down, where that was seen: until then it was down before. */
	upSince?: Interval | undefined;
	/** Whether no lease of any node was ever seen: then a missing lease proves nothing. */
	isLeaseHidden: boolean;
	/** Whether it had no lease at a first look that showed those of others: a living kubelet would write it soon. */
	isLeaseMissing?: boolean | undefined;
	/** When the controller's own NoExecute taint was added; undefined if it has none. */
	taintedAt: Interval | undefined;
	/** Whether that taint was seen to be replaced by the same one: another token was used for it. */
	isTaintedAgain?: boolean;
	/** When such a taint was seen to be taken off a node that is not ready. */
	untaintedAt?: Interval | undefined;
}>;

/** The part of it that its lease shows. */
type LeaseEvidence = Omit<NodeEvidence, 'node' | 'isLeaseHidden' | 'taintedAt'>;

/** The names of nodes. */
export const namesOf = (nodes: readonly Pick<NodeEvidence, 'node'>[]): ReadonlySet<string> =>
	new Set(nodes.map(({node}) => node.name));

/** When a node stopped being ready, and whether it turned Unknown then, which a pass writes. */
type DownSince = {readonly at: Interval; readonly isUnknown: boolean};

/**
 * Adds what a version of a node shows to what was known of it.
 *
 * @param seen when the change happened; undefined at a first look, where only the object's own times are known
 * @param lookedAt the present
 * @param isLeaseHidden whether no lease of any node was ever seen
 * @param ofLease what its lease showed, if nothing else is known
 */
export function nextNodeEvidence(
	before: NodeEvidence | undefined,
	node: Node,
	pods: readonly Pod[],
	seen: Interval | undefined,
	lookedAt: Instant,
	isLeaseHidden = true,
	ofLease: LeaseEvidence = withoutLease,
): NodeEvidence {
	const ready = readyCondition(node);
	const readyBefore = before && readyCondition(before.node);
	const hasChanged = !isSameCondition(ready, readyBefore);
	const hasHeartbeat = ready?.lastHeartbeatTime !== readyBefore?.lastHeartbeatTime;
	const instantOf = (time: Instant | undefined, isOfKubelet: boolean) => {
		if (time === undefined) return seen;
		const dated = wholeSecond(time);
		return reconciled(seen, seen && isOfKubelet ? byServerClock(dated, before, seen.hi) : dated);
	};
	const known = before ?? ofLease;
	return {
		...known,
		node,
		isLeaseHidden,
		heartbeats: seen ? withHeartbeat(known.heartbeats, before?.node, node) : known.heartbeats,
		...(hasHeartbeat && afterHeartbeat(before, instantOf(ready?.lastHeartbeatTime, true))),
		...(hasChanged && {
			readyChangedAt: instantOf(ready?.lastTransitionTime, isByKubelet(node)),
			wasReady: wasReadyBefore(ready, readyBefore, pods, lookedAt),
			notReadySince: notReadyBefore(ready, before),
			downSince: downBefore(before),
			upSince: upBefore(node, before),
		}),
		...ownTaint(node, before, seen),
	};
}

/** What is known of a node whose lease was not seen. */
const withoutLease = {
	renewInterval: renewIntervalOf(),
	slowestRenewal: 0,
	hasWrongClock: false,
	heartbeats: unwatchedHeartbeats,
	renewTime: undefined,
	renewedAt: undefined,
	isDelayed: false,
	isUndated: false,
};

/** A status heartbeat, or a turn to Unknown, makes the controllers forget the last renewal: then they count any. */
function afterHeartbeat(
	before: NodeEvidence | undefined,
	heartbeatAt: Interval | undefined,
): Partial<NodeEvidence> {
	const {ignored, renewedAt, heartbeatAt: heartbeatBefore} = before ?? {};
	const renewed = {renewedAt: heartbeatAt ?? renewedAt, isDelayed: false, isUndated: false};
	return {heartbeatAt, heartbeatBefore, ...(ignored && {...ignored, ...renewed, ignored: undefined})};
}

/** When a node turned Unknown, if that is new. */
export function turnedUnknownAt(before: NodeEvidence | undefined, after: NodeEvidence): Interval | undefined {
	const ready = readyCondition(after.node);
	const isNew = !isSameCondition(ready, before && readyCondition(before.node));
	return isNew && ready?.status === 'Unknown' ? after.readyChangedAt : undefined;
}

const isSameCondition = (a: NodeCondition | undefined, b: NodeCondition | undefined) =>
	a?.status === b?.status && a?.lastTransitionTime === b?.lastTransitionTime;

/** What a node was before its last change, seen or by its pods: only the pass that turns a node Unknown marks them not ready. */
function wasReadyBefore(
	ready: NodeCondition | undefined,
	before: NodeCondition | undefined,
	pods: readonly Pod[],
	lookedAt: Instant,
): boolean | undefined {
	if (before) return before.status === 'True';
	if (ready?.status !== 'Unknown' || pods.length === 0) return undefined;
	if (wereMarked(pods, ready.lastTransitionTime)) return true;
	// That pass may not have reached its pods yet.
	if (ready.lastTransitionTime > lookedAt - passMayLast - second) return undefined;
	return pods.some((pod) => pod.ready === 'True') ? false : undefined;
}

function notReadyBefore(
	ready: NodeCondition | undefined,
	before: NodeEvidence | undefined,
): Interval | undefined {
	if (ready?.status !== 'Unknown' || !before) return undefined;
	return readyCondition(before.node)?.status === 'False' ? before.readyChangedAt : undefined;
}

function downBefore(before: NodeEvidence | undefined): DownSince | undefined {
	if (!before?.readyChangedAt || isReadyNode(before.node) || before.wasReady === undefined) return undefined;
	return before.wasReady
		? {at: before.readyChangedAt, isUnknown: isUnknownNode(before.node)}
		: before.downSince;
}

function upBefore(node: Node, before: NodeEvidence | undefined): Interval | undefined {
	if (!before || isReadyNode(node)) return undefined;
	return isReadyNode(before.node) ? before.readyChangedAt : before.upSince;
}

/** When the controller added its own taint, or took it off. */
function ownTaint(
	node: Node,
	before: NodeEvidence | undefined,
	seen: Interval | undefined,
): Pick<NodeEvidence, 'taintedAt' | 'isTaintedAgain' | 'untaintedAt'> {
	const [old, own] = [before && lifecycleTaint(before.node), lifecycleTaint(node)];
	if (!own) {
		const untaintedAt = isReadyNode(node) ? undefined : old ? seen : before?.untaintedAt;
		return {taintedAt: undefined, isTaintedAgain: false, untaintedAt};
	}
	// The same taint with another time was removed and added again; a taint of the opposite key is a swap.
	const isAgain = old?.key === own.key && old.timeAdded !== own.timeAdded;
	const addedAt = own.timeAdded === undefined ? undefined : wholeSecond(own.timeAdded);
	return {
		taintedAt: old && !isAgain ? before?.taintedAt : reconciled(seen, addedAt),
		isTaintedAgain: isAgain || (old !== undefined && before?.isTaintedAgain === true),
		untaintedAt: undefined,
	};
}

/** Converts the kubelet's times of a node at a first look to the API server's clock. */
export function redated(one: NodeEvidence, now: Instant): NodeEvidence {
	const heartbeatAt = one.heartbeatAt && atFirstLook(one.heartbeatAt, one, now);
	const readyChangedAt =
		one.readyChangedAt && isByKubelet(one.node)
			? atFirstLook(one.readyChangedAt, one, now)
			: one.readyChangedAt;
	// Nearly all clocks are right, and thousands of copies would keep the first frame waiting.
	const isRight = isSameTime(heartbeatAt, one.heartbeatAt) && isSameTime(readyChangedAt, one.readyChangedAt);
	return isRight ? one : {...one, heartbeatAt, readyChangedAt};
}

const isSameTime = (a: Interval | undefined, b: Interval | undefined) => a?.lo === b?.lo && a?.hi === b?.hi;

/** Allows for a clock that was right when the kubelet wrote a time, but wrong at its last renewal. */
function atFirstLook(dated: Interval, one: NodeEvidence, now: Instant): Interval {
	const corrected = byServerClock(dated, one, now);
	const {renewTime, renewedAt, renewInterval} = one;
	if (renewTime === undefined || !renewedAt || dated.hi + renewInterval >= renewTime) return corrected;
	// By a right clock, it cannot have come after the renewal.
	const hi = Math.max(corrected.hi, Math.min(now, renewedAt.hi, dated.hi));
	return {lo: Math.min(corrected.lo, dated.lo), hi};
}

/** Whether the kubelet wrote the Ready condition: only the controller writes Unknown. */
const isByKubelet = (node: Node) => !isUnknownNode(node);
