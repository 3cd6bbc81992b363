import type {ControllerSettings} from '../../../core/model/controllerSettings.ts';
import {isReadyNode, isUnknownNode, readyStatus} from '../../../core/model/node.ts';
import {noExecuteTaints} from '../../../core/tainteviction/taintEvictionController.ts';
import {type Duration, type Instant, minute, second} from '../../../core/time/instant.ts';
import type {Interval} from '../interval.ts';
import type {NodeEvidence} from './nodeEvidence.ts';
import {jitterOf, usualRenewal} from './renewInterval.ts';
import {isRegular} from './statusHeartbeats.ts';

/** A node's return matters this long: a token bucket at the slowest usual rate takes this long to fill. */
const returnsMatter: Duration = 150 * second;

/** How long a node's return matters: longer without taints, as every timeout restarts when all zones were down and one is back. */
export const returnsMatterFor = ({
	taintBasedEvictions,
	podEvictionTimeout,
	nodeMonitorPeriod,
}: ControllerSettings): Duration =>
	taintBasedEvictions ? returnsMatter : Math.max(returnsMatter, podEvictionTimeout + 3 * nodeMonitorPeriod);

/** Whether its lease cannot be read here, and nothing else tells in time that its kubelet lives. */
export const isUnheard = ({isLeaseHidden, heartbeats}: NodeEvidence) =>
	isLeaseHidden && !isRegular(heartbeats);

/**
 * Whether a node gave no sign of life for two renew intervals. Without a lease, its status heartbeat counts, at the interval
 * that was seen.
 *
 * If leases cannot be read here, the controller still reads them. Then a node counts as alive unless its Ready condition is
 * Unknown, or it was seen to post its status as often as a node without a lease.
 */
export function isSilent(one: NodeEvidence, now: Instant) {
	const {node, renewedAt, heartbeatAt, heartbeats, hasWrongClock, renewInterval} = one;
	if (isUnheard(one)) {
		const status = readyStatus(node);
		return status !== 'True' && status !== 'False';
	}
	const last = renewedAt ?? heartbeatAt;
	const interval = renewedAt ? renewInterval : heartbeats.interval.lo;
	return last === undefined || now - (hasWrongClock ? last.lo : last.hi) >= 2 * interval;
}

/** A status that came this much later than the last renewal shows that a clock was set back. */
const setBack: Duration = 2 * minute;

/**
 * Whether a silent node may yet be alive: its clock is wrong and its last renewal may be recent, or it has no lease and may
 * post less often than usual, or its lease may be hidden, or it posted long after its last renewal: a clock was set back, and
 * nothing else dates its renewals.
 */
export function mayLive(one: NodeEvidence, now: Instant) {
	if (!isSilent(one, now)) return false;
	if (one.hasWrongClock) return !isSilent({...one, hasWrongClock: false}, now);
	const {renewedAt, heartbeatAt, heartbeats, isLeaseHidden, node} = one;
	if (!heartbeatAt || !isReadyNode(node)) return false;
	if (renewedAt) return one.isUndated && heartbeatAt.lo - renewedAt.hi >= setBack;
	return isLeaseHidden || now - heartbeatAt.hi < 2 * heartbeats.interval.hi;
}

/**
 * Whether the kubelet of an Unknown node renews its lease again, and has not posted its status yet. It does so soon: it looks every
 * ten seconds, and posts what has changed. Whether it is ready then is not known.
 *
 * @upstream kubernetes v1.36.3 pkg/kubelet/kubelet_node_status.go tryUpdateNodeStatus
 */
export const isBackUnposted = (one: NodeEvidence, now: Instant) => {
	const {node, renewedAt, readyChangedAt, hasWrongClock} = one;
	if (!isUnknownNode(node) || !renewedAt || !readyChangedAt || hasWrongClock) return false;
	return renewedAt.lo > readyChangedAt.hi && !isSilent(one, now);
};

/** Whether a node is Ready and gives signs of life. */
export const isReadyAndAlive = (one: NodeEvidence, now: Instant) =>
	isReadyNode(one.node) && !isSilent(one, now);

/** Whether a node is silent, but still Ready: no pass has turned it Unknown yet. */
export const isSilentAndReady = (one: NodeEvidence, now: Instant) =>
	isReadyNode(one.node) && isSilent(one, now);

/**
 * Whether a renewal is overdue, though not long enough to call the node silent: nodes that fail together miss their renewals
 * at different times. A node with slower renewals is given their time. A node that lost its lease is late as well, unless it
 * is new or posts its status regularly: a living kubelet writes the lease again.
 */
export function isLate(one: NodeEvidence, now: Instant) {
	const {node, renewedAt, heartbeatAt, renewInterval, slowestRenewal, heartbeats} = one;
	if (isSilent(one, now)) return false;
	if (renewedAt) return now - renewedAt.hi > usualRenewal(renewInterval, slowestRenewal);
	if (!heartbeatAt || isUnheard(one)) return false;
	if (one.isLeaseMissing && !isRegular(heartbeats) && now - node.createdAt > renewInterval) return true;
	return now - heartbeatAt.hi > heartbeats.interval.lo + jitterOf(heartbeats.interval.lo);
}

/** Whether a node is only late: Ready, without a NoExecute taint, with an overdue renewal. */
export const isOnlyLate = (one: NodeEvidence, now: Instant) =>
	isReadyNode(one.node) && noExecuteTaints(one.node).length === 0 && isLate(one, now);

/** Whether a node has a problem now that may evict its pods. */
export function isInTrouble(one: NodeEvidence, now: Instant) {
	const isReady = isReadyNode(one.node);
	return !isReady || noExecuteTaints(one.node).length > 0 || isSilent(one, now);
}

/**
 * Whether something is wrong with a node, or may soon be.
 *
 * @param remembered how long its return to Ready matters
 */
export const isAffected = (one: NodeEvidence, now: Instant, remembered: Duration) =>
	isInTrouble(one, now) || isLate(one, now) || returnedAt(one, now, remembered) !== undefined;

/** When a ready node became ready, if that was recent. */
export function returnedAt(
	{node, readyChangedAt}: NodeEvidence,
	now: Instant,
	remembered: Duration,
): Interval | undefined {
	const isReady = isReadyNode(node);
	return isReady && readyChangedAt && readyChangedAt.hi > now - remembered ? readyChangedAt : undefined;
}
