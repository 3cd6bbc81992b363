import type {Instant} from '../time/instant.ts';
import type {ClusterEvent} from './clusterEvent.ts';
import type {ControlPlane} from './controlPlane.ts';
import type {DeviceObject} from './device.ts';
import type {Lease} from './lease.ts';
import type {Node} from './node.ts';
import type {SinkEntry} from './observation.ts';
import type {Pod} from './pod.ts';
import type {Problem} from './problem.ts';
import type {RepairObject} from './repairObject.ts';
import type {Related} from './workloads/related.ts';

/** Everything observed of a cluster at one instant. */
export type ClusterSnapshot = Readonly<{
	observedAt: Instant;
	/** A live API server, or a file. */
	source: 'cluster' | 'file';
	/** From `/version`, or what a file shows of it, as in `v1.36.3`. Absent if it is not known. */
	kubernetesVersion?: string | undefined;
	/** Whether the control plane may be newer than that, as only the kubelets' releases are known. */
	isLeastVersion?: boolean | undefined;
	/** Empty if they may not be read; `problems` then says so. */
	nodes: readonly Node[];
	/** The names of nodes that are there, but are not among those. */
	unseenNodes?: readonly string[] | undefined;
	/** Leases of kube-node-lease, and the controller manager's own. Undefined if they may not be read. */
	leases: readonly Lease[] | undefined;
	/** The controller manager's own lease, if it could be read even though the others could not. */
	leaderLease?: Lease | undefined;
	pods: readonly Pod[];
	/** Objects that decide evictions because of device taints; absent if there are none, or they may not be read. */
	deviceObjects?: readonly DeviceObject[] | undefined;
	/** The controllers' events. Absent if they may not be read. */
	events?: readonly ClusterEvent[] | undefined;
	/** Objects that show who repairs nodes. Absent if they were not read. */
	repair?: readonly RepairObject[] | undefined;
	/** Owners, budgets, services and volumes of the pods, if they were read together with them, as from a file. */
	related?: Related | undefined;
	/** What static pods show of the control plane, if they were read together with the rest, as from a file. */
	controlPlane?: ControlPlane | undefined;
	/** What is read together with the rest of nodes under pressure and of their kubelets, as from a file. */
	pressure?: readonly Extract<SinkEntry, {type: 'pressure'}>['news'][] | undefined;
	problems: readonly Problem[];
}>;
