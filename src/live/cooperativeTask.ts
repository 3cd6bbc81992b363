import type {Duration} from '../core/time/instant.ts';
import type {Pausable} from '../forecast/pausable.ts';

/** How work shares a thread. Handed in, so that tests bring their own. */
export type CooperativeScheduler = {
	/** How long a piece may take, in milliseconds; it ends with the step that it is in then. */
	readonly slice: Duration;
	/** Measures that. */
	readonly clock: () => number;
	/** Lets everything else run that is ready to. */
	readonly turn: () => Promise<void>;
};

/** A key waits for one slice at the most, and then its frame is drawn. */
export const systemScheduler: CooperativeScheduler = {
	slice: 8,
	clock: () => performance.now(),
	turn: () => new Promise((resolve) => setImmediate(resolve)),
};

/** What work came to, and how long it took without its pauses, in milliseconds. */
type Sliced<Result> = {readonly result: Result; readonly cost: Duration};

/** Does work piece by piece; undefined where the signal ended it. */
export async function runCooperatively<Result>(
	steps: Pausable<Result>,
	signal: AbortSignal,
	{slice, clock, turn}: CooperativeScheduler = systemScheduler,
): Promise<Sliced<Result> | undefined> {
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
