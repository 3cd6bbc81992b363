import {expect, test} from 'vitest';
import {type Instant, minute, second} from '../../../src/core/time/instant.ts';
import type {Recovery} from '../../../src/forecast/settings/learned/behaviour.ts';
import {learnPeriod} from '../../../src/forecast/settings/learned/learnedPeriod.ts';

/** Passes that were observed at these instants, under one leader, and wrote nothing. */
const seenAt = (...times: readonly Instant[]) =>
	times.map((at) => ({at: {lo: at, hi: at}, writesBefore: 0, steadySince: -minute}));

/** A node that was ready at zero, and whose taint was removed by the next pass. */
const clearedAfter = (delay: number, quietSince: Instant): Recovery => ({
	...{node: 'n1', ready: {lo: 0, hi: 0}, cleared: {lo: delay, hi: delay}, quietSince},
});

const shown = (parts: readonly (readonly [number, number | null])[] | undefined) =>
	parts?.map(([lo, hi]) => `${Math.round(lo)}-${Math.round(hi ?? Number.NaN)}`);

test('a period goes into each distance between two passes a whole number of times', () => {
	// Each may be off by a fifth of a second, and a pass takes a tenth: 15 s are six periods of at most 2533 ms, or three.
	const found = learnPeriod(seenAt(0, 10 * second, 25 * second), [], second / 10);
	expect(shown(found?.parts)?.slice(-2)).toEqual(['2367-2533', '4833-5067']);
	expect(found?.range[1]).toBeCloseTo(5066.67, 1);
	expect(found?.observations).toEqual([
		expect.stringMatching(/^2 distances between passes are whole numbers of /),
	]);
});

test('no pass lies between the return of a node and the removal of its taint', () => {
	const passes = seenAt(0, 9.8 * second);
	const quiet = clearedAfter(5.4 * second, -2 * minute);
	// At least 4.4 s later by both writes' clocks: one or two periods, but not three.
	expect(shown(learnPeriod(passes, [quiet], second)?.parts)).toEqual(['4000-5000', '8600-10000']);
	const busy = {...quiet, quietSince: -second};
	expect(learnPeriod(passes, [busy], second)?.range[0]).toBeLessThan(2 * second);
});

test('the shortest period that is looked for is a possible one', () => {
	expect(learnPeriod(seenAt(0, 9.8 * second), [], 0)?.range[0]).toBe(second);
});

test('passes that no period explains, or of different leaders, tell nothing', () => {
	expect(
		learnPeriod(seenAt(0, 7 * second, 18 * second), [clearedAfter(7 * second, -2 * minute)], 0),
	).toBeUndefined();
	const [first, later] = seenAt(0, 10 * second);
	const ofOther = later && {...later, steadySince: 5 * second};
	expect(
		learnPeriod(
			[first, ofOther].filter((one) => one !== undefined),
			[],
			0,
		),
	).toBeUndefined();
	expect(learnPeriod(seenAt(0), [], 0)).toBeUndefined();
});
