import {type Duration, second} from '../../../core/time/instant.ts';

/** The duration of a kubelet's lease, if none is seen. */
export const defaultNodeLeaseDuration: Duration = 40 * second;

/**
 * A kubelet renews its lease each quarter of its duration.
 *
 * @upstream kubernetes v1.36.3 pkg/kubelet/kubelet.go nodeLeaseRenewIntervalFraction
 */
export const renewFraction = 0.25;

/** Shorter intervals cannot be distinguished. */
const shortest: Duration = second;

/** How often a kubelet renews its lease, by the lease's duration. */
export const renewIntervalOf = (leaseDuration: Duration = defaultNodeLeaseDuration): Duration =>
	Math.max(shortest, leaseDuration * renewFraction);

/** How late a renewal may come: kubelets add a jitter of up to 4 %; 1 % is margin. */
export const jitterOf = (renewInterval: Duration): Duration => renewInterval / 20;

/** After this many renewals, an hour of them, the excess of a slow one counts half. */
const renewalsToHalve = 360;

/** How much later than the slowest one before a renewal may arrive. */
const delivery: Duration = second / 4;
/** A node with varying renewals is given this many times the excess of its slowest one over the interval. */
const leeway = 1.5;

/** How long a renewal may take before it is overdue. @param slowest of the node's renewals; 0 if none was seen */
export const usualRenewal = (renewInterval: Duration, slowest: Duration): Duration =>
	Math.max(
		renewInterval + jitterOf(renewInterval),
		slowest + delivery,
		renewInterval + leeway * (slowest - renewInterval),
	);

/** Updates the slowest renewal of a node with another one. A renewal that an outage held up shows no interval. */
export function slowestWith(slowest: Duration, interval: Duration, renewInterval: Duration): Duration {
	const kept = slowest - Math.max(0, slowest - renewInterval) * (1 - 0.5 ** (1 / renewalsToHalve));
	return interval < 2 * renewInterval ? Math.max(interval, kept) : kept;
}
