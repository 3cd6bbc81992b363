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
	/** Who wrote the lease, and when by the API server's clock. */
	readonly writes?: readonly FieldWrite[];
};

export const nodeLeaseNamespace = 'kube-node-lease';
export const controllerManagerLease = {namespace: 'kube-system', name: 'kube-controller-manager'} as const;

export const isControllerManagerLease = (lease: Lease): boolean =>
	lease.namespace === controllerManagerLease.namespace && lease.name === controllerManagerLease.name;
