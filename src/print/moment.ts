import type {Duration, Instant} from '../core/time/instant.ts';
import {formatAtLeast, formatDuration, formatEnds} from '../dates/duration.ts';
import {clockTime, type When} from '../forecast/words.ts';
import {formatAt} from './countdown.ts';

/**
 * A clock time with its countdown, like the columns AT and IN: `14:07:31Z/14:07:36Z (in 4m10s-4m15s)`, `14:07:31Z (in 4m10s)
 * or later`, `about 14:07:31Z (in 4m10s)`; empty for no time.
 */
export function formatClockAndCountdown(at: When, now: Instant): string {
	if (at === null) return '';
	const {earliest, latest, about} = boundsOf(at);
	if (about !== null) return `${formatClock(at, now)} (${relative(about - now)})`;
	if (latest === null) return `${clockTime(earliest, now)} (${relative(earliest - now)}) or later`;
	return `${formatClock(at, now)} (${relativeRange(earliest - now, latest - now)})`;
}

/** The clock time alone: `14:07:31Z/14:07:36Z`, `14:07:31Z or later`. */
export const formatClock = (at: When, now: Instant) => (at === null ? '' : formatAt(boundsOf(at), now));

const boundsOf = (at: NonNullable<When>) =>
	typeof at === 'number' ? {earliest: at, latest: at, about: null} : at;

// A past earliest time without an upper bound means any moment from now on.
function relative(distance: Duration): string {
	const left = formatAtLeast(distance);
	return left === '0s' ? 'now' : `in ${left}`;
}

function relativeRange(from: Duration, to: Duration): string {
	if (to < 0) {
		const [first, last] = [formatDuration(-from), formatDuration(-to)];
		return first === last ? `${last} ago` : `${first}-${last} ago`;
	}
	const [first, last] = formatEnds(from, to);
	if (last === '0s') return 'now';
	if (from < 0 || first === '0s') return `in 0s-${last}`;
	return first === last ? `in ${last}` : `in ${first}-${last}`;
}
