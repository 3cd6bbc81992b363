import type {TextMap} from '../../text/textMap.ts';
import type {Duration, Instant} from '../time/instant.ts';
import type {ConditionStatus, NodeCondition} from './node.ts';
import type {ObjectName} from './objectName.ts';
import type {TaintIdentity} from './taint.ts';
import type {LabelSelector} from './workloads/related.ts';

/** A node is unhealthy once a condition has had a status for `timeout`. */
export type UnhealthyCondition = {
	readonly type: string;
	readonly status: ConditionStatus;
	readonly timeout: Duration;
};

/** A number of nodes, or a share of all of them: `2`, `40%`. */
export type IntOrPercent = number | string;

/** Karpenter's object for a machine that it started. */
export type NodeClaim = {
	readonly kind: 'NodeClaim';
	readonly name: string;
	/** Empty until the machine has registered. */
	readonly nodeName: string;
	/** Karpenter finds the Node by it. Empty until the machine is started, and in older recordings, which did not read it. */
	readonly providerId: string;
	/** Empty if it belongs to no NodePool. */
	readonly pool: string;
	/** The API group of its node class, which identifies the provider: `karpenter.k8s.aws`. */
	readonly provider: string;
	/** When Karpenter deletes it because of its age; absent if never. */
	readonly expiresAt?: Instant;
	/** Present once its deletion was requested. */
	readonly deletionTimestamp?: Instant;
};

/**
 * Why a Machine is repaired regardless of its node: its phase is Failed (OpenShift), an annotation requests it, or
 * its status has a failure reason (Cluster API, until v1.10).
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
	/** Empty if not reported. */
	readonly providerId: string;
	readonly labels: TextMap;
	/** Whether a set owns and replaces it; machines without one are not deleted. */
	readonly isControlled: boolean;
	/** Whether its annotations exclude it from repair. */
	readonly isSkipped: boolean;
	/** Whether its repair was requested already; it then counts as unhealthy. */
	readonly isBeingRepaired?: boolean;
	readonly failure?: MachineFailure;
	/** Cluster API only. */
	readonly conditions?: readonly Pick<NodeCondition, 'type' | 'status' | 'lastTransitionTime'>[];
	readonly deletionTimestamp?: Instant;
};

/** A MachineHealthCheck of OpenShift or of Cluster API. */
export type MachineHealthCheck = ObjectName & {
	readonly kind: 'MachineHealthCheck';
	readonly group: string;
	/** The cluster whose machines it checks (Cluster API only); empty otherwise. */
	readonly cluster: string;
	readonly selector: LabelSelector;
	readonly conditions: readonly UnhealthyCondition[];
	/** Conditions of the machines themselves, which only Cluster API checks. */
	readonly machineConditions?: readonly UnhealthyCondition[];
	/** If more machines are unhealthy, nothing is repaired. */
	readonly maxUnhealthy: IntOrPercent;
	/** As in `[3-5]`: repairs happen only within this range. Replaces maxUnhealthy. */
	readonly unhealthyRange?: string;
	/** Whether another controller repairs: that of a template, or one named by an annotation. */
	readonly isExternal: boolean;
	readonly isPaused: boolean;
};

/** A NodeHealthCheck of medik8s. */
export type NodeHealthCheck = {
	readonly kind: 'NodeHealthCheck';
	readonly name: string;
	readonly selector: LabelSelector;
	readonly conditions: readonly UnhealthyCondition[];
	/** If fewer nodes are healthy, nothing is repaired. Absent if maxUnhealthy is set. */
	readonly minHealthy?: IntOrPercent;
	readonly maxUnhealthy?: IntOrPercent;
	/** The kind of its template, as in `SelfNodeRemediationTemplate`; empty if not reported. */
	readonly template: string;
	/** Whether it was paused, or disabled itself. */
	readonly isPaused: boolean;
};

/** A rule by which the node readiness controller taints nodes that lack a condition. It deletes none. */
export type NodeReadinessRule = {
	readonly kind: 'NodeReadinessRule';
	readonly name: string;
	readonly taint: TaintIdentity;
	readonly selector: LabelSelector;
	/** What a node must have. */
	readonly conditions: readonly Pick<NodeCondition, 'type' | 'status'>[];
	readonly isDryRun: boolean;
};

/** Somebody's wish that a pod be evicted (KEP-4563, since v1.37). */
export type EvictionRequest = ObjectName & {
	readonly kind: 'EvictionRequest';
	readonly podUid: string;
	/** As in `acme.io/foo`. */
	readonly requester: string;
	/** Whether it is neither withdrawn nor over. */
	readonly isOpen: boolean;
};

/** An object that belongs to a controller which deletes, replaces or taints unhealthy nodes, or asks for the eviction of a pod. */
export type RepairObject =
	| NodeClaim
	| Machine
	| MachineHealthCheck
	| NodeHealthCheck
	| NodeReadinessRule
	| EvictionRequest;

/** A unique key: the kind, the group if several have that kind, and the name. */
export function repairKey(one: RepairObject): string {
	const group = 'group' in one ? `.${one.group}` : '';
	const namespace = 'namespace' in one ? `${one.namespace}/` : '';
	return `${one.kind}${group} ${namespace}${one.name}`;
}
