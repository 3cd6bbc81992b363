import type {PassSchedule} from './passSchedule.ts';
import type {PassInProgress} from './throttledPass.ts';
/** One hidden state that agrees with the evidence. */
export type Hypothesis = {
	readonly schedule: PassSchedule;
	/** Which of the instants of the next pass it tries, as a quantile of their range; -1 for a pass at work now. */
	readonly passQuantile: number;
	/** Where in each of its ranges every other unknown lies: 0 at the earliest, 1 at the latest. */
	readonly quantile: number;
	readonly seed: number;
	/** The tie-break among the nodes that wait for a taint, lowest first; a random order where it is not given. */
	readonly rankOf?: (node: string) => number;
	/**
	 * The pass that is at work now, where it is known what it has done: a throttled one (`findThrottledPass`), or one that may
	 * be over already (`findMaybeUnfinishedPass`).
	 */
	readonly passInProgress: PassInProgress | undefined;
};
