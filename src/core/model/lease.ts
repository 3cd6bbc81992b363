import type {Duration, Instant} from '../time/instant.ts';
import type {FieldWrite} from './fieldWrite.ts';

/** What is needed of a coordination/v1 Lease: a kubelet's heartbeat, or a controller's leader election record. */
export type Lease = {
	readonly namespace: string;
	readonly name: string;
	readonly holderIdentity?: string;
	readonly leaseDuration?: Duration;
	readonly acquireTime?: Instant;
	/** By the clock of the holder, which may differ from the API server's by minutes. */
	readonly renewTime?: Instant;
	readonly leaseTransitions?: number;
	/** Where the holder's clock is known to be wrong, and nothing else dates the renewal: when it can have been. */
	readonly renewedBetween?: {readonly lo: Instant; readonly hi: Instant};
	/** Who renewed the lease, and when by the API server's clock. */
	readonly writes?: readonly FieldWrite[];
	/** When somebody else wrote it since, without renewing it: a label, an annotation. */
	readonly touchedAt?: Instant;
};

export const nodeLeaseNamespace = 'kube-node-lease';
export const controllerManagerLease = {namespace: 'kube-system', name: 'kube-controller-manager'} as const;

/** Whether another process has taken the lease, or the same one anew: what is not known from before is no change. */
export const hasNewLeader = (before: Lease | undefined, lease: Lease): before is Lease =>
	before !== undefined && before.acquireTime !== lease.acquireTime;

export const isControllerManagerLease = (lease: Lease): boolean =>
	lease.namespace === controllerManagerLease.namespace && lease.name === controllerManagerLease.name;
