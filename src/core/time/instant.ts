import {compareValues} from '../collections/compareValues.ts';
/** A point in time: milliseconds since the Unix epoch. It may have fractions: the controllers count nanoseconds. */
export type Instant = number;

/** A length of time in milliseconds. Only API fields and flags use seconds; they are converted when read. */
export type Duration = number;

/** Marks something that never happens. */
export const never: Instant = Number.POSITIVE_INFINITY;

/** Before all instants: marks something whose start was not observed. */
export const beginningOfTime: Instant = Number.NEGATIVE_INFINITY;

export const second: Duration = 1000;
export const minute: Duration = 60 * second;

/** The median of instants or durations; the later of the middle two; undefined for none. */
export const median = (times: readonly number[]): number | undefined =>
	times.toSorted(compareValues)[Math.floor(times.length / 2)];

/** Compares for sorting what happened, the oldest first. */
export const oldestFirst = (a: {readonly at: Instant}, b: {readonly at: Instant}): number => a.at - b.at;
