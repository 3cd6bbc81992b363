import type {Instant} from '../core/time/instant.ts';
import {timeAlone} from '../dates/format.ts';
import {type TimeZone, timeZoneWords} from '../dates/timeZone.ts';

/** As of when an answer is, and in which zone its times are. */
export const seenWords = (now: Instant, zone: TimeZone): string =>
	`Seen at ${timeAlone(now, now, zone)}; all times are ${timeZoneWords(now, zone)}.`;

/** The first line of every answer that plays changes: the same, and that nothing happened. */
export const simulatedHead = (now: Instant, zone: TimeZone): string =>
	`${seenWords(now, zone)} Dry run: nothing was changed.\n`;
