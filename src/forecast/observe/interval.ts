import {maxOf, minOf} from '../../core/collections/extremes.ts';
import {beginningOfTime, type Duration, type Instant} from '../../core/time/instant.ts';

/** Bounds of an instant that cannot be seen: it lies between `lo` and `hi`, both included. */
export type Interval = {readonly lo: Instant; readonly hi: Instant};

/** For what was never seen to begin. */
export const sinceBeginning: Interval = {lo: beginningOfTime, hi: beginningOfTime};

/** Of an instant that is known exactly. */
export const point = (at: Instant): Interval => ({lo: at, hi: at});

/** By key, the smallest interval that contains the times of all entries with it. */
export function spansOf(entries: Iterable<readonly [key: string, time: Instant]>): Map<string, Interval> {
	const spans = new Map<string, Interval>();
	for (const [key, time] of entries) {
		const {lo, hi} = spans.get(key) ?? point(time);
		spans.set(key, {lo: Math.min(lo, time), hi: Math.max(hi, time)});
	}
	return spans;
}

/** Moves an interval by a number of milliseconds. */
export const shift = ({lo, hi}: Interval, by: Duration): Interval => ({lo: lo + by, hi: hi + by});

export const width = ({lo, hi}: Interval): Duration => hi - lo;

/** The smallest interval that contains all of these. */
export const hull = (intervals: readonly Interval[]): Interval => ({
	lo: minOf(intervals.map(({lo}) => lo)),
	hi: maxOf(intervals.map(({hi}) => hi)),
});

/** The intersection of two intervals; undefined if they do not overlap. */
export function intersect(a: Interval, b: Interval): Interval | undefined {
	const [lo, hi] = [Math.max(a.lo, b.lo), Math.min(a.hi, b.hi)];
	return lo <= hi ? {lo, hi} : undefined;
}

/** When both of two things are true: at the later one. */
export const notBefore = (a: Interval, b: Interval): Interval => ({
	lo: Math.max(a.lo, b.lo),
	hi: Math.max(a.hi, b.hi),
});

/** The point of an interval at a quantile: 0 is its beginning, 1 its end. */
export const at = ({lo, hi}: Interval, quantile: number): Instant => lo + (hi - lo) * quantile;

/** The middle of an interval, and the likeliest quantile of what is unknown. */
export const middle = 0.5;

/** Whether a hypothesis takes the early end of what is one or the other, as a queue that was processed before a pass or after it. */
export const isEarly = (quantile: number) => quantile < middle;

/** What a hypothesis takes of three: the early end, what is likeliest, or the late end. */
export const endOf = <End>(quantile: number, early: End, usual: End, late: End): End =>
	isEarly(quantile) ? early : quantile > middle ? late : usual;

/** The interval that a truncated API time stands for: the second that begins with it. */
export const wholeSecond = (time: Instant): Interval => ({lo: time, hi: time + 1000});

/** The longest interval of a change that was seen live, including the delay of a watch. */
const prompt: Duration = 1000;

/** Whether a change was seen as it happened. */
export const isPrompt = (seen: Interval) => width(seen) <= prompt;

/**
 * Combines when a change was seen with the object's own time, which narrows an interval that was not seen live. An own time
 * that contradicts it comes from a wrong clock, and is ignored.
 */
export function reconciled(seen: Interval | undefined, own: Interval | undefined): Interval | undefined {
	if (!seen || !own) return seen ?? own;
	return isPrompt(seen) ? seen : (intersect(seen, own) ?? seen);
}
