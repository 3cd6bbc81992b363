import {expect, test} from 'vitest';
import {Range} from '../../src/forecast/range.ts';

test('ends that contradict each other are put in order, and the median lies between them', () => {
	expect(new Range(110, 120, 107)).toEqual({earliest: 107, expected: 110, latest: 110});
	expect(new Range(10, 5, null)).toEqual({earliest: 10, expected: 10, latest: null});
	expect(new Range(10, 15, Number.POSITIVE_INFINITY).latest).toBe(null);
});

test('what has not happened yet happens from now on, however late its latest was', () => {
	expect(new Range(1, 2, 3).notBefore(7)).toEqual({earliest: 7, expected: 7, latest: 7});
	expect(new Range(1, 5, 9).notBefore(3)).toEqual({earliest: 3, expected: 5, latest: 9});
});

test('ranges are near each other where both of their ends are', () => {
	const range = new Range(10, 15, 20);
	expect(range.isNear(new Range(12, 12, 22), 3)).toBe(true);
	expect(range.isNear(new Range(12, 12, 22), 2)).toBe(false);
	expect(range.isNear(new Range(8, 8, 18), 3)).toBe(true);
	expect(range.isNear(new Range(7, 15, 20), 3)).toBe(false);
	expect(range.isNear(new Range(10, 15, 23), 3)).toBe(false);
});

test('a range without an end is near none that has one', () => {
	const endless = new Range(0, 0, null);
	expect(endless.isNear(new Range(1, 1, null), 2)).toBe(true);
	expect(endless.isNear(new Range(5, 5, null), 2)).toBe(false);
	expect(endless.isNear(new Range(0, 0, 1), 2)).toBe(false);
	expect(new Range(0, 0, 1).isNear(endless, 2)).toBe(false);
});

test('another end that lies before the earliest leaves a range in order', () => {
	expect(new Range(5, 6, 7).until(3)).toEqual({earliest: 3, expected: 5, latest: 5});
});
