import type {ObservationSink} from '../core/model/observation.ts';
import {type Duration, type Instant, second} from '../core/time/instant.ts';
import {systemScheduler} from './cooperativeTask.ts';
import {deliver, type TapeEntry} from './tape.ts';

/** A recording, which can be read from its start any number of times. */
export type Tape = {
	readonly startedAt: Instant;
	readonly endedAt: Instant;
	readonly entries: () => AsyncIterable<TapeEntry>;
};

/** A consumer of the tape from its start on. */
export type Viewer = {
	readonly sink: ObservationSink;
	/** Makes a forecast; one that is not shown is only scored against what follows. */
	readonly forecast: (now: Instant, isShown: boolean) => Promise<void> | void;
};

/** While seeking, forecasts are made this far apart, or farther so that there are no more than `maxPassing`. */
const passingStep: Duration = 10 * second;
const maxPassing = 100;
/** Steps between two checks for key presses. */
const stepsBetweenYields = 500;

/** A viewer's position in a tape; it only moves forward. */
export class ReplayCursor {
	readonly viewer: Viewer;
	readonly #steps: AsyncIterator<TapeEntry>;
	#ahead: TapeEntry | undefined;
	#reached: Instant;

	constructor(tape: Tape, viewer: Viewer) {
		this.viewer = viewer;
		this.#steps = tape.entries()[Symbol.asyncIterator]();
		this.#reached = tape.startedAt;
	}

	/** Everything up to this instant was delivered. */
	get reached(): Instant {
		return this.#reached;
	}

	/**
	 * Delivers everything up to an instant.
	 *
	 * @param goesOn is called after each step; false stops it
	 * @param rest is awaited after each forecast, to yield to other tasks
	 * @returns whether it reached the instant
	 * @throws UserError if the recording cannot be read any more
	 */
	async advance(target: Instant, goesOn: () => boolean, rest?: () => Promise<void>): Promise<boolean> {
		const step = Math.max(passingStep, (target - this.#reached) / maxPassing);
		let passing = this.#reached + step;
		for (let taken = 1; ; taken += 1) {
			const entry = await this.peek();
			if (!entry || entry.at > target) break;
			for (; passing < entry.at; passing += step) {
				await this.viewer.forecast(passing, false);
				await rest?.();
				if (!goesOn()) return false;
			}
			deliver(entry, this.viewer.sink);
			this.#ahead = undefined;
			this.#reached = Math.max(this.#reached, entry.at);
			if (taken % stepsBetweenYields === 0) await systemScheduler.turn();
			if (!goesOn()) return false;
		}
		this.#reached = target;
		return true;
	}

	/** The next entry; undefined at the end of the tape. */
	async peek(): Promise<TapeEntry | undefined> {
		if (this.#ahead) return this.#ahead;
		const {value, done} = await this.#steps.next();
		this.#ahead = done ? undefined : value;
		return this.#ahead;
	}

	close(): void {
		// Not awaited: the file is closed later, or at the end of the process.
		this.#steps.return?.().catch(() => undefined);
	}
}
