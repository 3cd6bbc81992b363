import type {ApiVersion, ProblemJson, RangeJson, ScoreJson, TimestampJson} from './common.ts';

/** What was said of a pod at one time, held against what came. */
export type ForetoldJson = {
	readonly madeAt: TimestampJson;
	readonly eviction: RangeJson;
	/** How long before the deletion it was said. */
	readonly leadSeconds: number;
	/** By how much the deletion came too early (below zero) or too late for it; zero inside. */
	readonly errorSeconds: number;
};

/** What a node went through; null where that was not seen. */
export type NodeStoryJson = {
	readonly name: string;
	readonly zone: string;
	readonly lastRenewal: TimestampJson | null;
	/** What Ready turned to, and when. */
	readonly ready: 'Unknown' | 'False' | null;
	readonly unreadyAt: TimestampJson | null;
	/** Its first NoExecute taint. */
	readonly taint: string | null;
	readonly taintedAt: TimestampJson | null;
	readonly backAt: TimestampJson | null;
	readonly deletedAt: TimestampJson | null;
};

/** A pod whose deletion was seen. */
export type EvictionJson = {
	readonly metadata: {readonly namespace: string; readonly name: string; readonly uid: string};
	readonly node: string;
	/** What it belongs to. */
	readonly workload: {readonly kind: string; readonly name: string};
	readonly cause: {
		readonly kind:
			| 'Taint'
			| 'NodeEviction'
			| 'NodeDeleted'
			| 'OutOfService'
			| 'NodePressure'
			| 'DeviceTaint'
			| 'NodeRepair'
			| 'NodeShutdown';
		readonly taint: string | null;
		readonly tolerationSeconds: number | null;
	} | null;
	readonly deletedAt: TimestampJson;
	/** Null where it was still there when the recording ended. */
	readonly goneAt: TimestampJson | null;
	/** Whether it lies in all that counts; null where nothing was said in time. */
	readonly inside: boolean | null;
	readonly first: ForetoldJson | null;
	readonly last: ForetoldJson | null;
};

/** A pod that its kubelet evicted, as its node ran short: it stays as an object. */
export type KubeletEvictionJson = {
	readonly metadata: {readonly namespace: string; readonly name: string};
	readonly node: string;
	/** What its node ran short of, as far as that was predicted: `memory.available`. */
	readonly signals: readonly string[];
	readonly evictedAt: TimestampJson;
	/** Whether it lies in every range that named it; null where none did in time. */
	readonly inside: boolean | null;
	readonly first: ForetoldJson | null;
	readonly last: ForetoldJson | null;
};

/** A workload that had fewer ready pods, by what was read of it each half minute. */
export type WorkloadLowJson = {
	readonly namespace: string;
	readonly kind: string;
	readonly name: string;
	/** How many there should be, and were ready when it was first read. */
	readonly desired: number;
	readonly readyBefore: number;
	/** The fewest that were ready, and when that was first read. */
	readonly lowest: {readonly ready: number; readonly at: TimestampJson};
	/** What was predicted when it was first in trouble: the fewest if nothing new becomes ready, and when; null where it is so already. */
	readonly foretold: {
		readonly ready: number;
		readonly at: RangeJson | null;
		readonly madeAt: TimestampJson;
	} | null;
};

/** What `report -o json` prints. */
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
	/** How many nodes there were at the most. */
	readonly nodeCount: number;
	/** Those that were in trouble. */
	readonly nodes: readonly NodeStoryJson[];
	readonly evictions: readonly EvictionJson[];
	/** Those of kubelets, where the recording has what these measured. */
	readonly kubeletEvictions: readonly KubeletEvictionJson[];
	/** Deletions by others than the controllers that evict. */
	readonly otherDeletions: number;
	/** Pods that were predicted to be evicted, and were not. */
	readonly averted: readonly {
		readonly namespace: string;
		readonly name: string;
		readonly node: string;
		readonly firstSaidAt: TimestampJson;
		/** What was said of it at the end. */
		readonly verdict: string;
	}[];
	/** Pods that are still predicted to be evicted when the recording ends. */
	readonly stillComing: number;
	/** Those that had fewer ready pods, the hardest hit first; none where the recording does not tell. */
	readonly workloads: readonly WorkloadLowJson[];
	readonly held: readonly {
		readonly by: string;
		readonly from: TimestampJson;
		/** Null where it lasted to the end. */
		readonly to: TimestampJson | null;
		/** How many at the most. */
		readonly pods: number;
		readonly releasedBy: string;
	}[];
	readonly timeline: readonly {
		readonly at: TimestampJson;
		readonly kind: 'node' | 'taint' | 'pod' | 'kubelet' | 'zone' | 'controller' | 'recording';
		readonly text: string;
		/** How many happenings it stands for. */
		readonly count: number;
	}[];
	/** What would have changed it. */
	readonly lessons: readonly {
		readonly title: string;
		readonly text: string;
		/** Whether it was played through the controllers' rules; else it is worked out from what was seen. */
		readonly simulated: boolean;
	}[];
	readonly settings: readonly {
		readonly name: string;
		readonly value: number | string | boolean | null;
		readonly source: {readonly kind: string; readonly detail: string};
	}[];
};
