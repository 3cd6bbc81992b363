import type {Instant} from '../../time/instant.ts';

/** A rule of a podFailurePolicy; the first that matches a failed pod decides. */
export type FailureRule = {
	/** Ignore, Count, FailIndex or FailJob. */
	readonly action: string;
	/** Matches exit codes other than 0. Absent if it asks for conditions. */
	readonly exitCodes?: {readonly isIn: boolean; readonly values: readonly number[]} | undefined;
	/** The conditions of a pod of which one must match, of those that are known of pods. */
	readonly conditions: readonly {readonly type: string; readonly status: string}[];
};

/** What decides which pods a Job makes, and what ends it. */
export type JobRules = Readonly<{
	parallelism: number;
	/** Absent if it ends with its first success. */
	completions?: number | undefined;
	isIndexed: boolean;
	isSuspended: boolean;
	backoffLimit: number;
	backoffLimitPerIndex?: number | undefined;
	maxFailedIndexes?: number | undefined;
	/** podReplacementPolicy Failed. */
	replacesOnlyFailed: boolean;
	/** When it fails by its activeDeadlineSeconds. */
	deadline?: Instant | undefined;
	failurePolicy?: readonly FailureRule[] | undefined;
	/** Complete or Failed, once it has ended. FailureTarget, SuccessCriteriaMet: it is about to. */
	ended?: string | undefined;
	/** The counts of its status. */
	active: number;
	succeeded: number;
	failed: number;
	/** As in `1,3-5`. */
	completedIndexes: string;
	failedIndexes: string;
}>;
