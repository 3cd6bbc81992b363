import type {Observation} from '../../core/model/observation.ts';
import type {Problem} from '../../core/model/problem.ts';
import type {Instant} from '../../core/time/instant.ts';

/** Says of which nodes the pods are worth reading. Gone ones may be among them. */
export type NodeChooser = {
	/** From the first state of nodes and leases, before it is told to anybody. */
	first(observations: readonly Observation[], now: Instant): readonly string[];
	/** From all that was told since. */
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
type NamedPods = {readonly namespace: string | undefined; readonly names: readonly string[]};

/** How far a collection was read: so many objects, of about so many; undefined where the server does not say of how many. */
export type ListProgress = {readonly read: number; readonly about: number | undefined};

export type Selection = {
	readonly pods: PodScope;
	/** As kubectl's `-l` takes it. */
	readonly labelSelector?: string | undefined;
	/** The release, where it is known: in v1.16 the leader shows itself elsewhere. */
	readonly kubernetesVersion?: string | undefined;
	/** The reasons of problems that end a watch where they are there before anything is told: less is to be read then. */
	readonly refusals?: readonly string[];
	/**
	 * Where somebody watches who would rather see some pods than wait for all: where all pods are watched, each page is told as
	 * it is read, and here how far that is; undefined once all are. The pods of the first nodes in trouble come before, each
	 * node's by itself.
	 */
	readonly onProgress?: ((progress: ListProgress | undefined) => void) | undefined;
	/** What is missing by this selection, told with all that is wrong. */
	readonly notes?: readonly Problem[];
};
