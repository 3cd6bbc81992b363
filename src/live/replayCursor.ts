import type {ObservationSink} from '../core/model/observation.ts';
import {type Duration, type Instant, minute, second} from '../core/time/instant.ts';
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

/** Distances of the checkpoints behind the shown position: keys go back by 10 seconds, a minute, or an event. */
const lags: readonly Duration[] = [20 * second, minute, 4 * minute, 20 * minute];

/**
 * Replay cursors at earlier positions of a tape, for seeking back. A forecast depends on all that came before, and its state
 * (some twenty linked objects) is expensive to copy. So checkpoints replay the tape while the player is idle. There is one
 * for each lag, whatever the length of the tape.
 */
export class Checkpoints {
	readonly #tape: Tape;
	readonly #begin: () => Viewer;
	#cursors: readonly ReplayCursor[] = [];

	/** @param begin makes a viewer that has seen nothing */
	constructor(tape: Tape, begin: () => Viewer) {
		this.#tape = tape;
		this.#begin = begin;
	}

	/** Removes and returns the cursor nearest before a position; a new one at the start if there is none. */
	takeNearest(target: Instant): ReplayCursor {
		const nearest = nearestBefore(this.#cursors, target);
		this.#cursors = this.#cursors.filter((cursor) => cursor !== nearest);
		return nearest ?? this.atStart();
	}

	/** A cursor at the start of the tape. */
	atStart(): ReplayCursor {
		return new ReplayCursor(this.#tape, this.#begin());
	}

	/**
	 * Moves the checkpoints to their distances behind the shown position, the nearest first. If one was taken, those behind it
	 * move up, and only the last begins at the start.
	 *
	 * @throws as `ReplayCursor.advance`
	 */
	async follow(shown: Instant, goesOn: () => boolean): Promise<void> {
		for (const cursor of this.#cursors) if (cursor.reached > shown) cursor.close();
		this.#cursors = this.#cursors.filter((cursor) => cursor.reached <= shown);
		let free = this.#cursors;
		for (const lag of lags) {
			const place = shown - lag;
			if (place <= this.#tape.startedAt) return;
			const nearest = nearestBefore(free, shown);
			const cursor = nearest ?? this.atStart();
			if (!nearest) this.#cursors = [...this.#cursors, cursor];
			free = free.filter((one) => one !== cursor);
			// It moves in large steps, so that its forecasts are no denser than those of any other seek.
			if (cursor.reached >= shown - 2 * lag) continue;
			if (!(await cursor.advance(place, goesOn, systemScheduler.turn))) return;
		}
	}
}

const nearestBefore = (cursors: readonly ReplayCursor[], place: Instant): ReplayCursor | undefined =>
	cursors.filter(({reached}) => reached <= place).toSorted((a, b) => b.reached - a.reached)[0];
