import {type Duration, type Instant, never, second} from '../core/time/instant.ts';

/** Less than that after its beginning, the median of an open range tells nothing more. */
const tellingFrom: Duration = 5 * second;

/** What is told of one that nothing bounds: its beginning, when it most likely comes, or until when it may come any moment. */
export type Told = 'beginning' | 'about' | 'by';

/** When something happens: never before `earliest`, never after `latest`; `expected` is the median. Its ends are in order. */
export class Range {
	readonly earliest: Instant;
	readonly expected: Instant;
	/** Null where nothing bounds it. */
	readonly latest: Instant | null;
	readonly #told: Told;

	/**
	 * Ends that contradict each other are taken in the order of time: what happens lies between the two.
	 *
	 * @param latest null, infinite or not a number where nothing bounds it
	 */
	constructor(earliest: Instant, expected: Instant, latest: Instant | null, told: Told = 'beginning') {
		const end = latest === null || Number.isNaN(latest) ? never : latest;
		const [first, last] = earliest <= end ? [earliest, end] : [end, earliest];
		this.earliest = first;
		this.expected = Number.isNaN(expected) ? first : Math.min(Math.max(expected, first), last);
		this.latest = Number.isFinite(last) ? last : null;
		this.#told = told;
	}

	/** One whose median is measured, as that of a kubelet that runs short: it is told even where nothing bounds it. */
	static estimate(earliest: Instant, expected: Instant, latest: Instant | null): Range {
		return new Range(earliest, expected, latest, 'about');
	}

	/** One that may come any moment from its beginning, and has most likely come by some instant, though nothing bounds it. */
	static by(earliest: Instant, by: Instant): Range {
		return new Range(earliest, by, null, 'by');
	}

	/** An interval, its middle for expected; its beginning where it has no end. */
	static over({lo, hi}: {readonly lo: Instant; readonly hi: Instant}): Range {
		return new Range(lo, Number.isFinite(hi) ? (lo + hi) / 2 : lo, hi);
	}

	/** What is told of it where nothing bounds it. */
	get told(): Told {
		return this.#told;
	}

	/** When it most likely happens, where nothing bounds it and that is known; null elsewhere: its ends tell more. */
	get about(): Instant | null {
		return this.#tell('about');
	}

	/** By when it most likely has happened, where it may any moment and nothing bounds it; null elsewhere. */
	get by(): Instant | null {
		return this.#tell('by');
	}

	#tell(told: Told): Instant | null {
		const {earliest, expected, latest} = this;
		const isTold = this.told === told && latest === null && expected - earliest >= tellingFrom;
		return isTold ? expected : null;
	}

	/** The same as of an instant before which it has not happened. */
	notBefore(now: Instant): Range {
		const {earliest, expected, latest} = this;
		return new Range(
			Math.max(earliest, now),
			Math.max(expected, now),
			latest === null ? null : Math.max(latest, now),
			this.told,
		);
	}

	/** Whether both of its ends lie less than so far from those of another. */
	isNear({earliest, latest}: Range, apart: Duration): boolean {
		const endsApart = latest === this.latest ? 0 : Math.abs((latest ?? never) - (this.latest ?? never));
		return Math.max(Math.abs(earliest - this.earliest), endsApart) < apart;
	}

	/** Of two things that may happen the first one. @param ends when those happen at the latest that surely do */
	orSooner(other: Range, ends: readonly Instant[]): Range {
		return new Range(
			Math.min(this.earliest, other.earliest),
			Math.min(this.expected, other.expected),
			Math.min(never, ...ends),
		);
	}

	/** The same with another end. */
	until(latest: Instant | null): Range {
		return new Range(this.earliest, this.expected, latest, this.told);
	}
}
