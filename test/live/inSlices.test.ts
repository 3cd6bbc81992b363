import {expect, test} from 'vitest';
import type {Pausable} from '../../src/forecast/pausable.ts';
import {inSlices} from '../../src/live/inSlices.ts';

/** Work of so many steps, each of which takes so long, on a clock of its own. */
function work(count: number, cost: number) {
	let time = 0;
	const turns: number[] = [];
	const steps = (function* (): Pausable<string> {
		for (let index = 0; index < count; index += 1) {
			time += cost;
			yield;
		}
		return 'done';
	})();
	const slicing = {
		...{slice: 8, clock: () => time},
		turn: async () => {
			turns.push(time);
			// What others do meanwhile is not its cost.
			time += 100;
		},
	};
	return {steps, slicing, turns};
}

test('others have their turn after each slice, and the cost is without them', async () => {
	const {steps, slicing, turns} = work(10, 3);
	const sliced = await inSlices(steps, new AbortController().signal, slicing);
	expect(sliced).toEqual({result: 'done', cost: 30});
	expect(turns).toEqual([9, 118, 227]);
});

test('a step that takes longer than a slice ends it', async () => {
	const {steps, slicing, turns} = work(3, 50);
	await inSlices(steps, new AbortController().signal, slicing);
	expect(turns).toHaveLength(3);
});

test('the signal ends it between two slices', async () => {
	const stop = new AbortController();
	const {steps, slicing, turns} = work(100, 8);
	const turn = async () => {
		await slicing.turn();
		if (turns.length === 2) stop.abort();
	};
	expect(await inSlices(steps, stop.signal, {...slicing, turn})).toBeUndefined();
	expect(turns).toHaveLength(2);
});
