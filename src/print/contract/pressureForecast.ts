import type {ApiVersion, ProblemJson, RangeJson, TimestampJson} from './common.ts';

/** An eviction signal of the kubelet. */
export type SignalNameJson =
	| 'memory.available'
	| 'allocatableMemory.available'
	| 'nodefs.available'
	| 'nodefs.inodesFree'
	| 'imagefs.available'
	| 'imagefs.inodesFree'
	| 'containerfs.available'
	| 'containerfs.inodesFree'
	| 'pid.available';

/** A limit of a pod's own local storage. */
export type StorageLimitJson = 'emptydirfs.limit' | 'ephemeralpodfs.limit' | 'ephemeralcontainerfs.limit';

/** An amount in Kubernetes' format: `500Mi`, `10k`. */
export type QuantityJson = string;

/** Why a kubelet never evicts a pod. */
export type ProtectionJson = 'static' | 'mirror' | 'priority';

/** A pod of the node. */
export type NodePodJson = {readonly namespace: string; readonly name: string; readonly uid: string};

/** When an amount falls below a threshold. */
export type CrossingJson = {
	/** `met`: it is below. `possible`: only if the trend is as steep as it can be. `unknown`: there are too few measurements. */
	readonly type: 'met' | 'expected' | 'possible' | 'notOnThisTrend' | 'unknown';
	/** Null unless `expected` or `possible`. */
	readonly at: RangeJson | null;
	/** For `unknown`: when, at the mean pace since the condition of the node became True; null if not known. */
	readonly about: TimestampJson | null;
};

/** One threshold of a signal. */
export type PressureThresholdJson = {
	readonly hard: boolean;
	readonly quantity: QuantityJson;
	/** How much must be free before pods are no longer killed; null without a minimum reclaim. */
	readonly resolvedAt: QuantityJson | null;
	/** Seconds; 0 for a hard threshold. */
	readonly gracePeriod: number;
	/** The amount above the threshold; negative below. */
	readonly distance: number;
	readonly crossing: CrossingJson;
	/** Remaining seconds of the grace period; null unless the threshold is soft and met. */
	readonly graceLeft: {readonly least: number; readonly most: number} | null;
	/** When a pass most likely evicts for it, by its grace period or the pace so far; null if neither shows it. */
	readonly evictsAbout: TimestampJson | null;
	/** The latest time at which a pass evicts for it, unless more becomes free before; null while it is not met. */
	readonly evictsBy: TimestampJson | null;
	/** The pods that would have to be evicted until enough is free; empty while it is not met. */
	readonly toResolve: readonly NodePodJson[];
	/** Whether even killing all pods that may be killed would not free enough. */
	readonly beyondPods: boolean;
};

/** A pod's place in the order of eviction. */
export type VictimJson = NodePodJson & {
	/** From 1; pods that tie share the first of their places. */
	readonly place: number;
	/** The number of pods with this place; their order is random. */
	readonly tied: number;
	/** Why it is skipped; null if it may be killed. */
	readonly protection: ProtectionJson | null;
	readonly stage: 'noStatistics' | 'overRequest' | 'withinRequest' | 'byProcesses';
	readonly priority: number;
	/** Bytes, inodes or processes; null if the kubelet has no statistics of it. */
	readonly usage: number | null;
	readonly request: QuantityJson | null;
	readonly overuse: QuantityJson | null;
	/** In words. */
	readonly because: string;
};

/** The state and trend of a signal. */
export type PressureSignalJson = {
	readonly signal: SignalNameJson;
	/** Bytes, inodes or processes; null if not measured. */
	readonly available: number | null;
	readonly capacity: number | null;
	readonly measuredAt: TimestampJson | null;
	/** Null if there are too few measurements. */
	readonly trend: {
		/** Change per second: the median, and the ends of its 95% confidence interval. */
		readonly perSecond: {readonly low: number; readonly median: number; readonly high: number};
		/** The largest distance of a measurement from the line through the newest. */
		readonly noise: number;
		readonly points: number;
		/** Seconds. */
		readonly span: number;
	} | null;
	/** Whether the kernel may trigger a pass at once. */
	readonly kernelNotification: 'no' | 'possible';
	readonly thresholds: readonly PressureThresholdJson[];
	readonly victims: readonly VictimJson[];
};

