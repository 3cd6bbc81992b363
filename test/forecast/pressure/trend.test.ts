import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {Random} from '../../../src/core/time/random.ts';
import {robustTrend} from '../../../src/forecast/pressure/observe/trend.ts';

const line = (perSecond: number, count: number, off = (_index: number) => 0) =>
	Array.from({length: count}, (_, index) => ({
		at: index * 10_000,
		value: 1000 + perSecond * index * 10 + off(index),
	}));

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
