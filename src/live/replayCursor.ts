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

export type ReplayCursor = ReturnType<typeof replayCursor>;

/** A viewer's position in a tape; it only moves forward. */
function replayCursor(tape: Tape, viewer: Viewer) {
	const steps = tape.entries()[Symbol.asyncIterator]();
	let ahead: TapeEntry | undefined;
	let reached = tape.startedAt;
	/** The next entry; undefined at the end of the tape. */
	const peek = async (): Promise<TapeEntry | undefined> => {
		ahead ??= (await steps.next()).value;
		return ahead;
	};
	return {
		viewer,
		peek,
		/** Everything up to this instant was delivered. */
		get reached(): Instant {
			return reached;
		},
		/**
		 * Delivers everything up to an instant.
		 *
		 * @param goesOn is called after each step; false stops it
		 * @param rest is awaited after each forecast, to yield to other tasks
		 * @returns whether it reached the instant
		 * @throws UserError if the recording cannot be read any more
		 */
		async advance(target: Instant, goesOn: () => boolean, rest?: () => Promise<void>): Promise<boolean> {
			const step = Math.max(passingStep, (target - reached) / maxPassing);
			let passing = reached + step;
			for (let taken = 1; ; taken += 1) {
				const entry = await peek();
				if (!entry || entry.at > target) break;
				for (; passing < entry.at; passing += step) {
					await viewer.forecast(passing, false);
					await rest?.();
					if (!goesOn()) return false;
				}
				deliver(entry, viewer.sink);
				ahead = undefined;
				reached = Math.max(reached, entry.at);
				if (taken % stepsBetweenYields === 0) await systemScheduler.turn();
				if (!goesOn()) return false;
			}
			reached = target;
			return true;
		},
		close() {
			// Not awaited: the file is closed later, or at the end of the process.
			steps.return?.().catch(() => undefined);
		},
	};
}

/** Distances of the checkpoints behind the shown position: keys go back by 10 seconds, a minute, or an event. */
const lags: readonly Duration[] = [20 * second, minute, 4 * minute, 20 * minute];

/**
 * Replay cursors at earlier positions of a tape, for seeking back. A forecast depends on all that came before, and its state
 * (some twenty linked objects) is expensive to copy. So checkpoints replay the tape while the player is idle. There is one
 * for each lag, whatever the length of the tape.
 *
 * @param begin makes a viewer that has seen nothing
 */
export function checkpointsOf(tape: Tape, begin: () => Viewer) {
	let cursors: readonly ReplayCursor[] = [];
	/** A cursor at the start of the tape. */
	const atStart = () => replayCursor(tape, begin());
	return {
		atStart,
		/** Removes and returns the cursor nearest before a position; a new one at the start if there is none. */
		takeNearest(target: Instant): ReplayCursor {
			const nearest = nearestBefore(cursors, target);
			cursors = cursors.filter((cursor) => cursor !== nearest);
			return nearest ?? atStart();
		},
		/**
		 * Moves the checkpoints to their distances behind the shown position, the nearest first. If one was taken, those behind
		 * it move up, and only the last begins at the start.
		 *
		 * @throws as `ReplayCursor.advance`
		 */
		async follow(shown: Instant, goesOn: () => boolean) {
			for (const cursor of cursors) if (cursor.reached > shown) cursor.close();
			cursors = cursors.filter((cursor) => cursor.reached <= shown);
			let free = cursors;
			for (const lag of lags) {
				const place = shown - lag;
				if (place <= tape.startedAt) return;
				const nearest = nearestBefore(free, shown);
				const cursor = nearest ?? atStart();
				if (!nearest) cursors = [...cursors, cursor];
				free = free.filter((one) => one !== cursor);
				// It moves in large steps, so that its forecasts are no denser than those of any other seek.
				if (cursor.reached >= shown - 2 * lag) continue;
				if (!(await cursor.advance(place, goesOn, systemScheduler.turn))) return;
			}
		},
	};
}

const nearestBefore = (cursors: readonly ReplayCursor[], place: Instant): ReplayCursor | undefined =>
	cursors.filter(({reached}) => reached <= place).toSorted((a, b) => b.reached - a.reached)[0];
