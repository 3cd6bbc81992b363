import type {Duration, Instant} from '../../core/time/instant.ts';
import type {PassInProgress} from './passInProgress.ts';
import type {PassSchedule} from './passSchedule.ts';

/**
 * When NoExecute passes run, relative to the monitor passes: just before each, which ends in a moment; just after the next
 * one has begun; in each, just before it judges the zones; or only after each.
 */
type NoExecuteAt = 'beforePass' | 'inNextPass' | 'inEachPass' | 'afterEachPass';

/** The seed of random choices without a tie-break: all legal choices are equivalent. */
export const anySeed = 1;

/** One hidden state that agrees with the evidence. */
export type Hypothesis = {
	readonly schedule: PassSchedule;
	/** The setting; one of several values if only a range is known. */
	readonly nodeMonitorPeriod: Duration;
	/** When the next pass begins, as a quantile of its range. */
	readonly passQuantile: number | 'inProgress';
	/** The position of every other unknown in its range: 0 is the earliest, 1 the latest. */
	readonly quantile: number;
	/** Whether the last pass, a long one, has judged the zones by all that it found; otherwise it may still wait for its client. */
	readonly isLastPassOver?: true;
	/** Whether kubelets that are only late, or whose clock is wrong, are dead; otherwise they are alive. */
	readonly areLateDead: boolean;
	readonly noExecuteAt: NoExecuteAt;
	/** The position of each zone's next token in its range, if it is not `quantile`. */
	readonly tokenQuantile?: number;
	/** By zone, the beginning of a pass just before which its bucket gets a token, if the range allows that. */
	readonly tokensBefore?: ReadonlyMap<string, Instant>;
	/** The tie-break among the nodes that wait for a taint, lowest first; random if absent. */
	readonly rankOf?: (node: string) => number;
	/**
	 * The pass in progress, if its actions are known: a throttled one (`findThrottledPass`), or one that may be over already
	 * (`findMaybeUnfinishedPass`).
	 */
	readonly passInProgress: PassInProgress | undefined;
};
