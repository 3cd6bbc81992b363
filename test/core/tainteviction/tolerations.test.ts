import * as fc from 'fast-check';
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

/** The rule as a loop over all, as upstream writes it: -1 is forever. */
function naiveMinimum(seconds: readonly (number | undefined)[]): number {
	if (seconds.length === 0) return 0;
	let least = Number.MAX_SAFE_INTEGER;
	for (const one of seconds) {
		if (one === undefined) continue;
		if (one <= 0) return 0;
		if (one < least) least = one;
	}
	return least === Number.MAX_SAFE_INTEGER ? -1 : least * 1000;
}

test('any list of seconds has the minimum that a plain loop finds', () => {
	fc.assert(
		fc.property(fc.array(fc.option(fc.integer({min: -5, max: 400}), {nil: undefined})), (seconds) => {
			expect(minimum(...seconds) ?? -1).toBe(naiveMinimum(seconds));
		}),
		{numRuns: 500},
	);
});
