import {compareValues} from '../../../core/collections/compareValues.ts';
import {maxOf, minOf} from '../../../core/collections/extremes.ts';
import {type Duration, type Instant, second} from '../../../core/time/instant.ts';

export type Point = {readonly at: Instant; readonly value: number};

/** How an amount has been changing: a robust line through the measurements, and its uncertainty. */
export type Trend = Readonly<{
	/** Change per second: the median, and the ends of its 99% confidence interval. */
	perSecond: {readonly low: number; readonly median: number; readonly high: number};
	/** The low end without the last step, which may be noise; absent if it is the same. */
	lowBefore?: number;
	/** The distance of the worst measurement, or of the largest step of few, from the line: a pass may act on it. */
	noise: number;
	/** The number of measurements, and the time that they span. */
	points: number;
	span: Duration;
}>;

const fewestPoints = 3;
/** With fewer points nothing is certain: all may belong to a start that ends soon. */
export const firmPoints = 4;
/** So many of the last points may begin a new trend. */
const newest = 3;
const lastStep = 2;
const standardNormal99 = 2.576;
/** How many times the noise over its span tilts a line through the fewest firm points, in one of a hundred. */
const tiltOfFew = 6;

/** A line goes through this many of the last points: what was before may have been another. */
const inLine = 7;
/** This many are of the last minute. */
const ofMinute = 6;

/**
 * The trend of the last points: a leak that began in the middle continues at its own pace, not at the mean of before and after.
 * With few points it may end at once, and the last points may begin another: the interval covers both. Undefined if there are
 * too few points.
 *
 * @param fewest points for a trend
 */
export function robustTrend(points: readonly Point[], fewest = fewestPoints): Trend | undefined {
	if (points.length < fewest) return undefined;
	const trend = lineThrough(points.slice(-inLine));
	if (!trend) return undefined;
	return points.length < firmPoints ? unfirm(trend, points) : withNewest(trend, points);
}

function unfirm(trend: Trend, points: readonly Point[]): Trend {
	const {low, median, high} = trend.perSecond;
	const steps = points.slice(1).map(({value}, index) => Math.abs(value - (points[index]?.value ?? value)));
	return {
		...trend,
		perSecond: {low: Math.min(low, 0), median, high: Math.max(high, 0)},
		noise: maxOf(steps, trend.noise),
	};
}

/** Covers the slopes of the last minute, and of the last points. */
function withNewest(trend: Trend, points: readonly Point[]): Trend {
	const slopeOf = (count: number) => lineThrough(points.slice(-count))?.perSecond.median ?? [];
	const slopes = [ofMinute, newest].flatMap(slopeOf);
	const ofStep = [lastStep].flatMap(slopeOf);
	const {low, median, high} = trend.perSecond;
	// Slow noise tilts the line. Few points may lie on a wrong line by chance.
	const tilt =
		((trend.points === firmPoints ? tiltOfFew : 1) * trend.noise) / Math.max(1, trend.span / second);
	const lowBefore = minOf([low, median - tilt, ...slopes]);
	const perSecond = {
		low: minOf(ofStep, lowBefore),
		median,
		high: maxOf([high, median + tilt, ...slopes, ...ofStep]),
	};
	return {...trend, perSecond, ...(perSecond.low < lowBefore && {lowBefore})};
}

/**
 * A line through points by Theil and Sen: the median of the slopes between all pairs, which a third of outliers does not
 * move; its interval is Sen's, by ranks. Undefined if there are too few points.
 */
function lineThrough(points: readonly Point[]): Trend | undefined {
	const [first, last] = [points[0], points.at(-1)];
	if (!first || !last || last.at <= first.at) return undefined;
	const slopes = pairwiseSlopes(points).toSorted(compareValues);
	const median = quantile(slopes, 0.5);
	const margin = rankMargin(points.length) / slopes.length;
	return {
		perSecond: {
			low: quantile(slopes, 0.5 - margin),
			median,
			high: quantile(slopes, 0.5 + margin),
		},
		noise: noiseAround(points, median),
		points: points.length,
		span: last.at - first.at,
	};
}

function pairwiseSlopes(points: readonly Point[]): readonly number[] {
	return points.flatMap((a, index) =>
		points
			.slice(index + 1)
			.filter((b) => b.at > a.at)
			.map((b) => ((b.value - a.value) / (b.at - a.at)) * second),
	);
}

/** Half of Sen's confidence interval, in ranks of the slopes: all of them if there are few. */
function rankMargin(count: number): number {
	const pairs = (count * (count - 1)) / 2;
	const deviation = Math.sqrt((count * (count - 1) * (2 * count + 5)) / 18);
	return Math.min(pairs / 2, (standardNormal99 * deviation) / 2);
}

/** How far points may lie from a line of this slope through the newest; few points may not include the worst. */
function noiseAround(points: readonly Point[], slope: number): number {
	const newest = points.at(-1);
	if (!newest || points.length < 2) return 0;
	const off = ({at, value}: Point) => value - newest.value - (slope * (at - newest.at)) / second;
	const worst = maxOf(points.map((point) => Math.abs(off(point))));
	return (worst * (points.length + 1)) / (points.length - 1);
}

/** The quantile of sorted numbers, interpolated between two of them. */
function quantile(sorted: readonly number[], share: number): number {
	const place = Math.min(1, Math.max(0, share)) * (sorted.length - 1);
	const [below, above] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0];
	return below + (above - below) * (place - Math.floor(place));
}
