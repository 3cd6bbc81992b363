import {TZDateMini} from '@date-fns/tz/date/mini';
import {parseISO} from 'date-fns/parseISO';
import type {Instant} from '../core/time/instant.ts';
import type {TimeZone} from './timeZone.ts';

/**
 * Reads a time that a user wrote: RFC 3339, or a date and a time of day without an offset, which is of the zone given.
 * Undefined where it is no time.
 */
export function parseTime(text: string, zone: TimeZone): Instant | undefined {
	if (!/^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[-+]\d\d:\d\d)?$/.test(text)) return undefined;
	const at = parseISO(text.toUpperCase(), {in: (value) => new TZDateMini(Number(value), zone)}).getTime();
	return Number.isNaN(at) ? undefined : at;
}
