import {expect, test} from 'vitest';
import type {Pausable} from '../../src/forecast/pausable.ts';
import {runCooperatively} from '../../src/live/cooperativeTask.ts';

/** Work of `count` steps that take `cost` each, on its own clock. */
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
	const scheduler = {
		...{slice: 8, clock: () => time},
		turn: async () => {
			turns.push(time);
			// Time used by others meanwhile is not its cost.
			time += 100;
		},
	};
	return {steps, scheduler, turns};
}

test('others have their turn after each slice, and the cost is without them', async () => {
	const {steps, scheduler, turns} = work(10, 3);
	const sliced = await runCooperatively(steps, new AbortController().signal, scheduler);
	expect(sliced).toEqual({result: 'done', cost: 30});
	expect(turns).toEqual([9, 118, 227]);
});

test('a step that takes longer than a slice ends it', async () => {
	const {steps, scheduler, turns} = work(3, 50);
	await runCooperatively(steps, new AbortController().signal, scheduler);
	expect(turns).toHaveLength(3);
});

test('the signal ends it between two slices', async () => {
	const stop = new AbortController();
	const {steps, scheduler, turns} = work(100, 8);
	const turn = async () => {
		await scheduler.turn();
		if (turns.length === 2) stop.abort();
	};
	expect(await runCooperatively(steps, stop.signal, {...scheduler, turn})).toBeUndefined();
	expect(turns).toHaveLength(2);
});
