import type {Duration, Instant} from '../../core/time/instant.ts';
import {early, latency} from '../merge.ts';
import type {Range} from '../podForecast.ts';
import type {Collection} from './collection.ts';
import type {Deletion} from './podCourse.ts';

/** What becomes of a pod, over all hidden states and all that chance may do. */
export type Fate = {
	readonly happens: 'always' | 'sometimes' | 'never';
	readonly range: Range | null;
	/** The first deletion of all that may come by a taint; undefined where none may. */
	readonly deletion: Deletion | undefined;
	/** Whether the pod garbage collector may come first. */
	readonly isCollected: boolean;
};

/** Joins what may become of one pod, course by course. */
export class FateMerger {
	readonly #collection: Collection | undefined;
	#first: Deletion | undefined;
	#isCollected = false;
	#lo = Number.POSITIVE_INFINITY;
	#hi = Number.NEGATIVE_INFINITY;
	#middles: Instant[] = [];
	#isSure = true;

	/** @param collection when the pod garbage collector deletes the pod, if nobody does before */
	constructor(collection: Collection | undefined) {
		this.#collection = collection;
	}

	/**
	 * Adds one course: its deletion as early as it can be, and as late.
	 *
	 * @param line how much later still it may be, where many are deleted together
	 */
	add(first: Deletion | undefined, last: Deletion | undefined, line: Duration): void {
		const [lo, hi] = this.#withCollection(first, last, line);
		if (hi === undefined) this.#isSure = false;
		if (lo === undefined) return;
		if (first && first.at <= (this.#first?.at ?? Number.POSITIVE_INFINITY)) this.#first = first;
		this.#lo = Math.min(this.#lo, lo);
		if (hi === undefined) return;
		this.#hi = Math.max(this.#hi, hi);
		this.#middles.push((lo + hi) / 2);
	}

	#withCollection(first: Deletion | undefined, last: Deletion | undefined, line: Duration) {
		const {range, isSure} = this.#collection ?? {};
		const lo = least(first?.at, range?.lo);
		const hi = least(last && last.at + line, isSure ? range?.hi : undefined);
		if (range && lo === range.lo) this.#isCollected = true;
		return [lo, hi] as const;
	}

	fate(now: Instant): Fate {
		if (!Number.isFinite(this.#lo))
			return {happens: 'never', range: null, deletion: undefined, isCollected: false};
		const earliest = Math.max(now, this.#lo - early);
		const latest = this.#isSure ? Math.max(now, this.#hi + latency) : null;
		const middles = this.#middles.toSorted((a, b) => a - b);
		const middle = middles[Math.floor(middles.length / 2)] ?? earliest;
		return {
			happens: this.#isSure ? 'always' : 'sometimes',
			range: {earliest, expected: Math.max(earliest, middle), latest},
			deletion: this.#first,
			isCollected: this.#isCollected,
		};
	}
}

function least(a: Instant | undefined, b: Instant | undefined): Instant | undefined {
	return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}
