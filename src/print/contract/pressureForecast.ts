import type {ApiVersion, ProblemJson, RangeJson, TimestampJson} from './common.ts';

/** What a kubelet watches. */
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

/** An amount as Kubernetes writes it: `500Mi`, `10k`. */
export type QuantityJson = string;

/** Why a kubelet never evicts a pod. */
export type ProtectionJson = 'static' | 'mirror' | 'priority';

/** A pod of the node. */
export type NodePodJson = {readonly namespace: string; readonly name: string; readonly uid: string};

/** When an amount falls below a threshold. */
export type CrossingJson = {
	/** `met`: it is below. `possible`: only if the trend is as steep as it may be. `unknown`: too little was seen. */
	readonly type: 'met' | 'expected' | 'possible' | 'notOnThisTrend' | 'unknown';
	/** Null unless `expected` or `possible`. */
	readonly at: RangeJson | null;
	/** Of `unknown`: when, at the mean pace since the condition of the node turned True; null where that is not known. */
	readonly about: TimestampJson | null;
};

/** One threshold of a signal. */
export type PressureThresholdJson = {
	readonly hard: boolean;
	readonly quantity: QuantityJson;
	/** What must be free before pods stop being killed; null without a minimum reclaim. */
	readonly resolvedAt: QuantityJson | null;
	/** Seconds; 0 where it is hard. */
	readonly gracePeriod: number;
	/** What is left above it; negative below. */
	readonly distance: number;
	readonly crossing: CrossingJson;
	/** Seconds that are left of the grace period; null unless it is soft and met. */
	readonly graceLeft: {readonly least: number; readonly most: number} | null;
	/** When a pass most likely evicts for it, by its grace period or the pace so far; null where neither tells. */
	readonly evictsAbout: TimestampJson | null;
	/** By when a pass evicts for it, unless more becomes free before; null while it is not met. */
	readonly evictsBy: TimestampJson | null;
	/** The pods that would have to go until enough is free; empty while it is not met. */
	readonly toResolve: readonly NodePodJson[];
	/** Whether even all pods that may be killed would not free enough. */
	readonly beyondPods: boolean;
};

/** A pod's place in the order of eviction. */
export type VictimJson = NodePodJson & {
	/** From 1; pods that tie share the first of their places. */
	readonly place: number;
	/** How many pods have this place; chance decides among them. */
	readonly tied: number;
	/** Why it is passed over; null where it may be killed. */
	readonly protection: ProtectionJson | null;
	readonly stage: 'noStatistics' | 'overRequest' | 'withinRequest' | 'byProcesses';
	readonly priority: number;
	/** Bytes, inodes or processes; null where the kubelet has no statistics of it. */
	readonly usage: number | null;
	readonly request: QuantityJson | null;
	readonly overuse: QuantityJson | null;
	/** In words. */
	readonly because: string;
};

/** What a signal does. */
export type PressureSignalJson = {
	readonly signal: SignalNameJson;
	/** Bytes, inodes or processes; null where it is not measured. */
	readonly available: number | null;
	readonly capacity: number | null;
	readonly measuredAt: TimestampJson | null;
	/** Null where too little was seen. */
	readonly trend: {
		/** Change a second: the median, and the ends of its 95% confidence interval. */
		readonly perSecond: {readonly low: number; readonly median: number; readonly high: number};
		/** How far the worst measurement lies from the line through the newest. */
		readonly noise: number;
		readonly points: number;
		/** Seconds. */
		readonly span: number;
	} | null;
	/** Whether the kernel may call for a pass at once. */
	readonly kernelNotification: 'no' | 'possible';
	readonly thresholds: readonly PressureThresholdJson[];
	readonly victims: readonly VictimJson[];
};

/** A pod that is killed if trends go on. */
export type PressureEvictionJson = NodePodJson & {
	readonly eviction: RangeJson;
	readonly cause: {
		readonly kind: 'NodePressure';
		/** In any of the ways in which chance may decide. */
		readonly signals: readonly (SignalNameJson | StorageLimitJson)[];
	};
	/** The grace periods that it may get. */
	readonly graceSeconds: readonly number[];
	/** Whether it goes however chance decides. */
	readonly certain: boolean;
	/** From its first to its last possible place among all that are killed. */
	readonly place: {readonly first: number; readonly last: number};
	/** How likely it is that it goes first, from 0 to 1: pods may overtake each other until then. */
	readonly firstProbability: number;
	/** What the pod's status will say. */
	readonly message: string;
};

/** What pressure does to the pods of one node if its trends go on. */
export type PressureForecastJson = {
	readonly kind: 'PressureForecast';
	readonly metadata: {readonly name: string};
	/** When its newest statistics came; null where there are none. */
	readonly observedAt: TimestampJson | null;
	/** Who measured: `metrics` is the metrics API, which knows only memory, and lags. Null for no measurement. */
	readonly source: 'kubelet' | 'metrics' | null;
	/** When the kubelet next looks. */
	readonly nextPass: RangeJson;
	/** Null where it cannot be told. */
	readonly fileSystems: {
		readonly hasDedicatedImageFs: boolean;
		readonly hasDedicatedContainerFs: boolean;
	} | null;
	readonly conditions: readonly {
		readonly type: 'MemoryPressure' | 'DiskPressure' | 'PIDPressure';
		readonly status: boolean;
		readonly thresholdMet: boolean;
		readonly since: TimestampJson | null;
		/** Null unless it is not True, and comes. */
		readonly raised: RangeJson | null;
		/** When it goes; without a latest where a threshold is met, or may be again until then. Null unless it is True and was measured. */
		readonly held: RangeJson | null;
	}[];
	readonly signals: readonly PressureSignalJson[];
	/** In the order in which they are expected. */
	readonly evictions: readonly PressureEvictionJson[];
	/** Pods over a limit of their own local storage. */
	readonly overLimits: readonly (NodePodJson & {
		readonly limits: readonly {
			readonly signal: StorageLimitJson;
			/** The volume's or container's name; empty for the pod as a whole. */
			readonly of: string;
			readonly usage: number;
			readonly limit: QuantityJson;
			readonly message: string;
		}[];
		readonly protection: ProtectionJson | null;
		/** Null where it may not be killed. */
		readonly eviction: RangeJson | null;
	})[];
	/** Pods that are never evicted by a kubelet. */
	readonly protected: readonly (NodePodJson & {readonly why: ProtectionJson})[];
	/** Containers that near their own memory limit: the kernel kills them, and they start again in place. */
	readonly oomKills: readonly (NodePodJson & {
		readonly container: string;
		readonly usage: number;
		readonly limit: QuantityJson;
		readonly crossing: CrossingJson;
	})[];
	/** What happened within the last hour, the newest first. */
	readonly happenings: readonly {
		/** Null where nothing says when. */
		readonly at: TimestampJson | null;
		/** `Evicted`, `EvictionThresholdMet`, `FreeDiskSpaceFailed`, ... */
		readonly reason: string;
		/** `namespace/name`; null where it is about the node. */
		readonly pod: string | null;
		readonly message: string;
	}[];
	/** What could not be seen, and what is assumed instead. */
	readonly gaps: readonly ProblemJson[];
	readonly assumptions: readonly string[];
};

/** What `pressure` prints. */
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
