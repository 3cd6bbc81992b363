import type {Lease} from '../../../core/model/lease.ts';
import {type Duration, second} from '../../../core/time/instant.ts';
import {type Interval, reconciled} from '../interval.ts';
import type {NodeEvidence} from './nodeEvidence.ts';
import {renewIntervalOf} from './renewInterval.ts';

/** How far a kubelet's clock is trusted where nothing else tells when its renewal arrived. */
const trustedClock: Duration = second / 10;

/** When the API server took a renewal, by the lease alone: by the API server's clock first, then by the kubelet's. */
function renewalTimeOf({renewTime, writes, renewedBetween}: Lease): Interval | undefined {
	const latest = writes?.toSorted((a, b) => b.time - a.time)[0];
	if (latest) return {lo: latest.time, hi: latest.time + second};
	if (renewedBetween) return renewedBetween;
	return renewTime === undefined ? undefined : {lo: renewTime, hi: renewTime + trustedClock};
}

/**
 * What the renewal of a node's lease proves: its kubelet was alive in `renewedAt`. A lease with the `renewTime` that is known
 * already proves nothing new. When a node counts as silent follows in `nodeLiveness.ts`.
 *
 * @param seen when the change happened; undefined at a first look, which has to go by the lease's own times
 */
export function withRenewal(known: NodeEvidence, lease: Lease, seen: Interval | undefined): NodeEvidence {
	const {renewTime, leaseDuration, renewedBetween} = lease;
	if (known.renewTime === renewTime) return known;
	const told = renewalTimeOf(lease);
	return {
		...known,
		renewTime,
		renewedAt: reconciled(seen, told),
		renewInterval: renewIntervalOf(leaseDuration),
		hasWrongClock: !seen && told !== undefined && told === renewedBetween,
	};
}
