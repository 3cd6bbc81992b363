import type {Duration, Instant} from '../core/time/instant.ts';
import {timeBeside} from '../dates/format.ts';
import {type TimeZone, utc} from '../dates/timeZone.ts';
import type {When} from '../forecast/words.ts';
import {formatDuration} from './countdown.ts';

/** Formats a time by the clock and from now: `14:07:31–14:07:36 (in 4m10s–4m15s)`; empty for no time. */
export function formatWhen(at: When, now: Instant, zone: TimeZone = utc): string {
	if (at === null) return '';
	const [earliest, latest] = typeof at === 'number' ? [at, at] : [at.earliest, at.latest];
	const from = timeBeside(earliest, now, zone);
	if (latest === null) return `${from} or later (${relative(earliest - now)} or later)`;
	const to = timeBeside(latest, now, zone);
	return `${from === to ? from : `${from}–${to}`} (${relativeRange(earliest - now, latest - now)})`;
}

const relative = (distance: Duration): string =>
	distance < 0 ? `${formatDuration(-distance)} ago` : `in ${formatDuration(distance)}`;

function relativeRange(from: Duration, to: Duration): string {
	const [first, last] = [formatDuration(Math.abs(from)), formatDuration(Math.abs(to))];
	if (to < 0) return first === last ? `${last} ago` : `${first}–${last} ago`;
	if (last === '0s') return 'now';
	if (from < 0 || first === '0s') return `within ${last}`;
	return first === last ? `in ${last}` : `in ${first}–${last}`;
}
