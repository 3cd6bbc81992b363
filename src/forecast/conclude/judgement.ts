import {formatTaint, type Taint, taintOutOfService} from '../../core/model/taint.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import type {Stop} from '../infer/evictionStop.ts';
import type {PodTimer} from '../observe/countdowns/podTimers.ts';
import type {Cause, Held, PodVerdict} from '../podForecast.ts';
import {Range} from '../range.ts';
import type {Simulated} from '../simulate/simulated.ts';
import type {Merged} from './merge.ts';

/** How long after its latest time a deletion still counts as on its way. */
export const overdueAfter: Duration = 2 * second;

/** Whether a countdown should have led to a deletion by now. @param delay how late deletions are that are due */
export const isOverdue = ({fires}: PodTimer, now: Instant, delay: Duration): boolean =>
	fires.hi + overdueAfter + delay < now;

/** The verdict on a pod that is deleted in all runs, or in some. @param isRunning whether its countdown runs */
export const verdictOn = (happens: Merged['happens'], isRunning: boolean): PodVerdict =>
	happens === 'sometimes' ? 'Unsure' : isRunning ? 'Scheduled' : 'Expected';

/** A taint as the cause of a deletion. */
export function causeOf(taint: Taint, tolerated: Duration): Cause {
	const kind = taint.key === taintOutOfService ? 'OutOfService' : 'Taint';
	return {kind, taint: formatTaint(taint), tolerationSeconds: tolerated === 0 ? null : tolerated / second};
}

/** What holds a pod, as a forecast shows it. @param ifReleasedNow when the pod is deleted if the stop ends now */
export const heldWith = ({by, since, releasedBy}: Stop, ifReleasedNow: Range): Held => ({
	by,
	since,
	releasedBy,
	ifReleasedNow,
});

/**
 * When a held pod is deleted if the stop (`infer/evictionStop.ts`) ends now: its node gets its taint, and the pod goes `tolerated`
 * later.
 *
 * @param turns when the node turns Unknown, if it has not yet
 */
export function deletionIfReleased(
	stop: Stop,
	tolerated: Duration,
	waiting: number,
	situation: Simulated,
	turns?: Range | null,
): Range {
	const {now, settings} = situation;
	const from = Math.max(now, turns?.earliest ?? now);
	const until = turns ? Math.max(now, turns.end) : now;
	const earliest = from + stop.firstAfter + tolerated;
	const per = settings.nodeEvictionRate > 0 ? second / settings.nodeEvictionRate : Number.POSITIVE_INFINITY;
	// Without a rate, `per` is infinite: a single node waits for no other.
	const queueTime = waiting > 1 ? (waiting - 1) * per : 0;
	const last = earliest + (until - from) + settings.nodeMonitorPeriod + second + queueTime;
	return Range.over({lo: earliest, hi: last});
}
