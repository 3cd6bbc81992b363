import type {Duration, Instant} from '../core/time/instant.ts';
import {inTimeZone} from '../dates/format.ts';
import {type TimeZone, utc} from '../dates/timeZone.ts';
import type {When} from '../forecast/words.ts';
import {formatAt, formatDuration} from './countdown.ts';

/**
 * Formats a time by the clock and from now, both as the columns AT and IN have them: `14:07:31Z/14:07:36Z (in 4m10s-4m15s)`;
 * empty for no time.
 */
export function formatWhen(at: When, now: Instant, zone: TimeZone = utc): string {
	if (at === null) return '';
	const {earliest, latest} = typeof at === 'number' ? {earliest: at, latest: at} : at;
	const clock = inTimeZone(formatAt({earliest, latest}, now), now, zone);
	return `${clock} (${latest === null ? `${relative(earliest - now)}+` : relativeRange(earliest - now, latest - now)})`;
}

// What may have been due for a while, and is not bounded, may come from now on.
const relative = (distance: Duration): string => `in ${formatDuration(Math.max(0, distance))}`;

function relativeRange(from: Duration, to: Duration): string {
	const [first, last] = [formatDuration(Math.abs(from)), formatDuration(Math.abs(to))];
	if (to < 0) return first === last ? `${last} ago` : `${first}-${last} ago`;
	if (last === '0s') return 'now';
	if (from < 0 || first === '0s') return `within ${last}`;
	return first === last ? `in ${last}` : `in ${first}-${last}`;
}
