import type {Lease} from '../../../core/model/lease.ts';
import {isUnknownNode} from '../../../core/model/node.ts';
import {type Duration, type Instant, second} from '../../../core/time/instant.ts';
import {type Interval, reconciled, wholeSecond} from '../interval.ts';
import {longestPassPeriods} from '../latencies.ts';
import {cameLate, clockSkew, type LeaseRenewal} from './kubeletClock.ts';
import type {NodeEvidence} from './nodeEvidence.ts';
import {renewIntervalOf, slowestWith} from './renewInterval.ts';

/**
 * Adds what a lease renewal proves: the kubelet was alive in `renewedAt`. A lease that changes without its `renewTime` proves no
 * life: somebody else may have written it. `nodeLiveness.ts` decides when a node counts as silent.
 *
 * @param seen when the change happened; undefined at a first look, where only the lease's own times are known
 * @param controllers that read the lease
 */
export function withRenewal(
	known: NodeEvidence,
	lease: Lease,
	seen: Interval | undefined,
	controllers: Controllers,
): NodeEvidence {
	const {renewTime, leaseDuration, renewedBetween, touchedAt} = lease;
	const leaseTouchedAt = touchedAt === undefined ? undefined : wholeSecond(touchedAt);
	if (known.renewTime === renewTime)
		return {
			...known,
			...hasLease,
			leaseTouchedAt: known.leaseTouchedAt?.lo === touchedAt ? known.leaseTouchedAt : leaseTouchedAt,
		};
	const ownTime = renewalTimeOf(lease);
	const one = {renewTime, renewedAt: reconciled(seen, ownTime)};
	if (seen && isIgnored(known, one, seen, controllers)) return {...known, ...hasLease, ignored: one};
	const renewInterval = renewIntervalOf(leaseDuration);
	const isDelayed = seen !== undefined && cameLate(known, one);
	const isUndated = !seen && latestWrite(lease) === undefined;
	// A renewal that the API server delayed does not show the kubelet's interval.
	const before = seen && !isDelayed ? known.renewedAt : undefined;
	const sinceBefore = one.renewedAt && before ? one.renewedAt.hi - before.hi : 0;
	return {
		...known,
		...hasLease,
		...one,
		leaseTouchedAt,
		isDelayed,
		ignored: undefined,
		renewInterval,
		slowestRenewal: slowestWith(known.slowestRenewal, sinceBefore, renewInterval),
		isUndated,
		hasWrongClock: isUndated && renewedBetween !== undefined,
	};
}

const hasLease = {leaseDeletedAt: undefined, isLeaseMissing: undefined};

/** When a node's lease was last renewed: by the kubelet's own time, which is the most exact, unless its clock is wrong. */
export function lastRenewal(one: LeaseRenewal): Instant | undefined {
	return clockSkew(one) === 0 ? one.renewTime : one.renewedAt?.lo;
}

/** How long a renewal takes to arrive, if only the kubelet's clock dates it. */
const renewalDelivery: Duration = second / 10;

/** The latest write of a lease in its managedFields, by the API server's clock. */
const latestWrite = ({writes}: Lease) => writes?.toSorted((a, b) => b.time - a.time)[0];

/** When the API server received a renewal, by the lease alone: by managedFields first, then by the kubelet's clock. */
function renewalTimeOf(lease: Lease): Interval | undefined {
	const {renewTime, renewedBetween} = lease;
	const latest = latestWrite(lease);
	if (latest) return {lo: latest.time, hi: latest.time + second};
	if (renewedBetween) return renewedBetween;
	return renewTime === undefined ? undefined : {lo: renewTime, hi: renewTime + renewalDelivery};
}

/** Decides whether the controllers have seen a renewal: since when they run, and how often they read leases. */
export type Controllers = {readonly since: Instant; readonly nodeMonitorPeriod: Duration};

/**
 * Whether the controllers ignore a renewal: a kubelet whose clock was set back writes an earlier `renewTime` than they
 * remember. A status heartbeat makes them forget the later one.
 */
function isIgnored(
	{node, renewTime, renewedAt, heartbeatAt}: NodeEvidence,
	one: LeaseRenewal,
	seen: Interval,
	{since, nodeMonitorPeriod}: Controllers,
) {
	if (renewTime === undefined || one.renewTime === undefined || !renewedAt || isUnknownNode(node))
		return false;
	const isRemembered =
		renewedAt.lo > since && seen.lo - renewedAt.hi > longestPassPeriods * nodeMonitorPeriod;
	const isForgotten = heartbeatAt !== undefined && heartbeatAt.hi > renewedAt.lo;
	return one.renewTime < renewTime && isRemembered && !isForgotten;
}
