import type {Instant} from '../../core/time/instant.ts';
import {timeAlone} from '../../dates/format.ts';
import {type TimeZone, timeZoneWords} from '../../dates/timeZone.ts';

/** The first line of every answer that plays changes: when it was asked, and that nothing happened. */
export const simulatedHead = (now: Instant, zone: TimeZone): string =>
	`Seen at ${timeAlone(now, now, zone)}; all times are ${timeZoneWords(now, zone)}. Dry run: nothing was changed.\n`;
