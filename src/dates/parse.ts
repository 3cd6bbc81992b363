import {TZDateMini} from '@date-fns/tz/date/mini';
import {parseISO} from 'date-fns/parseISO';
import {type Duration, type Instant, minute} from '../core/time/instant.ts';
import {offsetOf, type TimeZone} from './timeZone.ts';

/** Parses a user's time: RFC 3339, or a date and a time of day in the given zone. Undefined if it is not a time. */
export function parseTime(text: string, zone: TimeZone): Instant | undefined {
	const found = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?<offset>[Zz]|[-+]\d\d:\d\d)?$/.exec(
		text,
	);
	if (!found) return undefined;
	const at = parseISO(text.toUpperCase(), {in: (value) => new TZDateMini(Number(value), zone)}).getTime();
	if (Number.isNaN(at)) return undefined;
	return found.groups?.['offset'] === undefined ? firstReading(at, zone) : at;
}

/** Longer than any daylight saving change. */
const longerThanChange: Duration = 180 * minute;

/** The first of two readings, if the hour occurs twice at the end of daylight saving time; an offset can select the second. */
function firstReading(at: Instant, zone: TimeZone): Instant {
	const [before, after] = [offsetOf(at - longerThanChange, zone), offsetOf(at, zone)];
	const earlier = at - (before - after) * minute;
	return before > after && offsetOf(earlier, zone) === before ? earlier : at;
}
