import {type Node, type NodeCondition, nodeCondition} from '../../../core/model/node.ts';
import type {Pod} from '../../../core/model/pod.ts';
import {type Duration, type Instant, second} from '../../../core/time/instant.ts';
import {type Interval, reconciled, wholeSecond} from '../interval.ts';
import {passMayLast} from '../latencies.ts';
import {byServerClock, isByKubelet} from './kubeletClock.ts';
import {lifecycleTaint} from './lifecycleTaint.ts';
import {renewIntervalOf} from './renewInterval.ts';
import {type StatusHeartbeats, unwatchedHeartbeats, withHeartbeat} from './statusHeartbeats.ts';

/** A node, and what is known of when its signs of life reached the API server. */
export type NodeEvidence = {
	readonly node: Node;
	/** The kubelet's last renewal, by its own clock. */
	readonly renewTime: Instant | undefined;
	/** When the API server took it. */
	readonly renewedAt: Interval | undefined;
	/** How often the kubelet renews, as far as its lease tells. */
	readonly renewInterval: Duration;
	/** Whether `renewedAt` is a guess, since the kubelet's clock is wrong: it may be alive, or silent for as long. */
	readonly hasWrongClock: boolean;
	/** When the Ready condition's heartbeat reached the API server. */
	readonly heartbeatAt: Interval | undefined;
	/** How often its kubelet posts its status, where it keeps no lease. */
	readonly heartbeats: StatusHeartbeats;
	/** When the Ready condition last changed its status. */
	readonly readyChangedAt: Interval | undefined;
	/** Whether Ready was True before that; undefined where it never changed, or cannot be told. */
	readonly wasReady: boolean | undefined;
	/** Whether no lease of any node was ever seen, so that nothing follows of its absence. */
	readonly isLeaseHidden: boolean;
	/** When the controller's own NoExecute taint was added; undefined where it has none. */
	readonly taintedAt: Interval | undefined;
};

/**
 * What is known of a node once a version of it was seen.
 *
 * @param seen when the change happened; undefined at a first look, which has to go by the object's own times
 * @param lookedAt the present
 */
export function nextNodeEvidence(
	before: NodeEvidence | undefined,
	node: Node,
	pods: readonly Pod[],
	seen: Interval | undefined,
	lookedAt: Instant,
): NodeEvidence {
	const ready = nodeCondition(node, 'Ready');
	const readyBefore = before && nodeCondition(before.node, 'Ready');
	const hasChanged = !isSameCondition(ready, readyBefore);
	const hasHeartbeat = ready?.lastHeartbeatTime !== readyBefore?.lastHeartbeatTime;
	const instantOf = (time: Instant | undefined, isOfKubelet: boolean) => {
		if (time === undefined) return seen;
		const dated = wholeSecond(time);
		return reconciled(seen, seen && isOfKubelet ? byServerClock(dated, before, seen.hi) : dated);
	};
	return {
		node,
		isLeaseHidden: before?.isLeaseHidden ?? true,
		renewTime: before?.renewTime,
		renewedAt: before?.renewedAt,
		renewInterval: before?.renewInterval ?? renewIntervalOf(),
		hasWrongClock: before?.hasWrongClock ?? false,
		heartbeats: seen
			? withHeartbeat(before?.heartbeats ?? unwatchedHeartbeats, before?.node, node)
			: (before?.heartbeats ?? unwatchedHeartbeats),
		heartbeatAt: hasHeartbeat ? instantOf(ready?.lastHeartbeatTime, true) : before?.heartbeatAt,
		readyChangedAt: hasChanged
			? instantOf(ready?.lastTransitionTime, isByKubelet(node))
			: before?.readyChangedAt,
		wasReady: hasChanged ? wasReadyBefore(ready, readyBefore, pods, lookedAt) : before?.wasReady,
		taintedAt: taintedAt(node, before, seen),
	};
}

/** When a node turned Unknown, where that is new. */
export function turnedUnknownAt(before: NodeEvidence | undefined, after: NodeEvidence): Interval | undefined {
	const ready = nodeCondition(after.node, 'Ready');
	const isNew = !isSameCondition(ready, before && nodeCondition(before.node, 'Ready'));
	return isNew && ready?.status === 'Unknown' ? after.readyChangedAt : undefined;
}

const isSameCondition = (a: NodeCondition | undefined, b: NodeCondition | undefined) =>
	a?.status === b?.status && a?.lastTransitionTime === b?.lastTransitionTime;

/**
 * What a node was before its last change: seen, or told by its pods, which are marked not ready in the pass that turns
 * a ready node Unknown, and in no other.
 */
function wasReadyBefore(
	ready: NodeCondition | undefined,
	before: NodeCondition | undefined,
	pods: readonly Pod[],
	lookedAt: Instant,
): boolean | undefined {
	if (before) return before.status === 'True';
	if (ready?.status !== 'Unknown' || pods.length === 0) return undefined;
	if (pods.some(({readyChangedAt = 0}) => readyChangedAt >= ready.lastTransitionTime - second)) return true;
	// That pass may still have them before it.
	if (ready.lastTransitionTime > lookedAt - passMayLast - second) return undefined;
	return pods.some((pod) => pod.ready === 'True') ? false : undefined;
}

function taintedAt(
	node: Node,
	before: NodeEvidence | undefined,
	seen: Interval | undefined,
): Interval | undefined {
	const own = lifecycleTaint(node);
	if (!own) return undefined;
	const old = before && lifecycleTaint(before.node);
	// The same taint with another time was taken off and put back; one for its opposite is a swap.
	if (old && (old.key !== own.key || old.timeAdded === own.timeAdded)) return before.taintedAt;
	return reconciled(seen, own.timeAdded === undefined ? undefined : wholeSecond(own.timeAdded));
}

/** A node as a first look shows it, its kubelet's times by the API server's clock. */
export function redated(one: NodeEvidence, now: Instant): NodeEvidence {
	const {node, heartbeatAt, readyChangedAt} = one;
	return {
		...one,
		heartbeatAt: heartbeatAt && atFirstLook(heartbeatAt, one, now),
		readyChangedAt:
			readyChangedAt && isByKubelet(node) ? atFirstLook(readyChangedAt, one, now) : readyChangedAt,
	};
}

/** What a kubelet dated before its last renewals, it may have dated before its clock was set, by one that was right. */
function atFirstLook(dated: Interval, one: NodeEvidence, now: Instant): Interval {
	const corrected = byServerClock(dated, one, now);
	const {renewTime, renewedAt, renewInterval} = one;
	if (renewTime === undefined || !renewedAt || dated.hi + renewInterval >= renewTime) return corrected;
	// By a clock that was right, it cannot have come after the renewal.
	const hi = Math.max(corrected.hi, Math.min(now, renewedAt.hi, dated.hi));
	return {lo: Math.min(corrected.lo, dated.lo), hi};
}
