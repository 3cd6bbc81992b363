import {nodeEvictionPeriod} from '../../core/nodelifecycle/zones/rateLimitedTimedQueue.ts';
import type {Duration, Instant} from '../../core/time/instant.ts';
import {isEarly} from '../observe/interval.ts';
import {callDuration} from '../observe/latencies.ts';
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
export type Hypothesis = Readonly<{
	schedule: PassSchedule;
	/** The setting; one of several values if only a range is known. */
	nodeMonitorPeriod: Duration;
	/** When the next pass begins, as a quantile of its range. */
	passQuantile: number | 'inProgress';
	/** The position of every other unknown in its range: 0 is the earliest, 1 the latest. */
	quantile: number;
	/** Whether the last pass, a long one, has judged the zones by all that it found; otherwise it may still wait for its client. */
	isLastPassOver?: true;
	/** Whether kubelets that are only late, or whose clock is wrong, are dead; otherwise they are alive. */
	areLateDead: boolean;
	noExecuteAt: NoExecuteAt;
	/** The position of each zone's next token in its range, if it is not `quantile`. */
	tokenQuantile?: number;
	/** By zone, the beginning of a pass just before which its bucket gets a token, if the range allows that. */
	tokensBefore?: ReadonlyMap<string, Instant>;
	/** The tie-break among the nodes that wait for a taint, lowest first; random if absent. */
	rankOf?: (node: string) => number;
	/**
	 * The pass in progress, if its actions are known: a throttled one (`findThrottledPass`), or one that may be over already
	 * (`findMaybeUnfinishedPass`).
	 */
	passInProgress: PassInProgress | undefined;
}>;

/**
 * When the next NoExecute pass runs. At one extreme that is just after a monitor pass has queued a node and before it judges
 * the zones; at the other it is just before the monitor pass. If one runs in each monitor pass, it is neither.
 */
export function noExecutePassAt(hypothesis: Hypothesis, now: Instant): Instant {
	const {passInProgress, quantile, noExecuteAt} = hypothesis;
	const isShort = passInProgress?.isThrottled === false;
	const isBetween = quantile > 0 && isEarly(quantile);
	// An unthrottled pass ends in a moment: a NoExecute pass may come before or after that.
	const isLast = noExecuteAt === 'beforePass' || noExecuteAt === 'afterEachPass';
	if (isShort && !isBetween) return isLast ? now + nodeEvictionPeriod - 1 : now + 1;
	const at = isShort ? amidPass(passInProgress) : besidePass(hypothesis);
	return now + ((((at - now) % nodeEvictionPeriod) + nodeEvictionPeriod) % nodeEvictionPeriod);
}

const besidePass = ({schedule: {nextPass}, noExecuteAt}: Hypothesis): Instant =>
	nextPass +
	{
		beforePass: -1,
		inNextPass: callDuration.hi + 1,
		inEachPass: nodeEvictionPeriod / 2,
		afterEachPass: nodeEvictionPeriod - 1,
	}[noExecuteAt];

/** By then a later pass, like the one in progress, has turned a node Unknown and not marked its pods. */
const amidPass = ({startedAt}: PassInProgress): Instant => startedAt + 1.5 * callDuration.hi;
