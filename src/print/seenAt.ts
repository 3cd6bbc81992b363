import type {Instant} from '../core/time/instant.ts';
import {timeAlone} from '../dates/format.ts';
import {type TimeZone, timeZoneWords} from '../dates/timeZone.ts';

/** The time of an answer, and the zone of its times. */
export const seenWords = (now: Instant, zone: TimeZone): string =>
	`Seen at ${timeAlone(now, now, zone)}; all times are ${timeZoneWords(now, zone)}.`;

/** The first line of every answer that simulates changes: the time, and that nothing was changed. */
export const simulatedHead = (now: Instant, zone: TimeZone): string =>
	`${seenWords(now, zone)} Dry run: nothing was changed.\n`;
