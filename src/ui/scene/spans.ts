import {type Duration, type Instant, minute, second} from '../../core/time/instant.ts';
import {timeBeside} from '../../dates/format.ts';
import type {TimeZone} from '../../dates/timeZone.ts';
import {roundedEnd} from '../../dates/utc.ts';
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

const pad = (number: number) => String(number).padStart(2, '0');

/** A duration as the end of a range, rounded up. */
export const clockSpanUp = (duration: Duration) => clockSpan(roundedUp(duration));

/** Rounds up to the precision that `clockSpan` shows. */
function roundedUp(duration: Duration): Duration {
	const ceil = (unit: Duration) => Math.ceil(duration / unit) * unit;
	if (ceil(second) < hour) return ceil(second);
	return ceil(minute) < 10 * hour ? ceil(minute) : ceil(hour);
}

/**
 * The time left of a range: `4:05–4:10`, one value if both ends look the same, `4:05+` without an upper bound, `~4:05` for
 * an approximate one, `now` if its end has passed. Ends are rounded outwards, so that the shown range contains
 * the real one.
 */
export function countdown({earliest, latest, about}: Range, now: Instant): string {
	if (about !== null && about > now) return `~${clockSpan(about - now)}`;
	const from = clockSpan(earliest - now);
	if (latest === null) return `${from}+`;
	if (latest <= now) return 'now';
	const to = clockSpanUp(latest - now);
	return from === to ? from : `${from}–${to}`;
}

/** The clock time of an instant, or of both ends of a range: one if they look the same; `open` for an end without a bound. */
export function clockTimes(at: Instant | Range, now: Instant, timeZone: TimeZone): readonly string[] {
	if (typeof at === 'number') return [timeBeside(at, now, timeZone)];
	const {earliest, latest, about} = at;
	if (about !== null) return [`~${timeBeside(about, now, timeZone)}`];
	const from = timeBeside(earliest, now, timeZone);
	const to = latest === null ? 'open' : timeBeside(roundedEnd({earliest, latest}, now), now, timeZone);
	return from === to ? [from] : [from, to];
}
