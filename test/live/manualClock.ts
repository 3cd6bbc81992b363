import type {Instant} from '../../src/core/time/instant.ts';
import type {Clock} from '../../src/live/clock.ts';

/** A clock that only advances while all tasks wait. */
export class ManualClock implements Clock {
	#now: Instant = 0;
	readonly #sleepers = new Set<{at: Instant; wake: () => void}>();

	readonly now = () => this.#now;

	readonly sleepUntil = (at: Instant, signal: AbortSignal): Promise<void> =>
		new Promise((resolve) => {
			if (signal.aborted) return resolve();
			const sleeper = {
				at,
				wake: () => {
					this.#sleepers.delete(sleeper);
					resolve();
				},
			};
			this.#sleepers.add(sleeper);
			signal.addEventListener('abort', sleeper.wake);
		});

	/** Advances the time, sleeper by sleeper. */
	async advanceTo(target: Instant): Promise<void> {
		for (;;) {
			await settled();
			const [next] = [...this.#sleepers].toSorted((a, b) => a.at - b.at);
			if (!next || next.at > target) break;
			this.#now = Math.max(this.#now, next.at);
			next.wake();
		}
		this.#now = target;
	}

	/** Adds the time of a slow piece of work. */
	spend(duration: number): void {
		this.#now += duration;
	}
}

// Every promise that does not depend on the clock settles by the next turn of the event loop.
export const settled = () => new Promise((resolve) => setImmediate(resolve));
