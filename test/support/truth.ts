import type {Instant} from '../../src/core/time/instant.ts';
import type {PodForecast} from '../../src/forecast/podForecast.ts';

/** What calls and clocks may take, in milliseconds. */
export const tolerance = 1000;
/** How long an outage is played on after a forecast, to see what happens. */
export const lookAhead = 700_000;

/** What a forecast said that did not come true; undefined where it did. `truth` is when the pod was deleted. */
export function whatIsWrong(
	{name, verdict, eviction}: PodForecast,
	truth: Instant | undefined,
	now: Instant,
): string | undefined {
	const said = eviction
		? `${(eviction.earliest - now) / 1000} to ${((eviction.latest ?? Number.POSITIVE_INFINITY) - now) / 1000} s`
		: 'nothing';
	if (truth === undefined) {
		const isDue = eviction !== null && eviction.latest !== null && eviction.latest < now + lookAhead;
		return isDue ? `${name} stays, but ${verdict} ${said}` : undefined;
	}
	const isInside =
		eviction !== null &&
		truth >= eviction.earliest - tolerance &&
		truth <= (eviction.latest ?? Number.POSITIVE_INFINITY) + tolerance;
	return isInside ? undefined : `${name} goes after ${(truth - now) / 1000} s, but ${verdict} ${said}`;
}
