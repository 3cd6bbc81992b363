import {formatTaint, type Taint, taintOutOfService} from '../../core/model/taint.ts';
import {type Duration, second} from '../../core/time/instant.ts';
import type {Stop} from '../infer/evictionStop.ts';
import type {Cause, Held} from '../podForecast.ts';
import {Range} from '../range.ts';
import type {Simulated} from '../simulate/simulated.ts';

/** How long after its latest time a deletion still counts as on its way. */
export const overdueAfter: Duration = 2 * second;

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
