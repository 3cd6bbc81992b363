import type {ConditionStatus, Node, NodeCondition} from '../model/node.ts';
import type {Pod} from '../model/pod.ts';
import type {Taint, TaintIdentity} from '../model/taint.ts';
import type {Instant} from '../time/instant.ts';

/** A node as the API server holds it; a write that names an old version is refused. */
export type VersionedNode = {readonly node: Node; readonly version: number};

export type WriteResult = 'written' | 'conflict' | 'notFound';

/** What a controller sees of the cluster: its informers' caches, and the API server. */
interface ClusterReader {
	/** All nodes, in the order of their names. */
	nodes(): readonly VersionedNode[];
	node(name: string): VersionedNode | undefined;
	/** Nodes that are not held one by one, by zone: they only count. A real cluster has none. */
	readonly otherNodes: ReadonlyMap<string, {readonly size: number; readonly notReady: number}>;
	/** The pods bound to a node, in the order of their names. */
	podsOnNode(name: string): readonly Pod[];
	pod(key: string): Pod | undefined;
	pods(): Iterable<Pod>;
	/** When a node's lease was last renewed, by its own word; undefined where it has none. */
	leaseRenewTime(node: string, now: Instant): Instant | undefined;
	/** When somebody last wrote a node's lease without renewing it; undefined where nobody did. */
	leaseTouchedAt(node: string): Instant | undefined;
}

/** What a controller may ask the API server for. The effect is immediate: time and throttling are the client's. */
interface ClusterWriter {
	writeConditions(node: string, version: number, conditions: readonly NodeCondition[]): WriteResult;
	writeTaints(node: string, version: number, taints: readonly Taint[]): WriteResult;
	writeLabels(node: string, labels: Readonly<Record<string, string>>): WriteResult;
	writePodReady(pod: string, ready: ConditionStatus): WriteResult;
	markDisruptionTarget(pod: string): WriteResult;
	deletePod(pod: string): WriteResult;
	/** Says in a pod's status that its node is lost (NodeLost). */
	markNodeLost(pod: string): WriteResult;
	/** Deletes a pod because its node is evicted without taints. */
	evictPod(pod: string): WriteResult;
	/** Tells that a node's pods are deleted now: its turn has come, whether or not any of its pods goes. */
	nodeEvicted(node: string): void;
	/** Sets a pod's phase to Failed; refused where another pod has taken its name. */
	failPod(pod: Pod, isDisruptionTarget: boolean): WriteResult;
	/** Deletes whatever pod has this one's name, without a grace period: it is gone at once. */
	removePod(pod: Pod): WriteResult;
	/** Posts an event of a controller. */
	eventPosted(event: RecordedEvent): void;
}

export type ClusterApi = ClusterReader & ClusterWriter;

/** An event that a controller's recorder posts, as far as it matters: its reason and what it is about. */
export type PostedEvent = {
	readonly reason:
		| 'RegisteredNode'
		| 'RemovingNode'
		| 'NodeNotReady'
		| 'DeletingAllPods'
		| 'NodeControllerEviction'
		| 'MarkingForDeletion'
		| 'CancellingDeletion';
	/** A node's name or a pod's key. */
	readonly about: string;
};

/** An event with the instant at which the controller recorded it: it is posted when its turn comes, which may be much later. */
export type RecordedEvent = PostedEvent & {readonly recordedAt: Instant};

/** Which taints to add and which to take off. */
export type TaintChange = {readonly add: readonly Taint[]; readonly remove: readonly TaintIdentity[]};
