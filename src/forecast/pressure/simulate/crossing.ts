import {type Duration, type Instant, minute, second} from '../../../core/time/instant.ts';
import {Range} from '../../range.ts';
import {firmPoints, type Trend} from '../observe/trend.ts';

/** When an amount falls below a threshold. */
export type Crossing =
	/** It is below already. */
	| {readonly type: 'met'}
	/** It falls below if the trend goes on. */
	| {readonly type: 'expected'; readonly at: Range}
	/** It falls below only if the trend is as steep as it may be; `at` has no latest, and the steepest as expected. */
	| {readonly type: 'possible'; readonly at: Range}
	| {readonly type: 'notOnThisTrend'}
	/** Too little was seen to tell; `about`: if it goes on falling as it has since its condition turned True. */
	| {readonly type: 'unknown'; readonly about?: Instant};

/** A trend of minutes says nothing of tomorrow. */
const trendHorizon: Duration = 24 * 60 * minute;

/**
 * When an amount falls by more than `distance`, by what its trend was up to `measuredAt`.
 *
 * @param distance above the threshold; zero is not below it
 */
export function crossing(
	distance: number,
	trend: Trend | undefined,
	measuredAt: Instant,
	now: Instant,
): Crossing {
	if (distance < 0) return {type: 'met'};
	if (!trend) return {type: 'unknown'};
	const {low, median, high} = trend.perSecond;
	const from = (slope: number, margin: number) =>
		slope < 0
			? Math.max(now, measuredAt + (Math.max(0, margin) / -slope) * second)
			: Number.POSITIVE_INFINITY;
	// To the millisecond, outwards: fractions leave dust behind.
	const soonest = Math.floor(from(low, distance - trend.noise));
	// What was seen of it may all be before it began.
	const earliest = Number.isFinite(soonest) && trend.points < firmPoints ? now : soonest;
	const expected = from(median, distance);
	const latest = Math.ceil(from(high, distance + trend.noise)) + 1;
	const isFar = (at: Instant) => at - now > trendHorizon;
	if (isFar(earliest)) return {type: 'notOnThisTrend'};
	if (isFar(expected)) return {type: 'possible', at: new Range(earliest, earliest, null)};
	return {type: 'expected', at: Range.estimate(earliest, expected, isFar(latest) ? null : latest)};
}
