import {type Duration, type Instant, minute, never, second} from '../../../core/time/instant.ts';
import {Range} from '../../range.ts';
import {firmPoints, type Trend} from '../observe/trend.ts';

/** How far an amount was above a threshold when it was measured, and how it changes. */
export type Distance = {
	readonly distance: number;
	readonly trend: Trend | undefined;
	readonly measuredAt: Instant;
};

/** When an amount falls below a threshold. */
export type Crossing =
	/**
	 * `expected` if the trend continues; `possible` only on the steepest possible trend, which gives the expected time: then `at`
	 * has no latest time.
	 */
	| {readonly type: 'expected' | 'possible'; readonly at: Range}
	/** `unknown` if there are too few measurements. */
	| {readonly type: 'met' | 'notOnThisTrend' | 'unknown'; readonly at?: never};

/** A trend of minutes shows nothing of tomorrow. */
const trendHorizon: Duration = 24 * 60 * minute;

/** How long an amount that changes at a slope per second takes to fall by a margin. */
export const fallTime = (slope: number, margin: number): Duration =>
	slope < 0 ? (Math.max(0, margin) / -slope) * second : never;

/** When an amount falls by more than `distance` above the threshold, by its trend up to `measuredAt`. Zero is not below. */
export function crossing({distance, trend, measuredAt}: Distance, now: Instant): Crossing {
	if (distance < 0) return {type: 'met'};
	if (!trend) return {type: 'unknown'};
	const {low, median, high} = trend.perSecond;
	const from = (slope: number, margin: number) => Math.max(now, measuredAt + fallTime(slope, margin));
	// Rounded outwards to the millisecond, against rounding errors.
	const soonest = Math.floor(from(low, distance - trend.noise));
	// With few points, all measurements may be from before the fall began.
	const earliest = Number.isFinite(soonest) && trend.points < firmPoints ? now : soonest;
	const expected = from(median, distance);
	const latest = Math.ceil(from(high, distance + trend.noise)) + 1;
	const isFar = (at: Instant) => at - now > trendHorizon;
	if (isFar(earliest)) return {type: 'notOnThisTrend'};
	if (isFar(expected)) return {type: 'possible', at: new Range(earliest, earliest, null)};
	return {type: 'expected', at: Range.estimate(earliest, expected, isFar(latest) ? null : latest)};
}
