import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {Random} from '../../../src/core/time/random.ts';
import {pointsOf} from '../../../src/forecast/pressure/observe/series.ts';
import {robustTrend} from '../../../src/forecast/pressure/observe/trend.ts';
import {remember} from '../../../src/forecast/pressure/pressureStore.ts';
import {crossing} from '../../../src/forecast/pressure/simulate/crossing.ts';

const line = (perSecond: number, count: number, off = (_index: number) => 0) =>
	Array.from({length: count}, (_, index) => ({
		at: index * 10_000,
		value: 1000 + perSecond * index * 10 + off(index),
	}));

test('a straight line has its slope, and no doubt', () => {
	expect(robustTrend(line(-5, 10))).toMatchObject({
		perSecond: {low: -5, median: -5, high: -5},
		points: 10,
		span: 90_000,
	});
	expect(robustTrend(line(-5, 10))?.noise).toBeCloseTo(0);
});

test('a wild point or two move the slope little', () => {
	const trend = robustTrend(line(-5, 20, (index) => (index % 9 === 4 ? 100_000 : 0)));
	expect(trend?.perSecond.median).toBe(-5);
	expect(trend?.noise).toBeGreaterThan(99_000);
});

test('a first measurement that lies off, of pods that start, is no noise of what follows', () => {
	for (const count of [8, 10, 13]) {
		const started = robustTrend(line(-5, count, (index) => (index === 0 ? 3000 : 0)));
		expect(started).toMatchObject({perSecond: {low: -5, median: -5, high: -5}, points: count - 1});
		expect(started?.noise).toBeCloseTo(0);
	}
});

test('what begins in the last step may have begun late in it, and be steeper than the step', () => {
	// Real measurements of a kubelet, in MB: a pod takes 8.4 per second from shortly before the fourth on.
	const measured = [24_836.4, 24_834.3, 24_832, 24_773.5];
	const points = measured.map((value, index) => ({at: index * 10_000, value}));
	const {low = 0, median = 0} = robustTrend(points)?.perSecond ?? {};
	expect(low).toBeLessThan(-8.4);
	expect(median).toBeGreaterThan(-3);
	// The next step contains the full rate.
	const next = robustTrend([...points, {at: 40_000, value: 24_688.5}])?.perSecond.low ?? 0;
	expect(next).toBeLessThan(-8);
	expect(next).toBeGreaterThan(-10);
});

test.for([4, 5, 6, 8, 12])(
	'the interval of a line through %i noisy points misses its slope in two of a hundred at most',
	(count) => {
		const random = new Random(count);
		const intervals = Array.from(
			{length: 2000},
			() => robustTrend(line(-5, count, () => random.next() * 16 - 8))?.perSecond,
		);
		const missed = intervals.filter((interval) => !interval || interval.low > -5 || interval.high < -5);
		expect(missed.length).toBeLessThan(40);
	},
);

test('fewer than three points, or all of one instant, make no trend', () => {
	expect(robustTrend(line(-5, 2))).toBeUndefined();
	expect(robustTrend([1, 2, 3].map((value) => ({at: 5, value})))).toBeUndefined();
});

test('any points: the median lies within its interval, and turned around in value so does all', () => {
	const point = fc.record({at: fc.nat({max: 300_000}), value: fc.integer({min: -1000, max: 1000})});
	fc.assert(
		fc.property(fc.array(point, {minLength: 3, maxLength: 30}), (points) => {
			const sorted = points.toSorted((a, b) => a.at - b.at);
			const trend = robustTrend(sorted);
			if (!trend) return;
			const {low, median, high} = trend.perSecond;
			expect(low).toBeLessThanOrEqual(median);
			expect(median).toBeLessThanOrEqual(high);
			const mirrored = robustTrend(sorted.map(({at, value}) => ({at, value: -value})))?.perSecond;
			expect(mirrored?.low).toBeCloseTo(-high);
			expect(mirrored?.high).toBeCloseTo(-low);
		}),
	);
});

