import type {Duration, Instant} from '../time/instant.ts';
import type {FieldWrite} from './fieldWrite.ts';
import type {ObjectName} from './objectName.ts';

/** The fields needed of a coordination/v1 Lease: a kubelet's heartbeat, or a controller's leader election record. */
export type Lease = ObjectName &
	Readonly<{
		holderIdentity?: string | undefined;
		leaseDuration?: Duration | undefined;
		acquireTime?: Instant | undefined;
		/** By the holder's clock, which may differ from the API server's by minutes. */
		renewTime?: Instant | undefined;
		leaseTransitions?: number | undefined;
		/** When the lease can have been renewed, if the holder's clock is known to be wrong and nothing else dates the renewal. */
		renewedBetween?: {readonly lo: Instant; readonly hi: Instant};
		/** Who renewed the lease, and when, by the API server's clock. */
		writes?: readonly FieldWrite[] | undefined;
		/** When the lease was last written without a renewal, for example a label or an annotation. */
		touchedAt?: Instant | undefined;
	}>;

export const nodeLeaseNamespace = 'kube-node-lease';
export const controllerManagerLease = {namespace: 'kube-system', name: 'kube-controller-manager'} as const;

/** Whether another process, or the same one again, has acquired the lease. Without a known earlier state, it has not. */
export const hasNewLeader = (before: Lease | undefined, lease: Lease): before is Lease =>
	before !== undefined && before.acquireTime !== lease.acquireTime;

export const isControllerManagerLease = (lease: Lease) =>
	lease.namespace === controllerManagerLease.namespace && lease.name === controllerManagerLease.name;
