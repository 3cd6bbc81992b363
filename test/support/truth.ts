import type {Instant} from '../../src/core/time/instant.ts';
import type {PodForecast} from '../../src/forecast/podForecast.ts';

/** The allowance for calls and clocks, in milliseconds. */
export const tolerance = 1000;
/** How long after a forecast an outage is played on, in milliseconds. */
export const lookAhead = 700_000;

/** How a forecast is wrong; undefined if it is right. `truth` is when the pod was deleted. */
export function whatIsWrong(
	{name, verdict, eviction}: PodForecast,
	truth: Instant | undefined,
	now: Instant,
): string | undefined {
	const rangeText = eviction
		? `${(eviction.earliest - now) / 1000} to ${((eviction.latest ?? Number.POSITIVE_INFINITY) - now) / 1000} s`
		: 'nothing';
	if (truth === undefined) {
		const isDue = eviction !== null && eviction.latest !== null && eviction.latest < now + lookAhead;
		return isDue ? `${name} stays, but ${verdict} ${rangeText}` : undefined;
	}
	const isInside =
		eviction !== null &&
		truth >= eviction.earliest - tolerance &&
		truth <= (eviction.latest ?? Number.POSITIVE_INFINITY) + tolerance;
	return isInside ? undefined : `${name} goes after ${(truth - now) / 1000} s, but ${verdict} ${rangeText}`;
}
