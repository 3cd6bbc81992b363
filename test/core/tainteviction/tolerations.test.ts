import {expect, test} from 'vitest';
import {minTolerationTime} from '../../../src/core/tainteviction/tolerations.ts';
import {tolerates} from '../../support/builders.ts';

const minimum = (...seconds: readonly (number | undefined)[]) =>
	minTolerationTime(seconds.map((one) => tolerates('gpu', one)));

test('zero and negative seconds mean at once, and so does an empty list', () => {
	expect([minimum(0), minimum(-1), minimum(-1, 300), minimum()]).toEqual([0, 0, 0, 0]);
});

test('seconds that overflow int64 nanoseconds wrap: to a time that is too short, or for ever where negative', () => {
	expect(minimum(9_223_372_036)).toBe(9_223_372_036_000);
	expect(minimum(9_223_372_037)).toBe(undefined);
	expect(minimum(18_446_744_074)).toBe(290);
	// The maximum int64, as JSON.parse reads it.
	expect(minimum(Number(2n ** 63n - 1n))).toBe(undefined);
});
