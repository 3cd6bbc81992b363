import {type Duration, type Instant, second} from '../core/time/instant.ts';
import {dateOf, timeOfDayBeside} from '../dates/format.ts';
import {timeZoneWords, utc} from '../dates/timeZone.ts';
import type {Range} from '../forecast/range.ts';
import {formatDuration} from '../print/countdown.ts';
import type {Eviction, Outage} from './outage.ts';

/** In which zone a page is written, and the instant that gives it its offset. */
export type PageTexts = Pick<Outage, 'from' | 'timeZone'>;

/** The time of day, in whole seconds, with its offset where that has changed since the page begins. In UTC without a page. */
export const clock = (at: Instant, {from, timeZone = utc}: PageTexts = {from: at}): string =>
	timeOfDayBeside(at, from, timeZone);

/** The day; in UTC without a page. */
export const day = (at: Instant, {timeZone = utc}: Pick<PageTexts, 'timeZone'> = {}): string =>
	dateOf(at, timeZone);

/** From when to when an outage is told, with the zone of all its times: `2026-11-22 14:07:31 to 14:20:00 UTC`. */
export function spanWords(outage: Pick<Outage, 'from' | 'to' | 'timeZone'>): string {
	const {from, to} = outage;
	const end = day(from, outage) === day(to, outage) ? '' : `${day(to, outage)} `;
	return `${day(from, outage)} ${clock(from, outage)} to ${end}${clock(to, outage)} ${zoneWords(outage)}`;
}

/** The zone of all times of a page. */
export const zoneWords = ({from, timeZone = utc}: PageTexts): string => timeZoneWords(from, timeZone);

/** Names as people list them; of many the first few, and how many more there are. */
export function listed(names: readonly string[], most = 4): string {
	if (names.length > most)
		return `${names.slice(0, most - 1).join(', ')} and ${names.length - most + 1} more`;
	return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : (names[0] ?? '');
}

/** A taint without the prefix that all of the controllers' own have. */
export const shortTaint = (taint: string): string => taint.replace(/^node\.kubernetes\.io\//, '');

/** Of a table of pods that their kubelets evicted. */
export const kubeletHeads = [
	'Evicted',
	'Pod',
	'Node',
	'Short of',
	'First predicted',
	'Last predicted',
] as const;

/** What a pod was evicted for. */
export const causeWords = (cause: Eviction['cause']): string =>
	`${cause?.device === undefined ? '' : `device ${cause.device}: `}${shortTaint(cause?.taint ?? cause?.kind ?? 'unknown')}`;

/** Whether its taint was tolerated, and how long; empty where that is not known. */
export function toleratedWords(cause: Eviction['cause']): string {
	const seconds = cause?.tolerationSeconds;
	if (seconds === undefined) return '';
	return seconds === null ? 'not tolerated' : `tolerated for ${seconds} s`;
}

/** A range of the clock: `14:07:31–14:07:36`, one time where both ends are in one second. */
export function clockRange({earliest, latest}: Range, page?: PageTexts): string {
	if (latest === null) return `${clock(earliest, page)} or later`;
	const [from, to] = [clock(earliest, page), clock(latest, page)];
	return from === to ? from : `${from}–${to}`;
}

/** How far off something was: `inside`, `0.8 s too early`. */
export function errorWords(error: Duration): string {
	if (error === 0) return 'inside';
	const size = Math.abs(error);
	const text = size < 60 * second ? `${(size / second).toFixed(1)} s` : formatDuration(size);
	return `${text} ${error < 0 ? 'before it' : 'after it'}`;
}
