import {type Instant, never} from '../core/time/instant.ts';
import {formatAtLeast, formatAtMost, formatEnds} from '../dates/duration.ts';
import {clockTime, roundedEnd} from '../dates/utc.ts';
import type {Range} from '../forecast/range.ts';
import type {ZoneForecast} from '../forecast/zoneForecast.ts';

/**
 * The time until something happens: `4m10s-5m2s`, one value if both ends look the same, `now`, `0s-12s` if it may come any
 * moment, `4m10s or later` without an upper bound, `about 31s` and `within about 31s` for approximate ends. Ends are rounded outwards.
 */
export function formatCountdown({earliest, latest, about, by}: Range, now: Instant): string {
	if (about !== null && about > now) return `about ${formatAtLeast(about - now)}`;
	if (by !== null && by > now) return `within about ${formatAtMost(by - now)}`;
	const [from, to] = formatEnds(earliest - now, (latest ?? earliest) - now);
	if (latest === null) return `${from === '0s' ? 'now' : from} or later`;
	return from === to ? (from === '0s' ? 'now' : from) : `${from}-${to}`;
}

/**
 * The clock time of something: `14:04:10Z/14:05:02Z`, one value if both ends look the same, `14:04:10Z or later`, `about
 * 14:04:10Z`, `by about 14:04:10Z`, `-` for nothing. Each time has its offset, so that a line can be pasted anywhere.
 */
export function formatAt(range: Bounds | null, now: Instant): string {
	if (range === null) return '-';
	if (range.about) return `about ${clockTime(range.about, now)}`;
	if (range.by) return `by about ${clockTime(range.by, now)}`;
	const from = clockTime(range.earliest, now);
	if (range.latest === null) return `${from} or later`;
	const to = clockTime(roundedEnd({earliest: range.earliest, latest: range.latest}, now), now);
	return from === to ? from : `${from}/${to}`;
}

/** The ends of a range, and the approximate values shown instead of them. */
type Bounds = Pick<Range, 'earliest' | 'latest'> & Partial<Pick<Range, 'about' | 'by'>>;

/** The order of two ranges as they are shown: the earlier beginning first, then the earlier end; nothing comes first. */
export const compareRanges = (a: Range | null, b: Range | null): number =>
	shownStart(a) - shownStart(b) || (a?.latest ?? never) - (b?.latest ?? never);

const shownStart = (range: Range | null): Instant => range?.about ?? range?.earliest ?? 0;

/** The countdown as part of a sentence: `now`, `in 0s-22s`, `in 4m50s-5m2s`, `in 4m50s or later`, `in about 31s`. */
export function formatWhen(range: Range, now: Instant): string {
	const countdown = formatCountdown(range, now);
	return /^(now|within)\b/.test(countdown) ? countdown : `in ${countdown}`;
}

/**
 * The countdown with the clock time: `in 4m50s-5m2s (14:04:50Z/14:05:02Z)`, `in 4m50s (14:04:50Z) or later`, `in about 31s
 * (14:04:50Z)`.
 */
export function formatWhenAt(range: Range, now: Instant): string {
	const orLater = / or later$/;
	const at = formatAt(range, now).replace(/\babout | or later$/g, '');
	const text = `${formatWhen(range, now).replace(orLater, '')} (${at})`;
	return range.latest === null && range.about === null && range.by === null ? `${text} or later` : text;
}

/** When a zone's token bucket next has a token: `ready` if it has one, `never` if evictions are stopped, `unsure` in the pass that stops them. */
export function tokenWords(
	{nextTaint, stopped}: Pick<ZoneForecast, 'nextTaint' | 'stopped'>,
	now: Instant,
	countdown: (range: Range, now: Instant) => string,
): string {
	if (nextTaint === null) return stopped?.isToCome ? 'unsure' : 'never';
	return nextTaint.latest !== null && nextTaint.latest <= now ? 'ready' : countdown(nextTaint, now);
}
