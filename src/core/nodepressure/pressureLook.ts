import type {Problem} from '../model/problem.ts';
import type {Instant} from '../time/instant.ts';
import type {NodePod} from './nodePod.ts';
import type {Summary} from './summary.ts';
import type {EvictionConfig} from './thresholds/evictionSettings.ts';

/** A pod that a kubelet evicted, according to the pod's own status. */
export type EvictedPod = Pick<NodePod, 'namespace' | 'name' | 'uid'> & {
	/** Absent if the pod does not show it. */
	readonly at?: Instant | undefined;
	readonly message: string;
};

/** An Event of a kubelet about its node's resources: a threshold is met, nothing could be freed, ... */
export type KubeletReport = Readonly<{
	node: string;
	/** `EvictionThresholdMet`, `Evicted`, `FreeDiskSpaceFailed`, `ImageGCFailed`, ... */
	reason: string;
	/** When it was last reported. */
	at: Instant;
	message: string;
	/** `namespace/name`, if it is about a pod. */
	pod?: string | undefined;
	/** That pod's UID. */
	uid?: string | undefined;
}>;

/** The source of a node's statistics: its kubelet, or the metrics API, which has only memory, and with a delay. */
export type StatisticsSource = 'kubelet' | 'metrics';

/** The result of one query of a node's pressure; what could not be read is absent and listed in `problems`. */
export type PressureLook = Readonly<{
	node: string;
	/** When the statistics arrived. */
	seenAt: Instant;
	summary?: Summary | undefined;
	/** The source of `summary`; absent without one. */
	source?: StatisticsSource | undefined;
	config?: EvictionConfig | undefined;
	/** The pods that have not ended. */
	pods: readonly NodePod[];
	evicted: readonly EvictedPod[];
	problems: readonly Problem[];
}>;

/** What is learned about kubelets outside the watches, in order. */
export type PressureNews =
	/** The nodes that are queried from now on (all others are dropped), and all problems of these queries. */
	| {readonly type: 'chosen'; readonly nodes: readonly string[]; readonly problems: readonly Problem[]}
	| {readonly type: 'looked'; readonly look: PressureLook}
	/** All recent reports of kubelets. */
	| {readonly type: 'reported'; readonly reports: readonly KubeletReport[]};
