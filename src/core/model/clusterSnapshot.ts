import type {Instant} from '../time/instant.ts';
import type {ClusterEvent} from './clusterEvent.ts';
import type {DeviceObject} from './device.ts';
import type {Lease} from './lease.ts';
import type {Node} from './node.ts';
import type {Pod} from './pod.ts';
import type {Problem} from './problem.ts';
import type {Related} from './workloads/related.ts';

/** All that was seen of a cluster at one instant. */
export type ClusterSnapshot = {
	readonly observedAt: Instant;
	/** Where it comes from: a live API server or a file. */
	readonly source: 'cluster' | 'file';
	/** As in `/version`: v1.36.3. Absent where it could not be read. */
	readonly kubernetesVersion?: string;
	/** Empty where they may not be read, which is a problem then. */
	readonly nodes: readonly Node[];
	/** Leases of kube-node-lease, and the controller manager's own. Undefined where they may not be read. */
	readonly leases: readonly Lease[] | undefined;
	/** The controller manager's own lease, where it may be read even if the others may not. */
	readonly leaderLease?: Lease;
	readonly pods: readonly Pod[];
	/** What evicts pods for their devices; absent where there is none, or it may not be read. */
	readonly deviceObjects?: readonly DeviceObject[] | undefined;
	/** What the controllers reported. Absent where it may not be read. */
	readonly events?: readonly ClusterEvent[] | undefined;
	/** What belongs to the pods, where it was read with them, as from a file. */
	readonly related?: Related | undefined;
	readonly problems: readonly Problem[];
};
