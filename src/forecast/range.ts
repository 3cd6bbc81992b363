import {minOf} from '../core/collections/extremes.ts';
import {type Duration, type Instant, never, second} from '../core/time/instant.ts';

/** An unbounded range shows its median only if it lies this far after the beginning. */
const shownFrom: Duration = 5 * second;

/** The instant shown of an unbounded range: its beginning, or its likeliest time. */
export type ShownEnd = 'beginning' | 'about';

/** The central 80 % of the times at which something happens, if it does. */
export type Likely = {readonly from: Instant; readonly until: Instant};

/** How long an event waits for its turn. */
export type TurnWait = {readonly longest: Duration; readonly usual: Duration};

/** What is known of a range beside its ends and its median. */
type RangeDetails = {
	readonly shownEnd?: ShownEnd;
	/** Absent if unknown: between bounds, both halves of the time are then taken as even. Null if there is no telling. */
	readonly likely?: Likely | null | undefined;
	readonly probability?: number | undefined;
};

/** Narrower ranges leave nothing open but latencies. */
const worthOdds: Duration = 3 * second;

/** The shares of cases that have come by `likely.from` and by `likely.until`. */
const [tenth, nineTenths] = [0.1, 0.9];

/** The parts of the usual wait that the central cases wait at least and at most. Measured on drawn outages and on real ones. */
const [shortly, long] = [0.63, 1.37];

/** When something happens: never before `earliest`, never after `latest`; `expected` is the median. */
export class Range {
	readonly earliest: Instant;
	readonly expected: Instant;
	/** Null if unbounded. */
	readonly latest: Instant | null;
	/** Null if there is no telling, as the end is not known. */
	readonly likely: Likely | null;
	/** How likely it happens at all; absent if that is certain, or unknown. */
	readonly probability?: number;
	readonly #shownEnd: ShownEnd;

	/** Ends in the wrong order are swapped: the event lies between the two. @param latest null, infinite or NaN if unbounded */
	constructor(
		earliest: Instant,
		expected: Instant,
		latest: Instant | null,
		{shownEnd = 'beginning', likely, probability}: RangeDetails = {},
	) {
		const end = latest === null || Number.isNaN(latest) ? never : latest;
		const [first, last] = earliest <= end ? [earliest, end] : [end, earliest];
		this.earliest = first;
		this.expected = Number.isNaN(expected) ? first : Math.min(Math.max(expected, first), last);
		this.latest = Number.isFinite(last) ? last : null;
		this.likely = likely === undefined ? this.#evenly() : likely && this.#around(likely);
		if (probability !== undefined) this.probability = probability;
		this.#shownEnd = shownEnd;
	}