const trend = (low: number, median: number, high: number) => ({
	perSecond: {low, median, high},
	noise: 0,
	points: 10,
	span: 90_000,
});

test('a threshold is crossed in a range, or not on this trend, or nobody knows', () => {
	const now = 1_000_000;
	expect(crossing(-1, undefined, now, now)).toEqual({type: 'met'});
	expect(crossing(0, undefined, now, now)).toEqual({type: 'unknown'});
	expect(crossing(100, trend(-20, -10, -5), now, now)).toEqual({
		type: 'expected',
		at: {earliest: now + 5_000, expected: now + 10_000, latest: now + 20_001},
	});
	expect(crossing(100, trend(-20, -10, 5), now, now)).toMatchObject({type: 'expected', at: {latest: null}});
	expect(crossing(100, trend(-20, 0, 5), now, now)).toEqual({
		type: 'possible',
		at: {earliest: now + 5_000, expected: now + 5_000, latest: null},
	});
	expect(crossing(100, trend(0, 1, 2), now, now)).toEqual({type: 'notOnThisTrend'});
	expect(crossing(1e12, trend(-2, -1, -1), now, now)).toEqual({type: 'notOnThisTrend'});
});

test('noise brings the earliest nearer and puts the latest off', () => {
	const noisy = {...trend(-10, -10, -10), noise: 50};
	expect(crossing(100, noisy, 0, 0)).toEqual({
		type: 'expected',
		at: {earliest: 5_000, expected: 10_000, latest: 15_001},
	});
	expect(crossing(20, noisy, 0, 0)).toMatchObject({at: {earliest: 0}});
});

test('a crossing is never before now, however old the measurement', () => {
	expect(crossing(100, trend(-10, -10, -10), 0, 60_000)).toMatchObject({
		at: {earliest: 60_000, expected: 60_000},
	});
});

test('a measurement that came twice counts once', () => {
	const sample = (seenAt: number, time: number | undefined, value: bigint) => ({
		seenAt,
		summary: {node: {memory: {...(time !== undefined && {time}), availableBytes: value}}, pods: []},
	});
	const read = ({
		node,
	}: {
		readonly node: {readonly memory?: {readonly time?: number; readonly availableBytes?: bigint}};
	}) =>
		node.memory?.availableBytes === undefined
			? undefined
			: {value: node.memory.availableBytes, time: node.memory.time};
	const samples = [
		sample(10, 5, 1n),
		sample(20, 5, 1n),
		sample(30, 25, 2n),
		sample(40, 99, 3n),
		sample(50, undefined, 4n),
	];
	expect(pointsOf(samples, read)).toEqual([
		{at: 5, value: 1},
		{at: 25, value: 2},
		{at: 40, value: 3},
		{at: 50, value: 4},
	]);
});

test('a history forgets what is more than five minutes old', () => {
	const summary = {node: {}, pods: []};
	const history = [0, 100_000, 290_000].reduce(
		(past, at) => remember(past, summary, at),
		remember([], summary, 0),
	);
	expect(remember(history, summary, 350_000).map(({seenAt}) => seenAt)).toEqual([100_000, 290_000, 350_000]);
});

test.for([6, 8, 12, 20])(
	'a leak that began %i measurements ago is told by its own pace, not by the calm before',
	(count) => {
		const calm = 31 - count;
		const noise = (index: number) => ((index * 7) % 5) - 2;
		const points = Array.from({length: 31}, (_, index) => ({
			at: index * 10_000,
			value: 1000 + noise(index) - Math.max(0, index - calm) * 100,
		}));
		const {perSecond} = robustTrend(points) ?? {perSecond: {low: 0, median: 0, high: 0}};
		expect(perSecond.median).toBeGreaterThan(-10.5);
		expect(perSecond.median).toBeLessThan(-9.5);
		expect([perSecond.low <= -10, perSecond.high >= -10]).toEqual([true, true]);
	},
);
