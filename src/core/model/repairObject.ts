import type {Duration, Instant} from '../time/instant.ts';
import type {ConditionStatus, NodeCondition} from './node.ts';
import type {LabelSelector} from './workloads/related.ts';

/** A node is unhealthy once a condition has had a status for so long. */
export type UnhealthyCondition = {
	readonly type: string;
	readonly status: ConditionStatus;
	readonly timeout: Duration;
};

/** A number of nodes, or a part of all of them: `2`, `40%`. */
export type IntOrPercent = number | string;

/** Karpenter's own object for a machine that it started. */
export type NodeClaim = {
	readonly kind: 'NodeClaim';
	readonly name: string;
	/** Empty until the machine has registered. */
	readonly nodeName: string;
	/** By it Karpenter finds the Node. Empty until the machine is started, and in recordings of before it was read. */
	readonly providerId: string;
	/** Empty for one that belongs to no NodePool. */
	readonly pool: string;
	/** The API group of its node class, which tells whose provider it is: `karpenter.k8s.aws`. */
	readonly provider: string;
	/** Present once its deletion was asked for. */
	readonly deletionTimestamp?: Instant;
};

/**
 * For what a Machine is repaired however its node is: its phase is Failed (OpenShift), an annotation asks for it, or its status
 * tells of a failure (Cluster API, the latter until v1.10).
 */
export type MachineFailure = 'phase' | 'annotation' | 'failureReason';

/** A Machine of OpenShift or of Cluster API. */
export type Machine = {
	readonly kind: 'Machine';
	/** `machine.openshift.io` or `cluster.x-k8s.io`. */
	readonly group: string;
	readonly namespace: string;
	readonly name: string;
	readonly nodeName: string;
	/** Empty where it does not say. */
	readonly providerId: string;
	readonly labels: Readonly<Record<string, string>>;
	/** Whether a set replaces it: others are not deleted. */
	readonly isControlled: boolean;
	/** Whether its annotations keep it from being repaired. */
	readonly isSkipped: boolean;
	/** Whether somebody was asked to repair it: it counts as unhealthy then. */
	readonly isBeingRepaired?: boolean;
	readonly failure?: MachineFailure;
	/** Read of Cluster API only. */
	readonly conditions?: readonly Pick<NodeCondition, 'type' | 'status' | 'lastTransitionTime'>[];
	readonly deletionTimestamp?: Instant;
};

/** A MachineHealthCheck of OpenShift or of Cluster API. */
export type MachineHealthCheck = {
	readonly kind: 'MachineHealthCheck';
	readonly group: string;
	readonly namespace: string;
	readonly name: string;
	/** Of Cluster API: the cluster whose machines it checks; empty elsewhere. */
	readonly cluster: string;
	/** Of labels of machines. */
	readonly selector: LabelSelector;
	readonly conditions: readonly UnhealthyCondition[];
	/** Of its machines themselves, which only Cluster API checks. */
	readonly machineConditions?: readonly UnhealthyCondition[];
	/** Above it, nothing is repaired. */
	readonly maxUnhealthy: IntOrPercent;
	/** As `[3-5]`: only then something is repaired; it takes the place of maxUnhealthy. */
	readonly unhealthyRange?: string;
	/** Whether somebody else repairs: a template's controller, or one that an annotation names. */
	readonly isExternal: boolean;
	readonly isPaused: boolean;
};

/** A NodeHealthCheck of medik8s. */
export type NodeHealthCheck = {
	readonly kind: 'NodeHealthCheck';
	readonly name: string;
	/** Of labels of nodes. */
	readonly selector: LabelSelector;
	readonly conditions: readonly UnhealthyCondition[];
	/** Below it, nothing is repaired. Absent where maxUnhealthy is given. */
	readonly minHealthy?: IntOrPercent;
	readonly maxUnhealthy?: IntOrPercent;
	/** What its template makes: `SelfNodeRemediationTemplate`; empty where it does not say. */
	readonly template: string;
	/** Whether somebody asked it to pause, or it disabled itself. */
	readonly isPaused: boolean;
};

/** An object that tells of a controller which deletes or replaces unhealthy nodes. */
export type RepairObject = NodeClaim | Machine | MachineHealthCheck | NodeHealthCheck;

/** What tells one of them from all others: its kind, its group where several have that kind, and its name. */
export function repairKey(one: RepairObject): string {
	const group = 'group' in one ? `.${one.group}` : '';
	const namespace = 'namespace' in one ? `${one.namespace}/` : '';
	return `${one.kind}${group} ${namespace}${one.name}`;
}
