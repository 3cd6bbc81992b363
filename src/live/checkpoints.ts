import {type Duration, type Instant, minute, second} from '../core/time/instant.ts';
import {systemScheduler} from './cooperativeTask.ts';
import {ReplayCursor, type Tape, type Viewer} from './replayCursor.ts';

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
