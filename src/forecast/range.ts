import {minOf} from '../core/collections/extremes.ts';
import {type Duration, type Instant, never, second} from '../core/time/instant.ts';

/** An unbounded range shows its median only if it lies this far after the beginning. */
const shownFrom: Duration = 5 * second;

/** The instant shown of an unbounded range: its beginning, or its likeliest time. */
export type ShownEnd = 'beginning' | 'about';

/** When something happens: never before `earliest`, never after `latest`; `expected` is the median. */
export class Range {
	readonly earliest: Instant;
	readonly expected: Instant;
	/** Null if unbounded. */
	readonly latest: Instant | null;
	readonly #shownEnd: ShownEnd;

	/** Ends in the wrong order are swapped: the event lies between the two. @param latest null, infinite or NaN if unbounded */
	constructor(
		earliest: Instant,
		expected: Instant,
		latest: Instant | null,
		shownEnd: ShownEnd = 'beginning',
	) {
		const end = latest === null || Number.isNaN(latest) ? never : latest;
		const [first, last] = earliest <= end ? [earliest, end] : [end, earliest];
		this.earliest = first;
		this.expected = Number.isNaN(expected) ? first : Math.min(Math.max(expected, first), last);
		this.latest = Number.isFinite(last) ? last : null;
		this.#shownEnd = shownEnd;
	}

	/** A range with a measured median, as of a resource that runs short: the median is shown even if the range is unbounded. */
	static estimate(earliest: Instant, expected: Instant, latest: Instant | null): Range {
		return new Range(earliest, expected, latest, 'about');
	}

	/** The range that covers all of these; null if there are none. */
	static covering([first, ...others]: readonly Range[]): Range | null {
		return first ? others.reduce((all, one) => all.joinedWith(one), first) : null;
	}

	/** The range of an interval: the median is its middle, or its beginning if it has no end. */
	static over({lo, hi}: {readonly lo: Instant; readonly hi: Instant}): Range {
		return new Range(lo, Number.isFinite(hi) ? (lo + hi) / 2 : lo, hi);
	}

	/** The latest time; never if unbounded. */
	get end(): Instant {
		return this.latest ?? never;
	}

	/** The instant that is shown of it if it is unbounded. */
	get shownEnd(): ShownEnd {
		return this.#shownEnd;
	}

	/** When it most likely happens; null if bounded or unknown: then the ends are shown. */
	get about(): Instant | null {
		const {earliest, expected, latest} = this;
		const isShown = this.shownEnd === 'about' && latest === null && expected - earliest >= shownFrom;
		return isShown ? expected : null;
	}

	/** The range if nothing has happened before `now`. */
	notBefore(now: Instant): Range {
		const {earliest, expected, end} = this;
		return new Range(Math.max(earliest, now), Math.max(expected, now), Math.max(end, now), this.shownEnd);
	}

	/** Whether both ends lie less than `apart` from those of another range. */
	isNear({earliest, end}: Range, apart: Duration): boolean {
		const endsApart = end === this.end ? 0 : Math.abs(end - this.end);
		return Math.max(Math.abs(earliest - this.earliest), endsApart) < apart;
	}

	/** Whether another range lies in it. */
	covers({earliest, end}: Range): boolean {
		return this.earliest <= earliest && end <= this.end;
	}

	/** When the first of two possible events happens. @param ends the latest times of those that are certain */
	orSooner(other: Range, ends: readonly Instant[]): Range {
		return new Range(
			Math.min(this.earliest, other.earliest),
			Math.min(this.expected, other.expected),
			minOf(ends, never),
		);
	}

	/** From the earlier beginning of two ranges to the later end. */
	joinedWith({earliest, expected, end}: Range): Range {
		return new Range(
			Math.min(earliest, this.earliest),
			Math.min(expected, this.expected),
			Math.max(end, this.end),
		);
	}

	/** The same with another end. */
	until(latest: Instant | null): Range {
		return new Range(this.earliest, this.expected, latest, this.shownEnd);
	}
}
