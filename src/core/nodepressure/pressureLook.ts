import type {Problem} from '../model/problem.ts';
import type {Instant} from '../time/instant.ts';
import type {NodePod} from './nodePod.ts';
import type {Summary} from './summary.ts';
import type {EvictionConfig} from './thresholds/evictionSettings.ts';

/** A pod that a kubelet evicted, as the pod itself says. */
export type EvictedPod = {
	readonly namespace: string;
	readonly name: string;
	readonly uid: string;
	/** Absent where the pod does not say when. */
	readonly at?: Instant;
	readonly message: string;
};

/** What a kubelet reported of its node's resources as an Event: that a threshold is met, that nothing could be freed, ... */
export type KubeletReport = {
	readonly node: string;
	/** `EvictionThresholdMet`, `Evicted`, `FreeDiskSpaceFailed`, `ImageGCFailed`, ... */
	readonly reason: string;
	/** The last time that it was reported. */
	readonly at: Instant;
	readonly message: string;
	/** `namespace/name`, where it is about a pod. */
	readonly pod?: string;
	/** That pod's. */
	readonly uid?: string;
};

/**
 * Who measured a node: its kubelet; or the metrics API, which knows memory alone, and later.
 */
export type StatisticsSource = 'kubelet' | 'metrics';

/** What one look at a node's pressure brought; what could not be read is absent, and a problem. */
export type PressureLook = {
	readonly node: string;
	/** When the statistics came. */
	readonly seenAt: Instant;
	readonly summary?: Summary;
	/** Whose word the summary is; absent without one. */
	readonly source?: StatisticsSource;
	readonly config?: EvictionConfig;
	/** Those that have not ended. */
	readonly pods: readonly NodePod[];
	readonly evicted: readonly EvictedPod[];
	readonly problems: readonly Problem[];
};

/** What is learned of kubelets besides what the watches bring, in the order in which it is. */
export type PressureNews =
	/** Which nodes are looked at from now on, so that all others are forgotten; and all that is wrong with the looks. */
	| {readonly type: 'chosen'; readonly nodes: readonly string[]; readonly problems: readonly Problem[]}
	| {readonly type: 'looked'; readonly look: PressureLook}
	/** All that kubelets reported lately. */
	| {readonly type: 'reported'; readonly reports: readonly KubeletReport[]};