	/** A range with a measured median, as of a resource that runs short: the median is shown even if the range is unbounded. */
	static estimate(earliest: Instant, expected: Instant, latest: Instant | null): Range {
		return new Range(earliest, expected, latest, {shownEnd: 'about'});
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

	/** Whether it says more than the ends when it most likely happens: of narrow ranges the ends say enough. */
	get isWorthOdds() {
		return this.likely !== null && this.end - this.earliest > worthOdds;
	}

	/** The share of all cases, in which it happens or not, in which it has happened by an instant; without a known end, an estimate. */
	shareBy(instant: Instant): number {
		return (this.probability ?? 1) * this.#portionBy(instant);
	}

	/** The range if nothing has happened before `now`: the times that are over count no more. */
	notBefore(now: Instant): Range {
		const {earliest, expected, end, shownEnd, likely, probability} = this;
		if (now <= earliest) return this;
		const over = this.#portionBy(now);
		const left = 1 - over;
		const after = (share: number) => Math.max(now, this.#timeOf(over + left * share));
		return new Range(now, likely ? after(0.5) : Math.max(expected, now), Math.max(end, now), {
			shownEnd,
			likely: likely && {from: after(tenth), until: after(nineTenths)},
			probability: probability && (probability * left) / (1 - probability * over),
		});
	}

	/** The same if the event waits: for `usual` by the median, somewhat less or more in most cases, for `longest` at most. */
	delayed({longest, usual}: TurnWait): Range {
		const {earliest, expected, latest, likely, probability, shownEnd} = this;
		return new Range(earliest, expected + usual, latest === null ? null : latest + longest, {
			likely: likely && {from: likely.from + shortly * usual, until: likely.until + long * usual},
			probability,
			shownEnd,
		});
	}

	/** Whether both ends lie less than `apart` from those of another range. */
	isNear({earliest, end}: Range, apart: Duration) {
		const endsApart = end === this.end ? 0 : Math.abs(end - this.end);
		return Math.max(Math.abs(earliest - this.earliest), endsApart) < apart;
	}

	/** Whether another range lies in it. */
	covers({earliest, end}: Range): boolean {
		return this.earliest <= earliest && end <= this.end;
	}

	/** When the first of two possible events happens. @param ends the latest times of those that are certain */
	orSooner(other: Range, ends: readonly Instant[]): Range {
		// What one of them comes to is no odds of both: those of one that is certain count.
		const [a, b] = [this, other].map(({likely, probability}) => (probability === undefined ? likely : null));
		return new Range(
			Math.min(this.earliest, other.earliest),
			Math.min(this.expected, other.expected),
			minOf(ends, never),
			{likely: a && b ? {from: Math.min(a.from, b.from), until: Math.min(a.until, b.until)} : (a ?? b)},
		);
	}

	/** From the earlier beginning of two ranges to the later end. */
	joinedWith({earliest, expected, end, likely}: Range): Range {
		const own = this.likely;
		return new Range(
			Math.min(earliest, this.earliest),
			Math.min(expected, this.expected),
			Math.max(end, this.end),
			{
				likely: own &&
					likely && {from: Math.min(own.from, likely.from), until: Math.max(own.until, likely.until)},
			},
		);
	}

	/** The same with another end. */
	until(latest: Instant | null): Range {
		const {earliest, expected, shownEnd, likely, probability} = this;
		return new Range(earliest, expected, latest, {shownEnd, likely, probability});
	}

	/** The same with an earlier beginning. */
	since(earliest: Instant): Range {
		const {expected, latest, shownEnd, likely, probability} = this;
		return new Range(Math.min(earliest, this.earliest), expected, latest, {shownEnd, likely, probability});
	}

	#evenly(): Likely | null {
		const {earliest, expected, latest} = this;
		if (latest === null || !Number.isFinite(earliest)) return null;
		const part = 2 * tenth;
		return {from: earliest + part * (expected - earliest), until: latest - part * (latest - expected)};
	}

	#around({from, until}: Likely): Likely {
		const {earliest, expected, end} = this;
		return {
			from: Math.min(Math.max(from, earliest), expected),
			until: Math.max(Math.min(until, end), expected),
		};
	}

	/**
	 * Times by which known shares of the cases have come, of those in which it happens. Without an end, they come as slowly on;
	 * without a beginning, none is told before the first that is known.
	 */
	get #points(): readonly (readonly [at: Instant, share: number])[] {
		const {earliest, expected, latest, likely} = this;
		const until = likely?.until ?? 2 * expected - earliest;
		const points: readonly (readonly [at: Instant, share: number])[] = [
			[earliest, 0],
			[likely?.from ?? earliest, likely ? tenth : 0],
			[expected, 0.5],
			[until, nineTenths],
			[latest ?? until + (until - expected) / 2, 1],
		];
		return points.filter(([at]) => Number.isFinite(at));
	}

	#portionBy(instant: Instant): number {
		if (instant <= this.earliest) return 0;
		if (instant >= this.end) return 1;
		const points = this.#points;
		const index = points.findIndex(([at]) => at > instant);
		if (index <= 0) return index < 0 ? 1 : 0;
		const [[from, less], [to, more]] = [points[index - 1] ?? [0, 0], points[index] ?? [0, 1]];
		return less + ((more - less) * (instant - from)) / (to - from);
	}

	#timeOf(share: number): Instant {
		const points = this.#points;
		const index = Math.max(
			1,
			points.findIndex(([, most]) => most >= share),
		);
		const [[from, less], [to, more]] = [points[index - 1] ?? [0, 0], points[index] ?? [0, 1]];
		return more > less ? from + ((to - from) * (share - less)) / (more - less) : to;
	}
}
