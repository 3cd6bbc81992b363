import {type Duration, second} from '../../core/time/instant.ts';
import type {Stop} from '../infer/evictionStop.ts';
import type {Held} from '../podForecast.ts';
import {Range} from '../range.ts';
import type {Simulated} from '../simulate/simulated.ts';

/** A stopped eviction as a forecast shows it, and when the pod goes were the stop to end now. */
export const heldWith = ({by, since, releasedBy}: Stop, ifReleasedNow: Range): Held => ({
	by,
	since,
	releasedBy,
	ifReleasedNow,
});

/** A stopped eviction (why: `infer/evictionStop.ts`) as a forecast shows it: `tolerated` after the taint, were the stop to end now. */
export function heldBy(stop: Stop, tolerated: Duration, waiting: number, situation: Simulated): Held {
	const {now, settings} = situation;
	const earliest = now + stop.firstAfter + tolerated;
	const per = settings.nodeEvictionRate > 0 ? second / settings.nodeEvictionRate : Number.POSITIVE_INFINITY;
	// Without a rate, `per` is infinite: one that is alone waits for nobody.
	const line = waiting > 1 ? (waiting - 1) * per : 0;
	const last = earliest + settings.nodeMonitorPeriod + second + line;
	return heldWith(stop, Range.over({lo: earliest, hi: last}));
}
