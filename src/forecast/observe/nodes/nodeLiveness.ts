import type {ControllerSettings} from '../../../core/model/controllerSettings.ts';
import {isReadyNode, nodeCondition} from '../../../core/model/node.ts';
import {noExecuteTaints} from '../../../core/tainteviction/taintEvictionController.ts';
import {type Duration, type Instant, second} from '../../../core/time/instant.ts';
import type {Interval} from '../interval.ts';
import type {NodeEvidence} from './nodeEvidence.ts';
import {jitterOf} from './renewInterval.ts';
import {isRegular} from './statusHeartbeats.ts';

/** How long a return may matter: a bucket at the slowest usual rate takes so long to fill. */
const returnsMatter: Duration = 150 * second;

/**
 * Without taints a return matters longer: when the last zone comes back, every node's time begins anew.
 */
export const returnsMatterFor = ({
	taintBasedEvictions,
	podEvictionTimeout,
	nodeMonitorPeriod,
}: Pick<ControllerSettings, 'taintBasedEvictions' | 'podEvictionTimeout' | 'nodeMonitorPeriod'>): Duration =>
	taintBasedEvictions ? returnsMatter : Math.max(returnsMatter, podEvictionTimeout + 3 * nodeMonitorPeriod);

/**
 * Whether a node shows no sign of life for two renew intervals. Without a lease its status heartbeat counts, and how
 * often it was seen to come.
 *
 * Where no leases can be seen at all, the controller may see them: a node is alive while it does not say otherwise, but
 * for one that was seen to post as those without a lease do.
 */
export function isSilent(one: NodeEvidence, now: Instant): boolean {
	const {node, renewedAt, heartbeatAt, heartbeats, isLeaseHidden, hasWrongClock, renewInterval} = one;
	if (isLeaseHidden && !isRegular(heartbeats)) {
		const status = nodeCondition(node, 'Ready')?.status;
		return status !== 'True' && status !== 'False';
	}
	const last = renewedAt ?? heartbeatAt;
	const interval = renewedAt ? renewInterval : heartbeats.interval.lo;
	return last === undefined || now - (hasWrongClock ? last.lo : last.hi) >= 2 * interval;
}

/**
 * Whether a silent node may be alive as well: its clock is wrong, and its last renewal may be a moment ago; or it keeps
 * no lease, and may post less often than usual; or its lease may be hidden.
 */
export function mayLive(one: NodeEvidence, now: Instant): boolean {
	if (!isSilent(one, now)) return false;
	if (one.hasWrongClock) return !isSilent({...one, hasWrongClock: false}, now);
	const {renewedAt, heartbeatAt, heartbeats, isLeaseHidden, node} = one;
	if (renewedAt || !heartbeatAt || !isReadyNode(node)) return false;
	return isLeaseHidden || now - heartbeatAt.hi < 2 * heartbeats.interval.hi;
}

/** Whether a node is silent, and no pass has turned it Unknown yet. */
export const isSilentAndReady = (one: NodeEvidence, now: Instant): boolean =>
	isReadyNode(one.node) && isSilent(one, now);

/**
 * Whether a renewal is missing, which is too early to call the node silent: those that fall silent together do not
 * show it together.
 */
export function isLate(one: NodeEvidence, now: Instant): boolean {
	const {renewedAt, heartbeatAt, renewInterval, heartbeats, isLeaseHidden} = one;
	if (isSilent(one, now)) return false;
	if (renewedAt) return now - renewedAt.hi > renewInterval + jitterOf(renewInterval);
	if (!heartbeatAt || (isLeaseHidden && !isRegular(heartbeats))) return false;
	return now - heartbeatAt.hi > heartbeats.interval.lo + jitterOf(heartbeats.interval.lo);
}

/** Whether something is wrong with a node now: its pods may go for it. */
export function isInTrouble(one: NodeEvidence, now: Instant): boolean {
	const isReady = isReadyNode(one.node);
	return !isReady || noExecuteTaints(one.node).length > 0 || isSilent(one, now);
}

/**
 * Whether anything is wrong with a node, or may soon be.
 *
 * @param remembered for how long it matters that it was not ready
 */
export const isAffected = (one: NodeEvidence, now: Instant, remembered = returnsMatter): boolean =>
	isInTrouble(one, now) || isLate(one, now) || returnedAt(one, now, remembered) !== undefined;

/** When a node that is ready became so, where that is not long ago. */
export function returnedAt(
	{node, readyChangedAt}: NodeEvidence,
	now: Instant,
	remembered: Duration,
): Interval | undefined {
	const isReady = isReadyNode(node);
	return isReady && readyChangedAt && readyChangedAt.hi > now - remembered ? readyChangedAt : undefined;
}
