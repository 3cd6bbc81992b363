import type {Instant} from '../../core/time/instant.ts';
import type {Score} from '../../forecast/ledger/score.ts';
import type {Range} from '../../forecast/range.ts';

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
export type RangeJson = Readonly<{
	earliest: TimestampJson;
	/** The median of the simulated cases. */
	expected: TimestampJson;
	/**
	 * The central 80 % of the cases in which it happens; null if there is no telling. Where nothing more is known than its ends and its
	 * median, both halves of a range count as even.
	 */
	likely: {readonly from: TimestampJson; readonly until: TimestampJson} | null;
	/** How likely it happens at all; absent if that is certain, or unknown. */
	probability?: number;
	/** Null without an upper bound: it may never happen. */
	latest: TimestampJson | null;
}>;

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
	readonly observedAt: Instant;
};

/** An object that a command prints by itself. */
export type PrintedJson<Kind extends string, Metadata = ListMetadataJson> = {
	readonly apiVersion: ApiVersion;
	readonly kind: Kind;
	readonly metadata: Metadata;
};

/** A list of one kind. */
export type ListJson<Kind extends string, Item> = PrintedJson<`${Kind}List`> & {
	readonly items: readonly Item[];
};

/** An item of a list or a stream. */
export type ItemJson<Kind extends string, Metadata> = {
	/** Present if the object stands alone. */
	readonly apiVersion?: ApiVersion;
	readonly kind: Kind;
	readonly metadata: StreamedJson & Metadata;
};

/** The accuracy of a watch so far: predictions compared with what happened. Present once there is something to compare. */
export type ScoreJson = Pick<Score, 'judged' | 'inside' | 'unforeseen' | 'ends' | 'others' | 'falseAlarms'> &
	Pick<Score['shown'], 'falseHeld' | 'first' | 'minuteBefore' | 'odds'> &
	Readonly<{
		/** Null if no range had an upper bound. */
		medianWidthSeconds: number | null;
		/** The latest deletions outside their range. */
		misses: readonly (Pick<Score['misses'][number], 'namespace' | 'name' | 'uid'> &
			Readonly<{
				deletedAt: Instant;
				predictedAt: Instant;
				eviction: Range | null;
				/** The distance from the range, in seconds. */
				bySeconds: number;
			}>)[];
		/** The total time in which ranges were shown of pods that were evicted, or should have been. */
		shownSeconds: number;
		/** The part of that time in which the range shown was right. */
		shownInsideSeconds: number;
	}>;

/** The metadata of an object of a stream. */
export type StreamedJson = {
	/** Only in a watch. */
	readonly score?: ScoreJson;
	/** The recorded time; only in a stream from a recording. */
	readonly observedAt?: Instant;
};
