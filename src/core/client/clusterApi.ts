import type {TextMap} from '../../text/textMap.ts';
import type {ConditionStatus, Node, NodeCondition} from '../model/node.ts';
import type {Pod} from '../model/pod.ts';
import type {Taint} from '../model/taint.ts';
import type {Instant} from '../time/instant.ts';

/** A node as the API server stores it, with the key of its zone; a write with an old version is refused. */
export type VersionedNode = {readonly node: Node; readonly zone: string; readonly version: number};

export type WriteResult = 'written' | 'conflict' | 'notFound';

/** What a controller sees of the cluster: its informers' caches, and the API server. */
interface ClusterReader {
	/** All nodes, in the order of their names. */
	nodes(): readonly VersionedNode[];
	node(name: string): VersionedNode | undefined;
	/** Nodes that are only counted, by zone. A real cluster has none. */
	readonly otherNodes: ReadonlyMap<string, {readonly size: number; readonly notReady: number}>;
	/** The pods bound to a node, in the order of their names. */
	podsOnNode(name: string): readonly Pod[];
	pod(key: string): Pod | undefined;
	/** When a node's lease was last renewed, by the kubelet's clock; undefined if it has none. */
	leaseRenewTime(node: string, now: Instant): Instant | undefined;
	/** When a node's lease was last written without a renewal; undefined if it never was. */
	leaseTouchedAt(node: string): Instant | undefined;
}

/** The API server's write requests. They take effect at once: the client adds duration and throttling. */
interface ClusterWriter {
	writeConditions(node: string, version: number, conditions: readonly NodeCondition[]): WriteResult;
	writeTaints(node: string, version: number, taints: readonly Taint[]): WriteResult;
	writeLabels(node: string, labels: TextMap): WriteResult;
	writePodReady(pod: string, ready: ConditionStatus): WriteResult;
	markDisruptionTarget(pod: string): WriteResult;
	deletePod(pod: string): WriteResult;
	/** Sets the reason NodeLost in the status of a pod. */
	markNodeLost(pod: string): WriteResult;
	/** Signals that a node's turn to lose its pods has come, even if none of them is deleted. */
	nodeEvicted(node: string): void;
	eventPosted(event: RecordedEvent): void;
}

export type ClusterApi = ClusterReader & ClusterWriter;

/** An event that a controller's recorder posts, reduced to its reason and subject. */
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

/** An event with the time at which the controller recorded it; it may be posted much later. */
export type RecordedEvent = PostedEvent & {readonly recordedAt: Instant};

export type TaintChange = {readonly add: readonly Taint[]; readonly remove: readonly Taint[]};
