import {type Duration, type Instant, minute, second} from '../../core/time/instant.ts';
import type {Range} from '../../forecast/range.ts';

const hour: Duration = 60 * minute;

/** A duration as on a clock: `0:04`, `12:30`; from one hour on with units: `1h05m`, `12h`, `3d4h`. */
export function clockSpan(duration: Duration): string {
	const seconds = Math.max(0, Math.floor(duration / second));
	const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
	if (hours >= 48) return `${Math.floor(hours / 24)}d${hours % 24}h`;
	if (hours >= 10) return `${hours}h`;
	return hours > 0 ? `${hours}h${pad(minutes)}m` : `${minutes}:${pad(seconds % 60)}`;
}

const pad = (number: number): string => String(number).padStart(2, '0');

/** A duration as the end of a range, rounded up. */
export const clockSpanUp = (duration: Duration): string => clockSpan(roundedUp(duration));

/** Rounds up to the precision that `clockSpan` shows. */
function roundedUp(duration: Duration): Duration {
	const ceil = (unit: Duration) => Math.ceil(duration / unit) * unit;
	if (ceil(second) < hour) return ceil(second);
	return ceil(minute) < 10 * hour ? ceil(minute) : ceil(hour);
}

/**
 * The time left of a range: `4:05–4:10`, one value if both ends look the same, `4:05+` without an upper bound, `~4:05` and
 * `0:00–~4:05` for approximate ends, `now` if its end has passed. Ends are rounded outwards, so that the shown range contains
 * the real one.
 */
export function countdown({earliest, latest, about, by}: Range, now: Instant): string {
	if (about !== null && about > now) return `~${clockSpan(about - now)}`;
	const from = clockSpan(earliest - now);
	if (by !== null && by > now) return `${from}–~${clockSpanUp(by - now)}`;
	if (latest === null) return `${from}+`;
	if (latest <= now) return 'now';
	const to = clockSpanUp(latest - now);
	return from === to ? from : `${from}–${to}`;
}

/** A countdown in a sentence. */
export const inWords = (when: string): string => (when === 'now' ? 'now' : `in ${when}`);

/** The age of something, in the largest useful unit: `4s`, `3m10s`, `2h5m`. */
export function age(since: Instant, now: Instant): string {
	const elapsed = Math.max(0, now - since);
	if (elapsed < minute) return `${Math.floor(elapsed / second)}s`;
	if (elapsed < 10 * minute) return joined(elapsed, minute, 'm', second, 's');
	if (elapsed < hour) return `${Math.floor(elapsed / minute)}m`;
	return elapsed < 48 * hour
		? joined(elapsed, hour, 'h', minute, 'm')
		: joined(elapsed, 24 * hour, 'd', hour, 'h');
}

function joined(elapsed: Duration, unit: Duration, name: string, part: Duration, partName: string): string {
	const rest = Math.floor((elapsed % unit) / part);
	return `${Math.floor(elapsed / unit)}${name}${rest === 0 ? '' : `${rest}${partName}`}`;
}
