import {TZDateMini} from '@date-fns/tz/date/mini';
import {formatISO} from 'date-fns/formatISO';
import {lightFormat} from 'date-fns/lightFormat';
import {type Duration, type Instant, minute, second} from '../core/time/instant.ts';
import {offsetOf, offsetText, type TimeZone, utc} from './timeZone.ts';
import {clockTime, formatTimestampSeconds, isNear, isoTime, memoized} from './utc.ts';

const formatIn = (instant: Instant, zone: TimeZone, pattern: string): string =>
	lightFormat(new TZDateMini(Math.floor(instant / second) * second, zone), pattern);

/** The date, `2026-11-22`. */
export const dateOf = (instant: Instant, zone: TimeZone): string => formatIn(instant, zone, 'yyyy-MM-dd');

/** The time of day, truncated to seconds: `14:07:31`. */
export const timeOfDay = (instant: Instant, zone: TimeZone): string =>
	zone === utc ? clockTime(instant).slice(0, -1) : formatIn(instant, zone, 'HH:mm:ss');

/**
 * An instant on a page that names its zone: the time of day, with its offset if daylight saving time makes it differ from
 * the offset at `now`; with date and offset if it is not near `now`.
 */
export function timeBeside(instant: Instant, now: Instant, zone: TimeZone): string {
	if (!isNear(instant, now)) return dateAndTime(Math.floor(instant / second) * second, zone);
	return timeOfDayBeside(instant, now, zone);
}

/** The time of day, with its offset if this differs from the offset at `reference`. */
export function timeOfDayBeside(instant: Instant, reference: Instant, zone: TimeZone): string {
	const offset = offsetOf(instant, zone);
	return `${timeOfDay(instant, zone)}${offset === offsetOf(reference, zone) ? '' : offsetText(offset)}`;
}

const writtenIn = memoized((zone: TimeZone) =>
	// A zone with offset zero is still not UTC.
	memoized((at: Instant) => formatISO(new TZDateMini(at, zone)).replace(/Z$/, '+00:00')),
);

/** RFC 3339 with whole seconds and the zone's offset: `2026-11-22T15:07:31+01:00`; with `Z` in UTC. */
export function dateAndTime(instant: Instant, zone: TimeZone): string {
	return zone === utc
		? formatTimestampSeconds(instant)
		: writtenIn(zone)(Math.round(instant / second) * second);
}

/** The time of day with its offset: `15:07:31+01:00`, `14:07:31Z`; with its date if it is not near `now`. */
export const timeAlone = (instant: Instant, now: Instant, zone: TimeZone): string =>
	inTimeZone(clockTime(instant, now), now, zone);

const timeInText = /\b(\d{4}-\d\d-\d\dT)?(\d\d:\d\d:\d\d)(\.\d+)?Z(?!\w)/g;

/**
 * Converts the UTC times in a text to a zone, each with its offset: `14:07:31Z` becomes `15:07:31+01:00`. A time without a
 * date is taken as the one nearest to `now`.
 */
export function inTimeZone(text: string, now: Instant, zone: TimeZone): string {
	if (zone === utc) return text;
	return text.replaceAll(
		timeInText,
		(written: string, date: string | undefined, time: string, fraction = '') => {
			const at = date === undefined ? nearest(time, now) : Date.parse(`${date}${time}Z`);
			if (Number.isNaN(at)) return written;
			const local = dateAndTime(at, zone);
			const split = 'yyyy-mm-ddThh:mm:ss'.length;
			return `${local.slice(date === undefined ? 11 : 0, split)}${fraction}${local.slice(split)}`;
		},
	);
}

const day: Duration = 24 * 60 * minute;

/** The instant nearest to `now` that has this time of day in UTC. */
function nearest(time: string, now: Instant): Instant {
	const onDay = Date.parse(`${isoTime(now).slice(0, 11)}${time}Z`);
	return onDay + Math.round((now - onDay) / day) * day;
}
