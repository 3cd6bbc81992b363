import type {ApiVersion, ListJson, RangeJson, ScoreJson, TimestampJson} from './common.ts';

/** A deletion of a pod that was seen, beside what had been predicted of it. */
export type PodDeletionJson = {
	/** Present where the object stands alone. */
	readonly apiVersion?: ApiVersion;
	readonly kind: 'PodDeletion';
	readonly metadata: {
		readonly namespace: string;
		readonly name: string;
		/** Absent where an event alone tells of the deletion. */
		readonly uid?: string;
		/** In a watch alone. */
		readonly score?: ScoreJson;
		/** The recorded time, in a stream from a recording alone. */
		readonly observedAt?: TimestampJson;
	};
	/** Empty where it is not known. */
	readonly node: string;
	readonly deletedAt: TimestampJson;
	/** Whether the pod was evicted; others delete pods, too. */
	readonly isEviction: boolean;
	/** Who else announced it, by the reason of its DisruptionTarget condition; absent where nobody did. */
	readonly by?: 'PreemptionByScheduler' | 'EvictionByEvictionAPI' | 'TerminationByKubelet';
	/** Whether it was before the start: the event of its eviction tells of it, and nothing had been predicted. */
	readonly isBefore: boolean;
	/** When it was first predicted; null where it was not. */
	readonly predictedAt: TimestampJson | null;
	/** For when it was first predicted. */
	readonly predicted: RangeJson | null;
	/** Whether it lies in all that was predicted; null where nothing was in time. */
	readonly isInside: boolean | null;
};

/** What `events` prints. */
export type PodDeletionListJson = ListJson<'PodDeletion', PodDeletionJson>;
