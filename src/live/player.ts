import {type Duration, type Instant, never} from '../core/time/instant.ts';
import type {Clock} from './clock.ts';
import {checkpointsOf, type Tape, type Viewer} from './replayCursor.ts';
import {liveCadence} from './tape.ts';

/** The position in a tape by the real clock. @param reached the position while it seeks @param changed called after requests */
function playhead(tape: Tape, clock: Clock, speed: number, reached: () => Instant, changed: () => void) {
	let pace = speed;
	let isPlaying = true;
	/** The target of a seek; undefined while it only plays. */
	let goal: Instant | undefined;
	/** Playback continues from this position, since this real time. */
	let since = {position: tape.startedAt, real: clock.now()};

	/** The recorded time that is shown. */
	const now = (): Instant => {
		if (goal !== undefined) return reached();
		const passed = isPlaying ? (clock.now() - since.real) * pace : 0;
		return Math.min(tape.endedAt, since.position + passed);
	};

	const anchor = (position: Instant) => {
		since = {position, real: clock.now()};
	};

	/** Seeks, within the tape. */
	const seek = (to: Instant) => {
		goal = Math.max(tape.startedAt, Math.min(tape.endedAt, to));
		changed();
	};

	return {
		now,
		seek,
		get goal() {
			return goal;
		},
		/** `position` is the shown one, or the target of a seek: repeated keys add up. */
		get state() {
			return {
				position: goal ?? now(),
				speed: pace,
				isSeeking: goal !== undefined,
				isPlaying: isPlaying && now() < tape.endedAt,
			};
		},
		arrive(at: Instant) {
			goal = undefined;
			anchor(at);
		},
		/** Pauses or resumes; at the end, it restarts. */
		toggle() {
			const isAtEnd = now() >= tape.endedAt;
			if (!isAtEnd) anchor(now());
			isPlaying = isAtEnd || !isPlaying;
			if (isAtEnd) seek(tape.startedAt);
			else changed();
		},
		set speed(wanted: number) {
			anchor(now());
			pace = wanted;
			changed();
		},
	};
}

/**
 * Plays a tape by the real clock: at any speed, with pauses and seeks. A forecast depends on all that came before, so
 * seeking back continues from a checkpoint, or from the start.
 *
 * @param begin makes a viewer that has seen nothing, for the start and checkpoints
 * @param onChange called after possible changes
 */
export function tapePlayer(
	tape: Tape,
	begin: () => Viewer,
	clock: Clock,
	speed: number,
	onChange: () => void,
) {
	const checkpoints = checkpointsOf(tape, begin);
	let cursor = checkpoints.atStart();
	let waking = new AbortController();
	/** Whether `wake` was called while it was not waiting. */
	let isWoken = false;
	const changed = () => {
		waking.abort();
		onChange();
	};
	const head = playhead(tape, clock, speed, () => cursor.reached, changed);

	const sleep = async (signal: AbortSignal, busy: Duration) => {
		const real = clock.now();
		const {isPlaying, speed: pace} = head.state;
		if (!isPlaying) return clock.sleepUntil(never, signal);
		const next = await cursor.peek();
		const untilNext = next ? (next.at - head.now()) / pace : liveCadence.longest;
		const pause = Math.min(liveCadence.longest / pace, untilNext);
		return clock.sleepUntil(real + Math.max(liveCadence.shortest, busy, pause), signal);
	};

	/** Waits until the next step is due or a request comes; the checkpoints advance meanwhile. */
	const pause = async (signal: AbortSignal, busy: Duration) => {
		waking = new AbortController();
		const either = AbortSignal.any([signal, waking.signal]);
		let isOver = false;
		const following = checkpoints.follow(cursor.reached, () => !isOver && !either.aborted);
		// Marks the promise as handled; the failure is thrown by the `await` below.
		following.catch(() => undefined);
		await sleep(either, busy);
		isOver = true;
		await following;
	};

	return Object.assign(head, {
		/** Makes the next forecast at once, even while paused: it answers a user's question. */
		wake() {
			isWoken = true;
			waking.abort();
		},
		/** Plays until the signal. @throws UserError if the recording cannot be read any more */
		async run(signal: AbortSignal) {
			while (!signal.aborted) {
				const {goal} = head;
				const target = goal ?? head.now();
				if (target < cursor.reached) {
					cursor.close();
					cursor = checkpoints.takeNearest(target);
				}
				if (!(await cursor.advance(target, () => !signal.aborted && head.goal === goal))) continue;
				if (goal !== undefined) head.arrive(target);
				const began = clock.now();
				await cursor.viewer.forecast(target, true);
				onChange();
				// A request may have come while the forecast was made. If that takes long, the screen still gets half of the time.
				if (head.goal === undefined && !isWoken) await pause(signal, clock.now() - began);
				else isWoken = false;
			}
		},
	});
}
