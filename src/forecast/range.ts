import type {Instant} from '../core/time/instant.ts';

/** When something happens: never before `earliest`, never after `latest`; `expected` is the median. Its ends are in order. */
export class Range {
	readonly earliest: Instant;
	readonly expected: Instant;
	/** Null where nothing bounds it. */
	readonly latest: Instant | null;

	/**
	 * Ends that contradict each other are taken in the order of time: what happens lies between the two.
	 *
	 * @param latest null, infinite or not a number where nothing bounds it
	 */
	constructor(earliest: Instant, expected: Instant, latest: Instant | null) {
		const end = latest === null || Number.isNaN(latest) ? Number.POSITIVE_INFINITY : latest;
		const [first, last] = earliest <= end ? [earliest, end] : [end, earliest];
		this.earliest = first;
		this.expected = Number.isNaN(expected) ? first : Math.min(Math.max(expected, first), last);
		this.latest = Number.isFinite(last) ? last : null;
	}

	/** An interval, its middle for expected; its beginning where it has no end. */
	static over({lo, hi}: {readonly lo: Instant; readonly hi: Instant}): Range {
		return new Range(lo, Number.isFinite(hi) ? (lo + hi) / 2 : lo, hi);
	}

	/** The same as of an instant before which it has not happened. */
	notBefore(now: Instant): Range {
		const {earliest, expected, latest} = this;
		return new Range(
			Math.max(earliest, now),
			Math.max(expected, now),
			latest === null ? null : Math.max(latest, now),
		);
	}

	/** The same with another end. */
	until(latest: Instant | null): Range {
		return new Range(this.earliest, this.expected, latest);
	}
}
