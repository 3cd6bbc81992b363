import type {Instant} from '../time/instant.ts';
import type {FieldWrite} from './fieldWrite.ts';
import type {Taint} from './taint.ts';
import type {Allocatable} from './workloads/resources.ts';

export type ConditionStatus = 'True' | 'False' | 'Unknown';

export type NodeCondition = {
	readonly type: string;
	readonly status: ConditionStatus;
	readonly lastHeartbeatTime: Instant;
	readonly lastTransitionTime: Instant;
	readonly reason?: string;
	/** Kept only where the kubelet announces that its node shuts down (`shutdownMessage`). */
	readonly message?: string;
};

/** What the controllers and the forecast need of a core/v1 Node. */
export type Node = {
	readonly name: string;
	readonly uid: string;
	readonly createdAt: Instant;
	readonly labels: Readonly<Record<string, string>>;
	readonly unschedulable: boolean;
	readonly taints: readonly Taint[];
	readonly conditions: readonly NodeCondition[];
	/** The cloud's name for its machine, as in `aws:///eu-west-1a/i-0123`; absent where it has none. */
	readonly providerId?: string;
	/** The release of its kubelet, as in `v1.36.3`; absent where it does not say. */
	readonly kubeletVersion?: string;
	/** What its pods may ask for together; absent where it does not say. */
	readonly allocatable?: Allocatable;
	/** Who last wrote spec.taints, and when, as far as managedFields tell. */
	readonly taintWrites?: readonly FieldWrite[];
};

/**
 * Finds a condition by type; undefined where the node has none.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/util/node/controller_utils.go GetNodeCondition
 */
export function nodeCondition(node: Pick<Node, 'conditions'>, type: string): NodeCondition | undefined {
	// A loop: every pass asks this of every node.
	for (const condition of node.conditions) if (condition.type === type) return condition;
	return undefined;
}

/** What a node says of being ready; undefined where it says nothing. */
export const readyStatus = (node: Pick<Node, 'conditions'>): ConditionStatus | undefined =>
	nodeCondition(node, 'Ready')?.status;

/** Whether a node says that it is ready. */
export const isReadyNode = (node: Pick<Node, 'conditions'>): boolean => readyStatus(node) === 'True';

/** Today's role, that of before v1.20, and that of Rancher. */
const controlPlaneRoles = ['control-plane', 'master', 'controlplane'];

/** Whether a node is one of the control plane, by the label of its role. */
export const isControlPlaneNode = ({labels}: Pick<Node, 'labels'>): boolean =>
	controlPlaneRoles.some((role) => Object.hasOwn(labels, `node-role.kubernetes.io/${role}`));

/** Whether the controller turned a node Unknown, since its kubelet fell silent. */
export const isUnknownNode = (node: Pick<Node, 'conditions'>): boolean => readyStatus(node) === 'Unknown';
