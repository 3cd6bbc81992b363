/**
 * An instant: RFC 3339 in UTC, with milliseconds.
 *
 * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
 */
export type TimestampJson = string;

/**
 * A duration in the format of Kubernetes' flags: `50s`, `1m30s`.
 *
 * @pattern ^-?(\d+(\.\d+)?(h|m|s|ms|µs|ns))+$
 */
export type DurationJson = string;

/** The version of all types described here. */
export type ApiVersion = 'evictwatch.dev/v1';

/** When something happens: never before `earliest`, never after `latest`. */
export type RangeJson = {
	readonly earliest: TimestampJson;
	/** The median of the simulated cases. */
	readonly expected: TimestampJson;
	/** Null without an upper bound: it may never happen. */
	readonly latest: TimestampJson | null;
};

/** Why a pod is deleted. NodeEviction: without a taint, which releases up to 1.26 could do. */
export type CauseKindJson =
	| 'Taint'
	| 'NodeEviction'
	| 'NodeDeleted'
	| 'OutOfService'
	| 'NodePressure'
	| 'DeviceTaint'
	| 'NodeRepair'
	| 'NodeShutdown';

export type ZoneStateJson = 'Initial' | 'Normal' | 'PartialDisruption' | 'FullDisruption';

/** Something that could not be read or understood, or that makes forecasts uncertain. */
export type ProblemJson = {
	/**
	 * For machines: `LeasesForbidden`, `ClockSkew`.
	 *
	 * @pattern ^[A-Z][A-Za-z0-9]*$
	 */
	readonly reason: string;
	/** For people. */
	readonly message: string;
};

/** The source of a list, and what could not be read. */
export type SourceJson = {
	readonly source: 'cluster' | 'file';
	/** Null if not known. */
	readonly kubernetesVersion: string | null;
	readonly problems: readonly ProblemJson[];
};

/** The same, with the time of the observation. */
export type ListMetadataJson = SourceJson & {
	/** The instant of all forecasts. */
	readonly observedAt: TimestampJson;
};

/** A list of one kind. */
export type ListJson<Kind extends string, Item> = {
	readonly apiVersion: ApiVersion;
	readonly kind: `${Kind}List`;
	readonly metadata: ListMetadataJson;
	readonly items: readonly Item[];
};

/** The accuracy of a watch so far: predictions compared with what happened. Present once there is something to compare. */
export type ScoreJson = {
	/** Deletions that had been predicted. */
	readonly judged: number;
	/** The deletions among them that were inside every predicted range. */
	readonly inside: number;
	/** Null if no range had an upper bound. */
	readonly medianWidthSeconds: number | null;
	/** The latest deletions outside their range. */
	readonly misses: readonly {
		readonly namespace: string;
		readonly name: string;
		readonly uid: string;
		readonly deletedAt: TimestampJson;
		readonly predictedAt: TimestampJson;
		readonly eviction: RangeJson | null;
		/** The distance from the range, in seconds. */
		readonly bySeconds: number;
	}[];
	/** Deletions that were not predicted. */
	readonly unforeseen: number;
	/** Deletions that other components announced, by the reason of the pod's DisruptionTarget condition. Absent if there are none. */
	readonly others?: {
		readonly PreemptionByScheduler?: number;
		readonly EvictionByEvictionAPI?: number;
		readonly TerminationByKubelet?: number;
	};
	/** Pods that were predicted to be evicted and were not. */
	readonly falseAlarms: number;
	/** Pods that were evicted while they were shown as Held or Stays. */
	readonly falseHeld: number;
	/** The first range shown of each evicted pod, whatever changed after it. */
	readonly first: TallyJson;
	/** The same for the ranges shown a minute before. */
	readonly minuteBefore: TallyJson;
	/** The total time in which ranges were shown of pods that were evicted, or should have been. */
	readonly shownSeconds: number;
	/** The part of that time in which the range shown was right. */
	readonly shownInsideSeconds: number;
};

/** The metadata of an object of a stream. */
export type StreamedJson = {
	/** Only in a watch. */
	readonly score?: ScoreJson;
	/** The recorded time; only in a stream from a recording. */
	readonly observedAt?: TimestampJson;
};

/** Predictions compared with evictions. */
type TallyJson = {readonly judged: number; readonly inside: number};
