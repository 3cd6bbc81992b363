import type {ApiVersion, ListJson, RangeJson, StreamedJson, TimestampJson} from './common.ts';

/** An observed deletion of a pod, with its prediction. */
export type PodDeletionJson = {
	/** Present if the object stands alone. */
	readonly apiVersion?: ApiVersion;
	readonly kind: 'PodDeletion';
	readonly metadata: StreamedJson & {
		readonly namespace: string;
		readonly name: string;
		/** Absent if only an event shows the deletion. */
		readonly uid?: string;
	};
	/** Empty if not known. */
	readonly node: string;
	readonly deletedAt: TimestampJson;
	/** Whether the pod was evicted; pods are also deleted for other reasons. */
	readonly isEviction: boolean;
	/** Which other component announced it, by the reason of its DisruptionTarget condition; absent if none did. */
	readonly by?: 'PreemptionByScheduler' | 'EvictionByEvictionAPI' | 'TerminationByKubelet';
	/** Whether it was before the start: only the event of its eviction shows it, and there was no prediction. */
	readonly isBefore: boolean;
	/** When it was first predicted; null if it was not. */
	readonly predictedAt: TimestampJson | null;
	/** The first predicted range. */
	readonly predicted: RangeJson | null;
	/** Whether the deletion is inside all predicted ranges; null if none was in time. */
	readonly isInside: boolean | null;
};

/** Printed by `events`. */
export type PodDeletionListJson = ListJson<'PodDeletion', PodDeletionJson>;
