import type {Observation} from '../../core/model/observation.ts';
import type {Instant} from '../../core/time/instant.ts';

/** Says of which nodes the pods are worth reading, from what is seen of nodes and leases. */
export type NodeChooser = {
	observe(observations: readonly Observation[], arrivedAt: Instant): void;
	/** The names of the nodes whose pods are wanted now; gone ones may be among them. */
	wanted(now: Instant): readonly string[];
};

/** Which pods are read. Nodes and leases always are: without them nothing can be foretold. */
export type PodScope =
	| {readonly type: 'all'}
	| {readonly type: 'namespace'; readonly namespace: string}
	/** The pods of these nodes alone: the API server has an index for it. Of no nodes, no pods. */
	| {readonly type: 'nodes'; readonly nodes: readonly string[]}
	/** The pods of the nodes that are chosen as things go, and some by name. Of most nodes, all pods. */
	| {readonly type: 'chosen'; readonly chooser: NodeChooser; readonly named?: NamedPods};

/** Pods that are read wherever they run: of one namespace, or of any. */
export type NamedPods = {readonly namespace: string | undefined; readonly names: readonly string[]};

export type Selection = {
	readonly pods: PodScope;
	/** As kubectl's `-l` takes it. */
	readonly labelSelector?: string | undefined;
	/** The release, where it is known: in v1.16 the leader shows itself elsewhere. */
	readonly kubernetesVersion?: string | undefined;
};
