import type {Problem} from '../../core/model/problem.ts';
import {beginningOfTime, type Duration, type Instant, minute, second} from '../../core/time/instant.ts';
import {clockTime} from '../../dates/utc.ts';

/** Shorter gaps are not reported: every reconnection leaves one. */
export const shortestReported: Duration = 2 * second;
/** How long a past gap is shown. Its effects have become visible by then. */
const shownFor: Duration = 5 * minute;

const undeliveredCause =
	'. Watches are open, but do not deliver the changes that lists show: perhaps a proxy holds them back, or etcd was restored';

/** A period in which some collection was not watched, which is over. */
export type UnwatchedPeriod = {readonly from: Instant; readonly to: Instant};

/**
 * The problems of periods in which some collection was not watched: they widen forecasts.
 *
 * @param isUndelivered whether the watch of a lost collection is open, and does not deliver what a list shows
 */
export function watchProblems(
	now: Instant,
	lostSince: Instant | undefined,
	isUndelivered: boolean,
	{from, to}: UnwatchedPeriod = {from: 0, to: beginningOfTime},
): readonly Problem[] {
	const problems: Problem[] = [];
	if (lostSince !== undefined && now - lostSince >= shortestReported)
		problems.push(interrupted(lostSince, `forecasts are as of then${isUndelivered ? undeliveredCause : ''}`));
	if (now - to <= shownFor)
		problems.push({
			reason: 'WatchGap',
			message: `not watched from ${clockTime(from)} to ${clockTime(to)}: the exact times of what happened then are not known, and ranges are wider`,
		});
	return problems;
}

/** The problem of an interrupted watch. @param consequence what follows, or the reason */
export const interrupted = (since: Instant, consequence: string): Problem => ({
	reason: 'WatchInterrupted',
	message: `watches have been interrupted since ${clockTime(since)}: ${consequence}`,
});