/** A pod that is killed if trends continue. */
export type PressureEvictionJson = NodePodJson & {
	readonly eviction: RangeJson;
	readonly cause: {
		readonly kind: 'NodePressure';
		/** All signals for which it may be killed; which one is random. */
		readonly signals: readonly (SignalNameJson | StorageLimitJson)[];
	};
	/** The possible grace periods. */
	readonly graceSeconds: readonly number[];
	/** Whether it is evicted in every possible random order. */
	readonly certain: boolean;
	/** Its first and last possible place among all pods that are killed. */
	readonly place: {readonly first: number; readonly last: number};
	/** The probability that it is evicted first, from 0 to 1: pods may overtake each other until then. */
	readonly firstProbability: number;
	/** The message of the pod's status. */
	readonly message: string;
};

/** The effect of pressure on the pods of one node if its trends continue. */
export type PressureForecastJson = {
	readonly kind: 'PressureForecast';
	readonly metadata: {readonly name: string};
	/** When its newest statistics arrived; null if there are none. */
	readonly observedAt: TimestampJson | null;
	/** The source of the measurements: `metrics` is the metrics API, which has only memory, and with a delay. Null without one. */
	readonly source: 'kubelet' | 'metrics' | null;
	/** The next pass of the kubelet's eviction manager. */
	readonly nextPass: RangeJson;
	/** Null if not known. */
	readonly fileSystems: {
		readonly hasDedicatedImageFs: boolean;
		readonly hasDedicatedContainerFs: boolean;
	} | null;
	readonly conditions: readonly {
		readonly type: 'MemoryPressure' | 'DiskPressure' | 'PIDPressure';
		readonly status: boolean;
		readonly thresholdMet: boolean;
		readonly since: TimestampJson | null;
		/** When it becomes True; null if it is True already or will not. */
		readonly raised: RangeJson | null;
		/** When it ends; `latest` is null if a threshold is met, or may be met again before. Null unless it is True and was measured. */
		readonly held: RangeJson | null;
	}[];
	readonly signals: readonly PressureSignalJson[];
	/** In expected chronological order. */
	readonly evictions: readonly PressureEvictionJson[];
	/** Pods that exceed a limit of their own local storage. */
	readonly overLimits: readonly (NodePodJson & {
		readonly limits: readonly {
			readonly signal: StorageLimitJson;
			/** The volume's or container's name; empty for the whole pod. */
			readonly of: string;
			readonly usage: number;
			readonly limit: QuantityJson;
			readonly message: string;
		}[];
		readonly protection: ProtectionJson | null;
		/** Null if it may not be killed. */
		readonly eviction: RangeJson | null;
	})[];
	/** Pods that a kubelet never evicts. */
	readonly protected: readonly (NodePodJson & {readonly why: ProtectionJson})[];
	/** Containers close to their own memory limit: the kernel kills them, and they restart in place. */
	readonly oomKills: readonly (NodePodJson & {
		readonly container: string;
		readonly usage: number;
		readonly limit: QuantityJson;
		readonly crossing: CrossingJson;
	})[];
	/** Events of the last hour, the newest first. */
	readonly happenings: readonly {
		/** Null if the time is not known. */
		readonly at: TimestampJson | null;
		/** `Evicted`, `EvictionThresholdMet`, `FreeDiskSpaceFailed`, ... */
		readonly reason: string;
		/** `namespace/name`; null if it is about the node. */
		readonly pod: string | null;
		readonly message: string;
	}[];
	/** What could not be observed, and what is assumed instead. */
	readonly gaps: readonly ProblemJson[];
	readonly assumptions: readonly string[];
};

/** Printed by `pressure`. */
export type PressureForecastListJson = {
	readonly apiVersion: ApiVersion;
	readonly kind: 'PressureForecastList';
	readonly metadata: {
		readonly observedAt: TimestampJson;
		readonly source: 'cluster';
		readonly problems: readonly ProblemJson[];
	};
	readonly items: readonly PressureForecastJson[];
};
