/**
 * An instant: RFC 3339 in UTC, with milliseconds.
 *
 * @pattern ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$
 */
export type TimestampJson = string;

/**
 * A length of time as flags of Kubernetes take it: `50s`, `1m30s`.
 *
 * @pattern ^-?(\d+(\.\d+)?(h|m|s|ms|µs|ns))+$
 */
export type DurationJson = string;

/** The version of all that is described here. */
export type ApiVersion = 'evictwatch.dev/v1';

/** When something happens: never before `earliest`, never after `latest`. */
export type RangeJson = {
	readonly earliest: TimestampJson;
	/** The median of what was tried. */
	readonly expected: TimestampJson;
	/** Null where nothing bounds it: it may never come. */
	readonly latest: TimestampJson | null;
};

/** Something that could not be read or understood, or that makes forecasts doubtful. */
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

/** Where a list comes from, and what could not be seen. */
export type SourceJson = {
	readonly source: 'cluster' | 'file';
	/** Null where it is not known. */
	readonly kubernetesVersion: string | null;
	readonly problems: readonly ProblemJson[];
};

/** The same, and when it was seen. */
export type ListMetadataJson = SourceJson & {
	/** The instant that all forecasts are made for. */
	readonly observedAt: TimestampJson;
};

/** A list of one kind. */
export type ListJson<Kind extends string, Item> = {
	readonly apiVersion: ApiVersion;
	readonly kind: `${Kind}List`;
	readonly metadata: ListMetadataJson;
	readonly items: readonly Item[];
};

/** How a watch did so far: what was predicted, held against what happened. Present once there is something to judge. */
export type ScoreJson = {
	/** Deletions that had been predicted. */
	readonly judged: number;
	/** Those of them that came inside of every range predicted. */
	readonly inside: number;
	/** Null where no range was bounded. */
	readonly medianWidthSeconds: number | null;
	/** The latest of those that came outside. */
	readonly misses: readonly {
		readonly namespace: string;
		readonly name: string;
		readonly uid: string;
		readonly deletedAt: TimestampJson;
		readonly predictedAt: TimestampJson;
		readonly eviction: RangeJson | null;
		/** How far outside, in seconds. */
		readonly bySeconds: number;
	}[];
	/** Deletions that were not forecast. */
	readonly unforeseen: number;
	/** Deletions that others announced, by the reason of the pod's DisruptionTarget condition. Absent where nobody did. */
	readonly others?: {
		readonly PreemptionByScheduler?: number;
		readonly EvictionByEvictionAPI?: number;
		readonly TerminationByKubelet?: number;
	};
	/** Pods that were said to go, and stayed. */
	readonly falseAlarms: number;
	/** Pods that were evicted while they were shown as Held or Stays. */
	readonly falseHeld: number;
	/** The first range that was shown of each pod that was evicted, whatever changed after it. */
	readonly first: TallyJson;
	/** The same of what was shown a minute before. */
	readonly minuteBefore: TallyJson;
	/** For how long ranges were shown of pods that were evicted, or should have been. */
	readonly shownSeconds: number;
	/** For how long of that the pod then was evicted within the range. */
	readonly shownInsideSeconds: number;
};

/** Forecasts that were held against evictions. */
type TallyJson = {readonly judged: number; readonly inside: number};
