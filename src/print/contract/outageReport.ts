import type {ApiVersion, CauseKindJson, ProblemJson, RangeJson, ScoreJson, TimestampJson} from './common.ts';

/** A prediction for a pod, compared with the actual deletion. */
export type ForetoldJson = {
	readonly madeAt: TimestampJson;
	readonly eviction: RangeJson;
	/** How long before the deletion it was made. */
	readonly leadSeconds: number;
	/** How far the deletion was outside the range: negative if too early, positive if too late, zero if inside. */
	readonly errorSeconds: number;
};

/** The problem of a node; null for events that were not observed. */
export type NodeStoryJson = {
	readonly name: string;
	readonly zone: string;
	readonly lastRenewal: TimestampJson | null;
	/** The new status of Ready, and when it changed. */
	readonly ready: 'Unknown' | 'False' | null;
	readonly unreadyAt: TimestampJson | null;
	/** Its first NoExecute taint. */
	readonly taint: string | null;
	readonly taintedAt: TimestampJson | null;
	readonly backAt: TimestampJson | null;
	readonly deletedAt: TimestampJson | null;
};

/** A pod whose deletion was observed. */
export type EvictionJson = {
	readonly metadata: {readonly namespace: string; readonly name: string; readonly uid: string};
	readonly node: string;
	/** Its workload. */
	readonly workload: {readonly kind: string; readonly name: string};
	readonly cause: {
		readonly kind: CauseKindJson;
		readonly taint: string | null;
		readonly tolerationSeconds: number | null;
	} | null;
	readonly deletedAt: TimestampJson;
	/** Null if it still existed when the recording ended. */
	readonly goneAt: TimestampJson | null;
	/** Whether the deletion is inside all predictions that count; null if there is none. */
	readonly inside: boolean | null;
	readonly first: ForetoldJson | null;
	readonly last: ForetoldJson | null;
};

/** A pod that its kubelet evicted because its node ran short; its object stays. */
export type KubeletEvictionJson = {
	readonly metadata: {readonly namespace: string; readonly name: string};
	readonly node: string;
	/** The signals that its node ran short of, if they were predicted: `memory.available`. */
	readonly signals: readonly string[];
	readonly evictedAt: TimestampJson;
	/** Whether the eviction is inside every range predicted for it; null if there was none in time. */
	readonly inside: boolean | null;
	readonly first: ForetoldJson | null;
	readonly last: ForetoldJson | null;
};

/** A workload that had fewer ready pods, read every half minute. */
export type WorkloadLowJson = {
	readonly namespace: string;
	readonly kind: string;
	readonly name: string;
	/** The desired number of pods, and how many were ready when it was first read. */
	readonly desired: number;
	readonly readyBefore: number;
	/** The lowest number of ready pods, and when that was first read. */
	readonly lowest: {readonly ready: number; readonly at: TimestampJson};
	/** The first prediction: the lowest number of ready pods if none are added, and when; `at` is null if it was reached already. */
	readonly foretold: {
		readonly ready: number;
		readonly at: RangeJson | null;
		readonly madeAt: TimestampJson;
	} | null;
};

/** Printed by `report -o json`. */
export type OutageReportJson = {
	readonly apiVersion: ApiVersion;
	readonly kind: 'OutageReport';
	readonly metadata: {
		readonly cluster: string;
		/** The file that was read. */
		readonly source: string;
		readonly kubernetesVersion: string | null;
		readonly from: TimestampJson;
		readonly to: TimestampJson;
		readonly problems: readonly ProblemJson[];
	};
	/** For people: what happened, one sentence each. */
	readonly summary: readonly string[];
	readonly score: ScoreJson;
	/** The largest number of nodes. */
	readonly nodeCount: number;
	/** The affected nodes. */
	readonly nodes: readonly NodeStoryJson[];
	readonly evictions: readonly EvictionJson[];
	/** Evictions by kubelets, if the recording has their measurements. */
	readonly kubeletEvictions: readonly KubeletEvictionJson[];
	/** Deletions by others than the controllers that evict. */
	readonly otherDeletions: number;
	/** Pods that were predicted to be evicted, and were not. */
	readonly averted: readonly {
		readonly namespace: string;
		readonly name: string;
		readonly node: string;
		readonly firstSaidAt: TimestampJson;
		/** Its verdict at the end. */
		readonly verdict: string;
	}[];
	/** Pods that are still predicted to be evicted when the recording ends. */
	readonly stillComing: number;
	/** Workloads that had fewer ready pods, the hardest hit first; empty if the recording does not show it. */
	readonly workloads: readonly WorkloadLowJson[];
	readonly held: readonly {
		readonly by: string;
		readonly from: TimestampJson;
		/** Null if it lasted to the end. */
		readonly to: TimestampJson | null;
		/** The largest number of held pods. */
		readonly pods: number;
		readonly releasedBy: string;
	}[];
	readonly timeline: readonly {
		readonly at: TimestampJson;
		readonly kind: 'node' | 'taint' | 'pod' | 'kubelet' | 'zone' | 'controller' | 'recording';
		readonly text: string;
		/** The number of events in this entry. */
		readonly count: number;
	}[];
	/** What would have changed the outcome. */
	readonly lessons: readonly {
		readonly title: string;
		readonly text: string;
		/** Whether the controllers were simulated; otherwise it is calculated from observed times. */
		readonly simulated: boolean;
	}[];
	readonly settings: readonly {
		readonly name: string;
		readonly value: number | string | boolean | null;
		readonly source: {readonly kind: string; readonly detail: string};
	}[];
};
