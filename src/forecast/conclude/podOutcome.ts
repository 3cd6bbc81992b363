import type {Duration, Instant} from '../../core/time/instant.ts';
import type {Range} from '../podForecast.ts';
import type {Collection} from './collection.ts';
import {early, latency} from './merge.ts';
import type {Deletion} from './podTimeline.ts';

/** What becomes of a pod, over all hidden states and all that chance may do. */
export type PodOutcome = {
	readonly happens: 'always' | 'sometimes' | 'never';
	readonly range: Range | null;
	/** The first deletion of all that may come by a taint; undefined where none may. */
	readonly deletion: Deletion | undefined;
	/** When that is, whatever the pod garbage collector does; null where none may come. */
	readonly deletedAt: Range | null;
	/** Whether the pod garbage collector may come first. */
	readonly isCollected: boolean;
	/** When it comes, if nobody does before; undefined where it does not. */
	readonly collection: Collection | undefined;
};

/** Joins what may become of one pod, trajectory by trajectory. */
export class PodOutcomeMerger {
	readonly #collection: Collection | undefined;
	#first: Deletion | undefined;
	#isCollected = false;
	readonly #deletions = new Span();
	readonly #ends = new Span();

	/** @param collection when the pod garbage collector deletes the pod, if nobody does before */
	constructor(collection: Collection | undefined) {
		this.#collection = collection;
	}

	/**
	 * Adds one trajectory: its deletion as early as it can be, and as late.
	 *
	 * @param line how much later still it may be, where many are deleted together
	 */
	add(first: Deletion | undefined, last: Deletion | undefined, line: Duration): void {
		const latest = last && last.at + line;
		this.#deletions.add(first?.at, latest);
		const {range, isSure} = this.#collection ?? {};
		const lo = least(first?.at, range?.lo);
		if (range && lo === range.lo) this.#isCollected = true;
		this.#ends.add(lo, least(latest, isSure ? range?.hi : undefined));
		if (first && first.at <= (this.#first?.at ?? Number.POSITIVE_INFINITY)) this.#first = first;
	}

	outcome(now: Instant): PodOutcome {
		const range = this.#ends.range(now);
		const happens = !range ? 'never' : range.latest === null ? 'sometimes' : 'always';
		return {
			happens,
			range,
			deletion: this.#first,
			deletedAt: this.#deletions.range(now),
			isCollected: this.#isCollected,
			collection: this.#collection,
		};
	}
}

/** When something comes, over all trajectories. */
class Span {
	#lo = Number.POSITIVE_INFINITY;
	#hi = Number.NEGATIVE_INFINITY;
	readonly #middles: Instant[] = [];
	#isSure = true;

	/** @param hi undefined where it need not come */
	add(lo: Instant | undefined, hi: Instant | undefined): void {
		if (hi === undefined) this.#isSure = false;
		if (lo === undefined) return;
		this.#lo = Math.min(this.#lo, lo);
		if (hi === undefined) return;
		this.#hi = Math.max(this.#hi, hi);
		this.#middles.push((lo + hi) / 2);
	}

	range(now: Instant): Range | null {
		if (!Number.isFinite(this.#lo)) return null;
		const earliest = Math.max(now, this.#lo - early);
		const latest = this.#isSure ? Math.max(now, this.#hi + latency) : null;
		const middles = this.#middles.toSorted((a, b) => a - b);
		const middle = middles[Math.floor(middles.length / 2)] ?? earliest;
		return {earliest, expected: Math.max(earliest, middle), latest};
	}
}

function least(a: Instant | undefined, b: Instant | undefined): Instant | undefined {
	return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}
