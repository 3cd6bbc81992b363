import {kept} from '../core/collections/kept.ts';
import {type Duration, type Instant, minute, second} from '../core/time/instant.ts';

/** The largest time value of a Date, in milliseconds. */
const endOfTime = 8.64e15;

const dateOf = (instant: Instant): Date =>
	new Date(Math.max(-endOfTime, Math.min(endOfTime, Math.round(instant))));

/** RFC 3339 in UTC with milliseconds, as in JSON output. @throws RangeError outside a Date's range */
export const formatTimestamp = (instant: Instant): string => new Date(Math.round(instant)).toISOString();

/** RFC 3339 in UTC with whole seconds, as kubectl shows times. */
export const formatTimestampSeconds = (instant: Instant): string =>
	formatTimestamp(Math.round(instant / 1000) * 1000).replace('.000Z', 'Z');

/** RFC 3339 in UTC, with milliseconds if they are not zero; clamped to a Date's range. */
export const isoTime = (instant: Instant): string => dateOf(instant).toISOString().replace('.000Z', 'Z');

/** Memoizes a function: the same few seconds are formatted for thousands of nodes and pods. */
export function memoized<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
	const known = new Map<Key, Value>();
	return (key) => kept(known, key, () => make(key), mostRemembered);
}
const mostRemembered = 10_000;

const secondTime = memoized(isoTime);

/** Instants nearer than this to `now` are shown without a date. */
const sameDay: Duration = 12 * 60 * minute;

/** Whether an instant is within half a day of `now`, so that its time of day alone is unambiguous. */
export const isNear = (instant: Instant, now: Instant) => Math.abs(instant - now) < sameDay;

/**
 * An instant in a sentence: the time of day in UTC, as `14:07:31Z`, with its date if it is not near `now`. `inTimeZone`
 * converts such times for a reader; JSON keeps them.
 */
export function clockTime(instant: Instant, now: Instant = instant): string {
	const wholeSecond = secondTime(Math.floor(instant / second) * second);
	return isNear(instant, now) ? wholeSecond.slice(11) : wholeSecond;
}

/**
 * The late end of a range as it is shown: to come, it is rounded up, as the early end is rounded down, so that the range that is
 * shown contains the real one.
 */
export const roundedEnd = (
	{earliest, latest}: {readonly earliest: Instant; readonly latest: Instant},
	now: Instant,
): Instant => (latest > earliest && latest > now ? Math.ceil(latest / second) * second : latest);
