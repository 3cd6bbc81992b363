import {setImmediate} from 'node:timers/promises';
import type {Pausable} from '../forecast/pausable.ts';

/** How work shares the thread. Passed in, so that tests bring their own. */
export type CooperativeScheduler = typeof systemScheduler;

/** A key press waits for one slice, then its frame is drawn. */
export const systemScheduler = {
	/** Milliseconds of work before other tasks run; the step that is running then is completed. */
	slice: 8,
	/** The clock that measures slices, in milliseconds. */
	clock: () => performance.now(),
	/** Yields to all other tasks that are ready. */
	turn: () => setImmediate(),
};

/** Runs work in slices; undefined if the signal ended it. The cost is in milliseconds, without pauses. */
export async function runCooperatively<Result>(
	steps: Pausable<Result>,
	signal: AbortSignal,
	{slice, clock, turn}: CooperativeScheduler = systemScheduler,
) {
	let cost = 0;
	while (!signal.aborted) {
		const begin = clock();
		let spent = 0;
		do {
			const {done, value} = steps.next();
			spent = clock() - begin;
			if (done) return {result: value, cost: cost + spent};
		} while (spent < slice);
		cost += spent;
		await turn();
	}
	return undefined;
}
