import type {Duration, Instant} from '../../core/time/instant.ts';

/** Where an instant lies that cannot be seen: never before `lo`, never after `hi`. */
export type Interval = {readonly lo: Instant; readonly hi: Instant};

/** The same interval, later by so many milliseconds. */
export const shift = ({lo, hi}: Interval, by: Duration): Interval => ({lo: lo + by, hi: hi + by});

/** From an interval's beginning to its end, in milliseconds. */
export const width = ({lo, hi}: Interval): Duration => hi - lo;

/** What two intervals share; undefined where they share nothing. */
export function intersect(a: Interval, b: Interval): Interval | undefined {
	const [lo, hi] = [Math.max(a.lo, b.lo), Math.min(a.hi, b.hi)];
	return lo <= hi ? {lo, hi} : undefined;
}

/** The point of an interval at a quantile: 0 its beginning, 1 its end. */
export const at = ({lo, hi}: Interval, quantile: number): Instant => lo + (hi - lo) * quantile;

/** An API time of whole seconds was cut off: the truth lies in the second that begins with it. */
export const wholeSecond = (time: Instant): Interval => ({lo: time, hi: time + 1000});

/** How long a watch takes to bring word of a change, and some more. */
const prompt: Duration = 1000;

/**
 * When something happened that was seen in `seen`, and that carries a time of its own: where the one is long, or unknown,
 * the other tells more. A time that contradicts what was seen is of a clock that is wrong.
 */
export function reconciled(seen: Interval | undefined, own: Interval | undefined): Interval | undefined {
	if (!seen || !own) return seen ?? own;
	return width(seen) > prompt ? (intersect(seen, own) ?? seen) : seen;
}
