import type {Observation} from '../../core/model/observation.ts';
import type {Problem} from '../../core/model/problem.ts';
import type {Instant} from '../../core/time/instant.ts';

/** Chooses the nodes whose pods are read. Deleted nodes may be among them. */
export type NodeChooser = {
	/** From the first state of nodes and leases, before it is emitted. */
	first(observations: readonly Observation[], now: Instant): readonly string[];
	/** From everything that was emitted since. @param isRead whether the pods of a node are known */
	wanted(now: Instant, isRead: (node: string) => boolean): readonly string[];
	/** Chooses these from then on, too. Settles once their pods are known: false if they are too many, or cannot be read. */
	read?(nodes: readonly string[]): Promise<boolean>;
};

/** The pods to read. Nodes and leases are always read: every forecast needs them. */
export type PodScope =
	| {readonly type: 'all'}
	| {readonly type: 'namespace'; readonly namespace: string}
	/** The pods of these nodes only: the API server has an index for this. */
	| {readonly type: 'nodes'; readonly nodes: readonly string[]}
	/** The pods of nodes that are chosen over time, and those of some names, of any namespace. If most nodes are chosen, all pods. */
	| {readonly type: 'chosen'; readonly chooser: NodeChooser; readonly named?: readonly string[]};

/** Number of objects that were read, and about how many there are; undefined if the server does not say. */
export type ListProgress = {readonly read: number; readonly about: number | undefined};

export type Selection = Readonly<{
	pods: PodScope;
	/** As in kubectl's `-l`. */
	labelSelector?: string | undefined;
	/** The release, if known: v1.16 has no leader lease. */
	kubernetesVersion?: string | undefined;
	/** Reasons of problems that end a watch before its first batch: the caller then reads less. */
	refusals?: readonly string[];
	/**
	 * Set if partial results are useful: if all pods are watched, each page is emitted as it is read, and this is called with
	 * the progress, and with undefined at the end. The pods of the first affected nodes come before, node by node.
	 */
	onProgress?: ((progress: ListProgress | undefined) => void) | undefined;
	/** Problems of this selection itself, which are added to all others. */
	notes?: readonly Problem[];
}>;

export const everyPod: Selection = {pods: {type: 'all'}};
