import {type Duration, type Instant, second} from '../core/time/instant.ts';
import {formatDuration} from '../dates/duration.ts';
import {dateOf, timeOfDayBeside} from '../dates/format.ts';
import {timeZoneWords, utc} from '../dates/timeZone.ts';
import type {Range} from '../forecast/range.ts';
import {joined, someOf} from '../forecast/words.ts';
import type {Outage} from './outage.ts';

/** The time zone of a page, and the instant that defines its offset. */
export type PageTexts = Pick<Outage, 'from' | 'timeZone'>;

/** The time of day in whole seconds, with its offset if that differs from the page's. In UTC without a page. */
export const clock = (at: Instant, {from, timeZone}: PageTexts = {from: at, timeZone: utc}) =>
	timeOfDayBeside(at, from, timeZone);

/** The date; in UTC without a page. */
export const day = (at: Instant, {timeZone}: Pick<PageTexts, 'timeZone'> = {timeZone: utc}) =>
	dateOf(at, timeZone);

/** The time span of an outage, with the zone of all its times: `2026-11-22 14:07:31 to 14:20:00 UTC`. */
export function spanWords(outage: Outage): string {
	const {from, to} = outage;
	const end = day(from, outage) === day(to, outage) ? '' : `${day(to, outage)} `;
	return `${day(from, outage)} ${clock(from, outage)} to ${end}${clock(to, outage)} ${zoneWords(outage)}`;
}

/** The zone of all times of a page. */
export const zoneWords = ({from, timeZone}: PageTexts) => timeZoneWords(from, timeZone);

/** Joins names; of many, it names the first few and how many more there are. */
export const listed = (names: readonly string[]) => (names.length > 4 ? someOf(names) : joined(names, 'and'));

/** A range of times: `14:07:31–14:07:36`, or one time if both ends are in one second. */
export function clockRange({earliest, latest}: Range, page?: PageTexts): string {
	if (latest === null) return `${clock(earliest, page)} or later`;
	const [from, to] = [clock(earliest, page), clock(latest, page)];
	return from === to ? from : `${from}–${to}`;
}

/** How far a deletion was outside its range: `inside`, `0.8 s before it`. */
export function errorWords(error: Duration): string {
	if (error === 0) return 'inside';
	const size = Math.abs(error);
	const text = size < 60 * second ? `${(size / second).toFixed(1)} s` : formatDuration(size);
	return `${text} ${error < 0 ? 'before it' : 'after it'}`;
}
