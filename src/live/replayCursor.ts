import type {ObservationSink} from '../core/model/observation.ts';
import {type Duration, type Instant, second} from '../core/time/instant.ts';
import {systemScheduler} from './cooperativeTask.ts';
import {hand, type TapeEntry} from './tape.ts';

/** What is played: from its start, as often as wanted. */
export type Tape = {
	readonly startedAt: Instant;
	readonly endedAt: Instant;
	readonly entries: () => AsyncIterable<TapeEntry>;
};

/** Somebody who watches from the start of the tape on. */
export type Viewer = {
	readonly sink: ObservationSink;
	/** Makes a forecast, in its own time; one that is not shown is only held against what follows. */
	readonly foretell: (now: Instant, isShown: boolean) => Promise<void> | void;
};

/** On the way to another place, forecasts are made so far apart, but not more of them than so many. */
const passingStep: Duration = 10 * second;
const mostPassing = 100;
/** So many steps are taken before keys are listened to again. */
const stepsAtOnce = 500;

/** A viewer on the way through a tape, which only leads on. */
export class ReplayCursor {
	readonly viewer: Viewer;
	readonly #steps: AsyncIterator<TapeEntry>;
	#ahead: TapeEntry | undefined;
	#reached: Instant;

	/** @param viewer has seen nothing yet */
	constructor(tape: Tape, viewer: Viewer) {
		this.viewer = viewer;
		this.#steps = tape.entries()[Symbol.asyncIterator]();
		this.#reached = tape.startedAt;
	}

	/** Up to when all was handed on. */
	get reached(): Instant {
		return this.#reached;
	}

	/**
	 * Hands on all up to an instant.
	 *
	 * @param goesOn is asked after each step whether it is still wanted
	 * @param rest is waited for after each forecast, by whoever is in no hurry
	 * @returns whether it got there
	 * @throws UserError where the recording cannot be read any more
	 */
	async advance(target: Instant, goesOn: () => boolean, rest?: () => Promise<void>): Promise<boolean> {
		const step = Math.max(passingStep, (target - this.#reached) / mostPassing);
		let passing = this.#reached + step;
		for (let taken = 1; ; taken += 1) {
			const entry = await this.peek();
			if (!entry || entry.at > target) break;
			for (; passing < entry.at; passing += step) {
				await this.viewer.foretell(passing, false);
				await rest?.();
				if (!goesOn()) return false;
			}
			hand(entry, this.viewer.sink);
			this.#ahead = undefined;
			this.#reached = Math.max(this.#reached, entry.at);
			if (taken % stepsAtOnce === 0) await systemScheduler.turn();
			if (!goesOn()) return false;
		}
		this.#reached = target;
		return true;
	}

	/** What comes next; undefined at the end of the tape. */
	async peek(): Promise<TapeEntry | undefined> {
		if (this.#ahead) return this.#ahead;
		const {value, done} = await this.#steps.next();
		this.#ahead = done ? undefined : value;
		return this.#ahead;
	}

	/** Lets go of the tape. */
	close(): void {
		// What it holds open is closed by then or by the end of the process; nobody waits for it.
		this.#steps.return?.().catch(() => undefined);
	}
}
