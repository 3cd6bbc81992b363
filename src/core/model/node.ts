import type {TextMap} from '../../text/textMap.ts';
import type {Instant} from '../time/instant.ts';
import type {FieldWrite} from './fieldWrite.ts';
import type {Taint} from './taint.ts';
import type {Allocatable} from './workloads/resources.ts';

export type ConditionStatus = 'True' | 'False' | 'Unknown';

export type NodeCondition = Readonly<{
	type: string;
	status: ConditionStatus;
	lastHeartbeatTime: Instant;
	lastTransitionTime: Instant;
	reason?: string | undefined;
	/** Kept only if the kubelet announces a shutdown of its node (`shutdownMessage`), or that its runtime fails (`runtimeFailures`). */
	message?: string | undefined;
}>;

/** The fields of a core/v1 Node that the controllers and the forecast need. */
export type Node = Readonly<{
	name: string;
	uid: string;
	createdAt: Instant;
	/** Since when it is being deleted; absent unless its finalizers still hold it. */
	deletionTimestamp?: Instant | undefined;
	/** What holds a Node that is being deleted; absent otherwise. */
	finalizers?: readonly string[] | undefined;
	labels: TextMap;
	unschedulable: boolean;
	taints: readonly Taint[];
	conditions: readonly NodeCondition[];
	/** The cloud's name for the machine, as in `aws:///eu-west-1a/i-0123`; absent if it has none. */
	providerId?: string | undefined;
	/** The release of its kubelet, as in `v1.36.3`; absent if not reported. */
	kubeletVersion?: string | undefined;
	/** The sum of what its pods may request; absent if not reported. */
	allocatable?: Allocatable | undefined;
	/** Who last wrote spec.taints, and when, if managedFields show it. */
	taintWrites?: readonly FieldWrite[] | undefined;
}>;

/**
 * The node's condition of a type; undefined if it has none.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/util/node/controller_utils.go GetNodeCondition
 */
export function nodeCondition(node: Node, type: string): NodeCondition | undefined {
	// A loop, because every pass calls this for every node.
	for (const condition of node.conditions) if (condition.type === type) return condition;
	return undefined;
}

export const readyCondition = (node: Node) => nodeCondition(node, 'Ready');

/** The status of the node's Ready condition; undefined if it has none. */
export const readyStatus = (node: Node): ConditionStatus | undefined => readyCondition(node)?.status;

export const isReadyNode = (node: Node) => readyStatus(node) === 'True';

/** The role since v1.20, the one before, and Rancher's. */
const controlPlaneRoles = ['control-plane', 'master', 'controlplane'];

/** Whether a node belongs to the control plane, by its role label. */
export const isControlPlaneNode = ({labels}: Pick<Node, 'labels'>) =>
	controlPlaneRoles.some((role) => Object.hasOwn(labels, `node-role.kubernetes.io/${role}`));

/** Whether a node's Ready condition is Unknown, because its kubelet fell silent. */
export const isUnknownNode = (node: Node) => readyStatus(node) === 'Unknown';
