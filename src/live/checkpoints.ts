import {type Duration, type Instant, minute, second} from '../core/time/instant.ts';
import {systemScheduler} from './cooperativeTask.ts';
import {ReplayCursor, type Tape, type Viewer} from './replayCursor.ts';

/** How far behind the place that is shown they stand: keys go back by 10 seconds, a minute, and from event to event. */
const lags: readonly Duration[] = [20 * second, minute, 4 * minute, 20 * minute];

/**
 * Viewers that stand at earlier places of a tape, for the way back. A forecast is made of all that came before, and what
 * makes it cannot be copied cheaply: it is some twenty objects that refer to each other. So these go the same way again,
 * while nothing else is to be done. There are four at the most, whatever the length of the tape.
 */
export class Checkpoints {
	readonly #tape: Tape;
	readonly #begin: () => Viewer;
	#cursors: readonly ReplayCursor[] = [];

	/** @param begin gives somebody who has seen nothing */
	constructor(tape: Tape, begin: () => Viewer) {
		this.#tape = tape;
		this.#begin = begin;
	}

	/** Gives away the one that stands nearest before a place; where there is none, one at the start. */
	giveAway(target: Instant): ReplayCursor {
		const nearest = nearestBefore(this.#cursors, target);
		this.#cursors = this.#cursors.filter((cursor) => cursor !== nearest);
		return nearest ?? this.atStart();
	}

	/** One that has seen nothing. */
	atStart(): ReplayCursor {
		return new ReplayCursor(this.#tape, this.#begin());
	}

	/**
	 * Brings them to where they belong behind a place, the nearest first. Where one was taken, those behind it move up, and
	 * only the last begins at the start.
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
			// It moves in strides, so that it makes forecasts as far apart as on any other way.
			if (cursor.reached >= shown - 2 * lag) continue;
			if (!(await cursor.advance(place, goesOn, systemScheduler.turn))) return;
		}
	}
}

const nearestBefore = (cursors: readonly ReplayCursor[], place: Instant): ReplayCursor | undefined =>
	cursors.filter(({reached}) => reached <= place).toSorted((a, b) => b.reached - a.reached)[0];
