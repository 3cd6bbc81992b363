import {type Duration, type Instant, second} from '../core/time/instant.ts';

const never = Number.POSITIVE_INFINITY;

/** Less than that after its beginning, the median of an open range tells nothing more. */
const tellingFrom: Duration = 5 * second;

/** When something happens: never before `earliest`, never after `latest`; `expected` is the median. Its ends are in order. */
export class Range {
	readonly earliest: Instant;
	readonly expected: Instant;
	/** Null where nothing bounds it. */
	readonly latest: Instant | null;
	readonly #isEstimate: boolean;

	/**
	 * Ends that contradict each other are taken in the order of time: what happens lies between the two.
	 *
	 * @param latest null, infinite or not a number where nothing bounds it
	 * @param isEstimate whether `about` is told where nothing bounds it
	 */
	constructor(earliest: Instant, expected: Instant, latest: Instant | null, isEstimate = false) {
		const end = latest === null || Number.isNaN(latest) ? never : latest;
		const [first, last] = earliest <= end ? [earliest, end] : [end, earliest];
		this.earliest = first;
		this.expected = Number.isNaN(expected) ? first : Math.min(Math.max(expected, first), last);
		this.latest = Number.isFinite(last) ? last : null;
		this.#isEstimate = isEstimate;
	}

	/** One whose median is measured, as that of a kubelet that runs short: it is told even where nothing bounds it. */
	static estimate(earliest: Instant, expected: Instant, latest: Instant | null): Range {
		return new Range(earliest, expected, latest, true);
	}

	/** An interval, its middle for expected; its beginning where it has no end. */
	static over({lo, hi}: {readonly lo: Instant; readonly hi: Instant}): Range {
		return new Range(lo, Number.isFinite(hi) ? (lo + hi) / 2 : lo, hi);
	}

	/** Whether its median is told where nothing bounds it. */
	get isEstimate(): boolean {
		return this.#isEstimate;
	}

	/** When it most likely happens, where nothing bounds it and that is known; null elsewhere: its ends tell more. */
	get about(): Instant | null {
		const {earliest, expected, latest} = this;
		return this.#isEstimate && latest === null && expected - earliest >= tellingFrom ? expected : null;
	}

	/** The same as of an instant before which it has not happened. */
	notBefore(now: Instant): Range {
		const {earliest, expected, latest} = this;
		return new Range(
			Math.max(earliest, now),
			Math.max(expected, now),
			latest === null ? null : Math.max(latest, now),
			this.#isEstimate,
		);
	}

	/** Whether both of its ends lie less than so far from those of another. */
	isNear({earliest, latest}: Range, apart: Duration): boolean {
		const endsApart = latest === this.latest ? 0 : Math.abs((latest ?? never) - (this.latest ?? never));
		return Math.max(Math.abs(earliest - this.earliest), endsApart) < apart;
	}

	/** The same with another end. */
	until(latest: Instant | null): Range {
		return new Range(this.earliest, this.expected, latest, this.#isEstimate);
	}
}
