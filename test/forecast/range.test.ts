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

test('another end that lies before the earliest leaves a range in order', () => {
	expect(new Range(5, 6, 7).until(3)).toEqual({earliest: 3, expected: 5, latest: 5});
});
