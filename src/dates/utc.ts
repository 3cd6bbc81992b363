import {kept} from '../core/collections/kept.ts';
import {type Duration, type Instant, minute, second} from '../core/time/instant.ts';

/** The last instant, in milliseconds, that a Date can name. */
const endOfTime = 8.64e15;

const dateOf = (instant: Instant): Date =>
	new Date(Math.max(-endOfTime, Math.min(endOfTime, Math.round(instant))));

/** RFC 3339 in UTC with milliseconds, as JSON output has it. @throws RangeError for what no Date can name */
export const formatTimestamp = (instant: Instant): string => new Date(Math.round(instant)).toISOString();

/** RFC 3339 in UTC with whole seconds, as kubectl shows times. */
export const formatTimestampSeconds = (instant: Instant): string =>
	formatTimestamp(Math.round(instant / 1000) * 1000).replace('.000Z', 'Z');

/** RFC 3339 in UTC, with milliseconds where it has any; the nearest that there is for what no Date can name. */
export const isoTime = (instant: Instant): string => dateOf(instant).toISOString().replace('.000Z', 'Z');

/** A function that keeps its latest results: the same few seconds are written for thousands of nodes and pods. */
export function remembering<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
	const known = new Map<Key, Value>();
	return (key) => kept(known, key, () => make(key), mostRemembered);
}
const mostRemembered = 10_000;

const secondTime = remembering(isoTime);

/** How near an instant must be for its date to go without saying. */
const sameDay: Duration = 12 * 60 * minute;

/** Whether the time of day alone says which instant is meant: there is one such within half a day of `now`. */
export const isNear = (instant: Instant, now: Instant): boolean => Math.abs(instant - now) < sameDay;

/**
 * An instant within a sentence: the time of day in UTC, as in `14:07:31Z`, with its date where that is not near `now`.
 * Sentences are the same for programs and for people; `inTimeZone` turns the times in them for a reader.
 */
export function clockTime(instant: Instant, now: Instant = instant): string {
	const wholeSecond = secondTime(Math.floor(instant / second) * second);
	return isNear(instant, now) ? wholeSecond.slice(11) : wholeSecond;
}
