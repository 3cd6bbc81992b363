import {type Duration, type Instant, minute, second} from '../core/time/instant.ts';
import {type Tape, Track, turn, type Viewer} from './track.ts';

/** How far behind the place that is shown they stand: keys go back by 10 seconds, a minute, and from event to event. */
const lags: readonly Duration[] = [20 * second, minute, 4 * minute, 20 * minute];

/**
 * Viewers that stand at earlier places of a tape, for the way back. A forecast is made of all that came before, and what
 * makes it cannot be copied cheaply: it is some twenty objects that refer to each other. So these go the same way again,
 * while nothing else is to be done. There are four at the most, whatever the length of the tape.
 */
export class StandIns {
	readonly #tape: Tape;
	readonly #begin: () => Viewer;
	#tracks: readonly Track[] = [];

	/** @param begin gives somebody who has seen nothing */
	constructor(tape: Tape, begin: () => Viewer) {
		this.#tape = tape;
		this.#begin = begin;
	}

	/** Gives away the one that stands nearest before a place; where there is none, one at the start. */
	take(target: Instant): Track {
		const nearest = nearestBefore(this.#tracks, target);
		this.#tracks = this.#tracks.filter((track) => track !== nearest);
		return nearest ?? this.atStart();
	}

	/** One that has seen nothing. */
	atStart(): Track {
		return new Track(this.#tape, this.#begin());
	}

	/**
	 * Brings them to where they belong behind a place, the nearest first. Where one was taken, those behind it move up, and
	 * only the last begins at the start.
	 *
	 * @throws as `Track.advance`
	 */
	async follow(shown: Instant, goesOn: () => boolean): Promise<void> {
		for (const track of this.#tracks) if (track.reached > shown) track.close();
		this.#tracks = this.#tracks.filter((track) => track.reached <= shown);
		let free = this.#tracks;
		for (const lag of lags) {
			const place = shown - lag;
			if (place <= this.#tape.startedAt) return;
			const nearest = nearestBefore(free, shown);
			const track = nearest ?? this.atStart();
			if (!nearest) this.#tracks = [...this.#tracks, track];
			free = free.filter((one) => one !== track);
			// It moves in strides, so that it makes forecasts as far apart as on any other way.
			if (track.reached >= shown - 2 * lag) continue;
			if (!(await track.advance(place, goesOn, turn))) return;
		}
	}
}

const nearestBefore = (tracks: readonly Track[], place: Instant): Track | undefined =>
	tracks.filter(({reached}) => reached <= place).toSorted((a, b) => b.reached - a.reached)[0];
