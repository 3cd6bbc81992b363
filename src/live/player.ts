import {type Duration, type Instant, never} from '../core/time/instant.ts';
import {Checkpoints} from './checkpoints.ts';
import type {Clock} from './clock.ts';
import type {ReplayCursor, Tape, Viewer} from './replayCursor.ts';
import {liveCadence} from './tape.ts';

/** Where a player is. */
type PlayerState = {
	/** Where it is, or is on its way to: keys that are pressed in a hurry go on from there. */
	readonly position: Instant;
	readonly speed: number;
	readonly isPlaying: boolean;
	/** Whether it is on its way to another place. */
	readonly isSeeking: boolean;
};

/**
 * Plays a tape by the real clock: at any speed, to any place, held and let go. Forecasts need all that came before, so
 * the way back begins with somebody who stands further back, or at the start.
 */
export class Player {
	readonly #tape: Tape;
	readonly #clock: Clock;
	readonly #onChange: () => void;
	readonly #checkpoints: Checkpoints;
	#cursor: ReplayCursor;
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
	 * @param begin gives somebody who has seen nothing: for the start, and for places to go back to
	 * @param onChange is called where the state may be another
	 */
	constructor(tape: Tape, begin: () => Viewer, clock: Clock, speed: number, onChange: () => void) {
		this.#tape = tape;
		this.#clock = clock;
		this.#speed = speed;
		this.#onChange = onChange;
		this.#checkpoints = new Checkpoints(tape, begin);
		this.#cursor = this.#checkpoints.atStart();
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
		if (this.#goal !== undefined) return this.#cursor.reached;
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
			if (target < this.#cursor.reached) this.#goBack(target);
			if (!(await this.#cursor.advance(target, () => !signal.aborted && this.#goal === goal))) continue;
			if (goal !== undefined) this.#arrive(target);
			const began = this.#clock.now();
			await this.#cursor.viewer.foretell(target, true);
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

	#goBack(target: Instant): void {
		this.#cursor.close();
		this.#cursor = this.#checkpoints.giveAway(target);
	}

	/** Until the next step is due, or something is asked for. Meanwhile those for the way back come closer. */
	async #pause(signal: AbortSignal, busy: Duration): Promise<void> {
		// What was asked for while the forecast was made.
		if (this.#goal !== undefined || this.#isAsked) {
			this.#isAsked = false;
			return;
		}
		this.#wake = new AbortController();
		const either = AbortSignal.any([signal, this.#wake.signal]);
		let isOver = false;
		const following = this.#checkpoints.follow(this.#cursor.reached, () => !isOver && !either.aborted);
		// Until it is waited for, its failure is nobody's.
		following.catch(() => undefined);
		await this.#sleep(either, busy);
		isOver = true;
		await following;
	}

	async #sleep(signal: AbortSignal, busy: Duration): Promise<void> {
		const real = this.#clock.now();
		const {isPlaying} = this.state;
		if (!isPlaying) return this.#clock.sleepUntil(never, signal);
		const next = await this.#cursor.peek();
		const untilNext = next ? (next.at - this.now()) / this.#speed : liveCadence.longest;
		const pause = Math.min(liveCadence.longest / this.#speed, untilNext);
		return this.#clock.sleepUntil(real + Math.max(liveCadence.shortest, busy, pause), signal);
	}
}
