import {type Duration, type Instant, never} from '../core/time/instant.ts';
import type {Clock} from './clock.ts';
import {Checkpoints, type ReplayCursor, type Tape, type Viewer} from './replayCursor.ts';
import {liveCadence} from './tape.ts';

/**
 * Plays a tape by the real clock: at any speed, with pauses and seeks. A forecast depends on all that came before, so
 * seeking back continues from a checkpoint, or from the start.
 */
export class Player {
	readonly #tape: Tape;
	readonly #clock: Clock;
	readonly #onChange: () => void;
	readonly #checkpoints: Checkpoints;
	#cursor: ReplayCursor;
	#speed: number;
	#isPlaying = true;
	/** The target of a seek; undefined while it only plays. */
	#goal: Instant | undefined;
	/** Playback continues from this position, since this real time. */
	#since: {readonly position: Instant; readonly real: Instant};
	#wake = new AbortController();
	/** Whether `wake` was called while it was not waiting. */
	#isWoken = false;

	/** @param begin makes a viewer that has seen nothing, for the start and checkpoints @param onChange after possible changes */
	constructor(tape: Tape, begin: () => Viewer, clock: Clock, speed: number, onChange: () => void) {
		this.#tape = tape;
		this.#clock = clock;
		this.#speed = speed;
		this.#onChange = onChange;
		this.#checkpoints = new Checkpoints(tape, begin);
		this.#cursor = this.#checkpoints.atStart();
		this.#since = {position: tape.startedAt, real: clock.now()};
	}

	/** `position` is the shown one, or the target of a seek: repeated keys add up. */
	get state() {
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

	/** Seeks, within the tape. */
	seek(to: Instant): void {
		this.#goal = Math.max(this.#tape.startedAt, Math.min(this.#tape.endedAt, to));
		this.#changed();
	}

	/** Pauses or resumes; at the end, it restarts. */
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

	/** Plays until the signal. @throws UserError if the recording cannot be read any more */
	async run(signal: AbortSignal): Promise<void> {
		while (!signal.aborted) {
			const goal = this.#goal;
			const target = goal ?? this.now();
			if (target < this.#cursor.reached) this.#goBack(target);
			if (!(await this.#cursor.advance(target, () => !signal.aborted && this.#goal === goal))) continue;
			if (goal !== undefined) this.#arrive(target);
			const began = this.#clock.now();
			await this.#cursor.viewer.forecast(target, true);
			this.#onChange();
			// If a forecast takes long, the screen still gets half of the time.
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

	/** Makes the next forecast at once, even while paused: it answers a user's question. */
	wake(): void {
		this.#isWoken = true;
		this.#wake.abort();
	}

	#changed(): void {
		this.#wake.abort();
		this.#onChange();
	}

	#goBack(target: Instant): void {
		this.#cursor.close();
		this.#cursor = this.#checkpoints.takeNearest(target);
	}

	/** Waits until the next step is due or a request comes; the checkpoints advance meanwhile. */
	async #pause(signal: AbortSignal, busy: Duration): Promise<void> {
		// A request that came while the forecast was made.
		if (this.#goal !== undefined || this.#isWoken) {
			this.#isWoken = false;
			return;
		}
		this.#wake = new AbortController();
		const either = AbortSignal.any([signal, this.#wake.signal]);
		let isOver = false;
		const following = this.#checkpoints.follow(this.#cursor.reached, () => !isOver && !either.aborted);
		// Marks the promise as handled; the failure is thrown by the `await` below.
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
