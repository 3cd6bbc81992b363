import {expect, test} from 'vitest';
import {Range} from '../../src/forecast/range.ts';

test('ends that contradict each other are put in order, and the median lies between them', () => {
	expect(new Range(110, 120, 107)).toMatchObject({earliest: 107, expected: 110, latest: 110});
	expect(new Range(10, 5, null)).toMatchObject({earliest: 10, expected: 10, latest: null});
	expect(new Range(10, 15, Number.POSITIVE_INFINITY).latest).toBe(null);
});

test('what has not happened yet happens from now on, however late its latest was', () => {
	expect(new Range(1, 2, 3).notBefore(7)).toMatchObject({earliest: 7, expected: 7, latest: 7});
	expect(new Range(1, 5, 9).notBefore(3)).toMatchObject({earliest: 3, expected: 6, latest: 9});
});

test('another end that lies before the earliest leaves a range in order', () => {
	expect(new Range(5, 6, 7).until(3)).toMatchObject({earliest: 3, expected: 5, latest: 5});
});

test('of a bounded range the central part of each half is likely, unless more is known', () => {
	expect(new Range(0, 50, 250).likely).toEqual({from: 10, until: 210});
	expect(new Range(0, 50, 250, {likely: {from: 40, until: 60}}).likely).toEqual({from: 40, until: 60});
	expect(new Range(0, 50, null).likely).toBe(null);
	// What is told of it lies within it, around the median.
	expect(new Range(0, 50, 250, {likely: {from: 60, until: 300}}).likely).toEqual({from: 50, until: 250});
});

test('times that are over count no more: what is left is spread as before', () => {
	const range = new Range(0, 100, 200);
	expect([0, 50, 100, 150, 200, 300].map((at) => range.shareBy(at))).toEqual([0, 0.25, 0.5, 0.75, 1, 1]);
	const later = range.notBefore(100);
	expect(later).toMatchObject({earliest: 100, expected: 150, latest: 200});
	expect(later.likely?.from).toBeCloseTo(110);
	expect(later.likely?.until).toBeCloseTo(190);
});

test('a range that may have begun at any time has odds that are times, or none', () => {
	const begin = Number.NEGATIVE_INFINITY;
	expect(new Range(begin, 100, 200).likely).toBe(null);
	const later = new Range(begin, 100, 200, {likely: {from: 50, until: 150}}).notBefore(60);
	expect(later).toMatchObject({earliest: 60, latest: 200});
	expect(later.expected).toBeGreaterThanOrEqual(100);
	expect(later.likely?.from).toBeGreaterThan(60);
	expect(later.likely?.until).toBeLessThan(200);
});

test('an event that did not come so far is the less likely to come at all', () => {
	const perhaps = new Range(0, 100, 200, {probability: 0.5});
	expect(perhaps.shareBy(100)).toBe(0.25);
	expect(perhaps.notBefore(100).probability).toBeCloseTo(1 / 3);
	expect(new Range(0, 100, 200).notBefore(100).probability).toBeUndefined();
});

test('a wait for a turn moves the median by what is usual, the end by the longest', () => {
	const waiting = new Range(0, 10, 20).delayed({longest: 100, usual: 50});
	expect(waiting).toMatchObject({earliest: 0, expected: 60, latest: 120, likely: {from: 33.5, until: 86.5}});
});
