import {expect, test} from 'vitest';
import {never} from '../../../src/core/time/instant.ts';
import {taintRanges, type Wait} from '../../../src/forecast/simulate/chance.ts';

const waiting = (joinedAt: number, taintedAt?: number): Wait => ({
	...{node: `joined at ${joinedAt}`, joinedAt, taintedAt},
	due: {lo: joinedAt, hi: joinedAt},
});

test('each of the nodes that wait together may get any of their tokens', () => {
	const range = {lo: 20_000, hi: 40_000, places: 3};
	expect(
		taintRanges(
			[waiting(10_000, 20_000), waiting(10_000, 30_000), waiting(10_000, 40_000), waiting(50_000, 60_000)],
			undefined,
		),
	).toEqual([range, range, range, {lo: 60_000, hi: 60_000, places: 1}]);
});

test('in a stopped zone some get the tokens that came, and one that joined later gets none', () => {
	const range = {lo: 20_000, hi: never, places: 2, chance: 2 / 3, until: 30_000};
	expect(taintRanges([waiting(10_000, 20_000), waiting(10_000, 30_000), waiting(10_000)], undefined)).toEqual(
		[range, range, range],
	);
	expect(taintRanges([waiting(10_000, 20_000), waiting(30_000)], undefined)).toEqual([
		{lo: 20_000, hi: 20_000, places: 1},
		{lo: never, hi: never, places: 0, chance: 0},
	]);
});
