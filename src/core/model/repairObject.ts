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
export type NodeClaim = Readonly<{
	kind: 'NodeClaim';
	name: string;
	/** Empty until the machine has registered. */
	nodeName: string;
	/** Karpenter finds the Node by it. Empty until the machine is started, and in older recordings, which did not read it. */
	providerId: string;
	/** Empty if it belongs to no NodePool. */
	pool: string;
	/** The API group of its node class, which identifies the provider: `karpenter.k8s.aws`. */
	provider: string;
	/** When Karpenter deletes it because of its age; absent if never. */
	expiresAt?: Instant | undefined;
	/** Present once its deletion was requested. */
	deletionTimestamp?: Instant | undefined;
}>;

/**
 * Why a Machine is repaired regardless of its node: its phase is Failed (OpenShift), an annotation requests it, or
 * its status has a failure reason (Cluster API, until v1.10).
 */
export type MachineFailure = 'phase' | 'annotation' | 'failureReason';

/** A Machine of OpenShift or of Cluster API. */
export type Machine = Readonly<{
	kind: 'Machine';
	/** `machine.openshift.io` or `cluster.x-k8s.io`. */
	group: string;
	namespace: string;
	name: string;
	nodeName: string;
	/** Empty if not reported. */
	providerId: string;
	labels: TextMap;
	/** Whether a set owns and replaces it; machines without one are not deleted. */
	isControlled: boolean;
	/** Whether its annotations exclude it from repair. */
	isSkipped: boolean;
	/** Whether its repair was requested already; it then counts as unhealthy. */
	isBeingRepaired?: boolean | undefined;
	failure?: MachineFailure | undefined;
	/** Cluster API only. */
	conditions?: readonly Pick<NodeCondition, 'type' | 'status' | 'lastTransitionTime'>[] | undefined;
	deletionTimestamp?: Instant | undefined;
}>;

/** A MachineHealthCheck of OpenShift or of Cluster API. */
export type MachineHealthCheck = ObjectName &
	Readonly<{
		kind: 'MachineHealthCheck';
		group: string;
		/** The cluster whose machines it checks (Cluster API only); empty otherwise. */
		cluster: string;
		selector: LabelSelector;
		conditions: readonly UnhealthyCondition[];
		/** Conditions of the machines themselves, which only Cluster API checks. */
		machineConditions?: readonly UnhealthyCondition[] | undefined;
		/** If more machines are unhealthy, nothing is repaired. */
		maxUnhealthy: IntOrPercent;
		/** As in `[3-5]`: repairs happen only within this range. Replaces maxUnhealthy. */
		unhealthyRange?: string | undefined;
		/** Whether another controller repairs: that of a template, or one named by an annotation. */
		isExternal: boolean;
		isPaused: boolean;
	}>;

/** A NodeHealthCheck of medik8s. */
export type NodeHealthCheck = Readonly<{
	kind: 'NodeHealthCheck';
	name: string;
	selector: LabelSelector;
	conditions: readonly UnhealthyCondition[];
	/** If fewer nodes are healthy, nothing is repaired. Absent if maxUnhealthy is set. */
	minHealthy?: IntOrPercent | undefined;
	maxUnhealthy?: IntOrPercent | undefined;
	/** The kind of its template, as in `SelfNodeRemediationTemplate`; empty if not reported. */
	template: string;
	/** Whether it was paused, or disabled itself. */
	isPaused: boolean;
}>;

/** A rule by which the node readiness controller taints nodes that lack a condition. It deletes none. */
export type NodeReadinessRule = Readonly<{
	kind: 'NodeReadinessRule';
	name: string;
	taint: TaintIdentity;
	selector: LabelSelector;
	/** What a node must have. */
	conditions: readonly Pick<NodeCondition, 'type' | 'status'>[];
	isDryRun: boolean;
}>;

/** Somebody's wish that a pod be evicted (KEP-4563, since v1.37). */
export type EvictionRequest = ObjectName &
	Readonly<{
		kind: 'EvictionRequest';
		podUid: string;
		/** As in `acme.io/foo`. */
		requester: string;
		/** Whether it is neither withdrawn nor over. */
		isOpen: boolean;
	}>;

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
