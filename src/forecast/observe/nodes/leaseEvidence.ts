import type {Lease} from '../../../core/model/lease.ts';
import {type Duration, second} from '../../../core/time/instant.ts';
import {type Interval, reconciled} from '../interval.ts';
import type {NodeEvidence} from './nodeEvidence.ts';
import {renewIntervalOf, slowestWith} from './renewInterval.ts';

/** How long a renewal takes to arrive, where only the kubelet's clock dates it. */
const trustedClock: Duration = second / 10;

/** When the API server took a renewal, by the lease alone: by managedFields first, then by the kubelet's clock. */
function renewalTimeOf({renewTime, writes, renewedBetween}: Lease): Interval | undefined {
	const latest = writes?.toSorted((a, b) => b.time - a.time)[0];
	if (latest) return {lo: latest.time, hi: latest.time + second};
	if (renewedBetween) return renewedBetween;
	return renewTime === undefined ? undefined : {lo: renewTime, hi: renewTime + trustedClock};
}

/**
 * Adds what a lease renewal proves: the kubelet was alive in `renewedAt`. A lease whose `renewTime` is known proves nothing
 * new. `nodeLiveness.ts` decides when a node counts as silent.
 *
 * @param seen when the change happened; undefined at a first look, where only the lease's own times are known
 */
export function withRenewal(known: NodeEvidence, lease: Lease, seen: Interval | undefined): NodeEvidence {
	const {renewTime, leaseDuration, renewedBetween} = lease;
	if (known.renewTime === renewTime) return known;
	const told = renewalTimeOf(lease);
	const renewedAt = reconciled(seen, told);
	const renewInterval = renewIntervalOf(leaseDuration);
	const gap = seen && renewedAt && known.renewedAt ? renewedAt.hi - known.renewedAt.hi : 0;
	return {
		...known,
		renewTime,
		renewedAt,
		renewInterval,
		slowestRenewal: slowestWith(known.slowestRenewal, gap, renewInterval),
		hasWrongClock: !seen && told !== undefined && told === renewedBetween,
	};
}
