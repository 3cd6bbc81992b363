import {type Duration, second} from '../../../core/time/instant.ts';

/** How long a lease of a kubelet lasts where nothing else is seen. */
export const defaultLeaseDuration: Duration = 40 * second;

/**
 * A kubelet renews its lease each quarter of its duration.
 *
 * @upstream kubernetes v1.36.3 pkg/kubelet/kubelet.go nodeLeaseRenewIntervalFraction
 */
export const renewFraction = 0.25;

/** Nobody can renew more often and be told from one who does not. */
const shortest: Duration = second;

/** How often a kubelet renews its lease, by the duration that it asks for there. */
export const renewIntervalOf = (leaseDuration: Duration = defaultLeaseDuration): Duration =>
	Math.max(shortest, leaseDuration * renewFraction);

/** How much later than that a renewal comes at most: kubelets spread theirs by up to 4 %, and 1 % is margin. */
export const jitterOf = (renewInterval: Duration): Duration => renewInterval / 20;
