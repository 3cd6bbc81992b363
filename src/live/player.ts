import {type Duration, type Instant, second} from '../core/time/instant.ts';
import type {Clock} from './clock.ts';
import {hand, type Listener, type TapeEntry} from './tape.ts';

/** What is played: from its start, as often as wanted. */
export type Tape = {
	readonly startedAt: Instant;
	readonly endedAt: Instant;
	readonly entries: () => AsyncIterable<TapeEntry>;
};

/** Somebody who watches from the start of the tape on. */
export type Viewer = Listener & {
	/** Makes a forecast, in its own time; one that is not shown is only held against what follows. */
	readonly foretell: (now: Instant, isShown: boolean) => Promise<void> | void;
};

/** Where a player is. */
export type PlayerState = {
	/** Where it is, or is on its way to: keys that are pressed in a hurry go on from there. */
	readonly position: Instant;
	readonly speed: number;
	readonly isPlaying: boolean;
	/** Whether it is on its way to another place. */
	readonly isSeeking: boolean;
};

/** The least real time between two forecasts. */
const shortestPause: Duration = second / 4;
const longestPause: Duration = second;
/** On the way to another place, forecasts are made so far apart, but not more of them than so many. */
const passingStep: Duration = 10 * second;
const mostPassing = 100;
/** So many steps are taken before keys are listened to again. */
const stepsAtOnce = 500;

/**
 * Plays a tape by the real clock: at any speed, to any place, held and let go. Forecasts need all that came before, so
 * the way back leads through the start.
 */
export class Player {
	readonly #tape: Tape;
	readonly #begin: () => Viewer;
	readonly #clock: Clock;
	readonly #onChange: () => void;
	#viewer: Viewer;
	#steps: AsyncIterator<TapeEntry>;
	#ahead: TapeEntry | undefined;
	/** Up to when all was handed on. */
	#reached: Instant;
	#speed: number;
	#isPlaying = true;
	/** Where it is to go; undefined while it only plays. */
	#goal: Instant | undefined;
	/** The place and the real time since when it plays on from there. */
	#since: {readonly position: Instant; readonly real: Instant};
	#wake = new AbortController();
	/** Whether somebody asked while it was not waiting. */
	#isAsked = false;

	/**
	 * @param begin gives somebody who has seen nothing, at the start and after each way back
	 * @param onChange is called where the state may be another
	 */
	constructor(tape: Tape, begin: () => Viewer, clock: Clock, speed: number, onChange: () => void) {
		this.#tape = tape;
		this.#begin = begin;
		this.#clock = clock;
		this.#speed = speed;
		this.#onChange = onChange;
		this.#viewer = begin();
		this.#steps = tape.entries()[Symbol.asyncIterator]();
		this.#reached = tape.startedAt;
		this.#since = {position: tape.startedAt, real: clock.now()};
	}

	get state(): PlayerState {
		return {
			...{position: this.#goal ?? this.now(), speed: this.#speed, isSeeking: this.#goal !== undefined},
			isPlaying: this.#isPlaying && this.now() < this.#tape.endedAt,
		};
	}

	/** The recorded time that is shown. */
	now(): Instant {
		if (this.#goal !== undefined) return this.#reached;
		const {position, real} = this.#since;
		const passed = this.#isPlaying ? (this.#clock.now() - real) * this.#speed : 0;
		return Math.min(this.#tape.endedAt, position + passed);
	}

	/** Goes to another place, as far as the tape reaches; from its end, it plays on. */
	seek(to: Instant): void {
		this.#goal = Math.max(this.#tape.startedAt, Math.min(this.#tape.endedAt, to));
		this.#changed();
	}

	/** Holds it, or lets it go on; at the end, it begins anew. */
	toggle(): void {
		if (this.now() >= this.#tape.endedAt) {
			this.#isPlaying = true;
			this.seek(this.#tape.startedAt);
			return;
		}
		this.#anchor(this.now());
		this.#isPlaying = !this.#isPlaying;
		this.#changed();
	}

	set speed(speed: number) {
		this.#anchor(this.now());
		this.#speed = speed;
		this.#changed();
	}

	/** Plays until the signal. @throws UserError where the recording cannot be read any more */
	async run(signal: AbortSignal): Promise<void> {
		while (!signal.aborted) {
			const goal = this.#goal;
			const target = goal ?? this.now();
			if (target < this.#reached) this.#restart();
			if (!(await this.#advance(target, goal, signal))) continue;
			if (goal !== undefined) this.#arrive(target);
			const began = this.#clock.now();
			await this.#viewer.foretell(target, true);
			this.#onChange();
			// Where a forecast takes long, half of the time is left to the screen.
			await this.#pause(signal, this.#clock.now() - began);
		}
	}

	#anchor(position: Instant): void {
		this.#since = {position, real: this.#clock.now()};
	}

	#arrive(at: Instant): void {
		this.#goal = undefined;
		this.#anchor(at);
	}

	/** Goes on at once, even where it is held: somebody has a question that is answered with the next forecast. */
	wake(): void {
		this.#isAsked = true;
		this.#wake.abort();
	}

	#changed(): void {
		this.#wake.abort();
		this.#onChange();
	}

	#restart(): void {
		this.#viewer = this.#begin();
		this.#steps = this.#tape.entries()[Symbol.asyncIterator]();
		this.#ahead = undefined;
		this.#reached = this.#tape.startedAt;
	}

	/** Hands on all up to an instant. Gives up, and tells so, where it is to go somewhere else meanwhile. */
	async #advance(target: Instant, goal: Instant | undefined, signal: AbortSignal): Promise<boolean> {
		const step = Math.max(passingStep, (target - this.#reached) / mostPassing);
		let passing = this.#reached + step;
		for (let taken = 1; ; taken += 1) {
			const entry = await this.#peek();
			if (!entry || entry.at > target) break;
			for (; passing < entry.at; passing += step) {
				await this.#viewer.foretell(passing, false);
				if (signal.aborted || this.#goal !== goal) return false;
			}
			hand(entry, this.#viewer);
			this.#ahead = undefined;
			this.#reached = Math.max(this.#reached, entry.at);
			if (taken % stepsAtOnce === 0) await new Promise((go) => setImmediate(go));
			if (signal.aborted || this.#goal !== goal) return false;
		}
		this.#reached = target;
		return true;
	}

	async #peek(): Promise<TapeEntry | undefined> {
		if (this.#ahead) return this.#ahead;
		const {value, done} = await this.#steps.next();
		this.#ahead = done ? undefined : value;
		return this.#ahead;
	}

	/** Until the next step is due, or something is asked for. */
	async #pause(signal: AbortSignal, busy: Duration): Promise<void> {
		// What was asked for while the forecast was made.
		if (this.#goal !== undefined || this.#isAsked) {
			this.#isAsked = false;
			return;
		}
		this.#wake = new AbortController();
		const either = AbortSignal.any([signal, this.#wake.signal]);
		const real = this.#clock.now();
		const {isPlaying} = this.state;
		if (!isPlaying) return this.#clock.sleepUntil(Number.POSITIVE_INFINITY, either);
		const next = await this.#peek();
		const untilNext = next ? (next.at - this.now()) / this.#speed : longestPause;
		const pause = Math.min(longestPause / this.#speed, untilNext);
		return this.#clock.sleepUntil(real + Math.max(shortestPause, busy, pause), either);
	}
}
