import type {Duration, Instant} from '../../core/time/instant.ts';
import type {PassInProgress} from './passInProgress.ts';
import type {PassSchedule} from './passSchedule.ts';

/**
 * When NoExecute passes come, beside the monitor passes: just before each, which is over in a moment; a moment after the next
 * one has begun; in each, just before it judges the zones; or only once each is over.
 */
type NoExecuteAt = 'beforePass' | 'inNextPass' | 'inEachPass' | 'afterEachPass';

/** Of what chance decides in a machine, where no tie-break does: one legal choice is as good as another. */
export const anySeed = 1;

/** One hidden state that agrees with the evidence. */
export type Hypothesis = {
	readonly schedule: PassSchedule;
	/** The setting: one of several, where only a range is known. */
	readonly nodeMonitorPeriod: Duration;
	/** When the next pass begins, as a quantile of its range. */
	readonly passQuantile: number | 'inProgress';
	/** Where every other unknown lies in its range: 0 at the earliest, 1 at the latest. */
	readonly quantile: number;
	/** Whether the kubelets that are only late, or whose clock is wrong, are dead; they are alive where that is false. */
	readonly areLateDead: boolean;
	readonly noExecuteAt: NoExecuteAt;
	/** Where each zone's next token lies in its range, where that is not at `quantile`. */
	readonly tokenQuantile?: number;
	/** When the passes begin just before which a zone's bucket gets a token, where its range allows that. */
	readonly tokensBefore?: ReadonlyMap<string, Instant>;
	/** The tie-break among the nodes that wait for a taint, lowest first; a random order where it is not given. */
	readonly rankOf?: (node: string) => number;
	/**
	 * The pass in progress, where it is known what it has done: a throttled one (`findThrottledPass`), or one that may be over
	 * already (`findMaybeUnfinishedPass`).
	 */
	readonly passInProgress: PassInProgress | undefined;
};
