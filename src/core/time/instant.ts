/** A point in time: milliseconds since the Unix epoch. Fractions are real: the controllers count nanoseconds. */
export type Instant = number;

/** A length of time in milliseconds. Seconds exist only in API fields and flags, and are converted at the edge. */
export type Duration = number;

/** What comes at this instant does not come. */
export const never: Instant = Number.POSITIVE_INFINITY;

/** Before all instants: since then is what was never seen to begin. */
export const beginningOfTime: Instant = Number.NEGATIVE_INFINITY;

export const second: Duration = 1000;
export const minute: Duration = 60 * second;

/** The middle one of some instants or durations, the later of two; undefined for none. */
export const median = (times: readonly number[]): number | undefined =>
	times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];
