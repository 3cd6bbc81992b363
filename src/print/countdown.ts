import {type Duration, type Instant, second} from '../core/time/instant.ts';
import {formatAtLeast, formatEnds} from '../dates/duration.ts';
import {clockTime, roundedEnd} from '../dates/utc.ts';
import type {Held} from '../forecast/podForecast.ts';
import type {Range} from '../forecast/range.ts';
import type {ZoneForecast} from '../forecast/zoneForecast.ts';

/**
 * The time until something happens: `4m10s-5m2s`, one value if both ends look the same, `now`, `0s-12s` if it may come any
 * moment, `4m10s or later` without an upper bound, `about 31s` for an approximate one. Ends are rounded outwards.
 */
export function formatCountdown({earliest, latest, about}: Range, now: Instant): string {
	if (about !== null && about > now) return `about ${formatAtLeast(about - now)}`;
	const [from, to] = formatEnds(earliest - now, (latest ?? earliest) - now);
	if (latest === null) return `${from === '0s' ? 'now' : from} or later`;
	return from === to ? (from === '0s' ? 'now' : from) : `${from}-${to}`;
}

/**
 * The clock time of something: `14:04:10Z/14:05:02Z`, one value if both ends look the same, `14:04:10Z or later`, `about
 * 14:04:10Z`, `-` for nothing. Each time has its offset, so that a line can be pasted anywhere.
 */
export function formatAt(range: Bounds | null, now: Instant): string {
	if (range === null) return '-';
	if (range.about) return `about ${clockTime(range.about, now)}`;
	const from = clockTime(range.earliest, now);
	if (range.latest === null) return `${from} or later`;
	const to = clockTime(roundedEnd({earliest: range.earliest, latest: range.latest}, now), now);
	return from === to ? from : `${from}/${to}`;
}

/** The ends of a range, and the approximate values shown instead of them. */
type Bounds = Pick<Range, 'earliest' | 'latest'> & Partial<Pick<Range, 'about'>>;

/** The longest range in the place of one, in seconds. */
const longest = 2 ** 12;

/** The place of a range as it is shown: the earlier beginning first, then the earlier end. In seconds, as rows must not swap for less. */
export function rangePlace({about, earliest, end}: Range): number {
	const start = Math.floor((about ?? earliest) / second);
	return start * longest + Math.min(Math.floor(end / second) - start, longest - 1);
}

/** The countdown as part of a sentence: `now`, `in 0s-22s`, `in 4m50s-5m2s`, `in 4m50s or later`, `in about 31s`. */
export const formatWhen = (range: Range, now: Instant) => inWords(formatCountdown(range, now));

/** A countdown as part of a sentence. */
export const inWords = (countdown: string) => (/^now\b/.test(countdown) ? countdown : `in ${countdown}`);

/**
 * The countdown with the clock time: `in 4m50s-5m2s (14:04:50Z/14:05:02Z)`, `in 4m50s (14:04:50Z) or later`, `in about 31s
 * (14:04:50Z)`.
 */
export function formatWhenAt(range: Range, now: Instant): string {
	const orLater = / or later$/;
	const at = formatAt(range, now).replace(/\babout | or later$/g, '');
	const text = `${formatWhen(range, now).replace(orLater, '')} (${at})`;
	return range.latest === null && range.about === null ? `${text} or later` : text;
}

/** When a zone's token bucket next has a token: `ready` if it has one, `never` if evictions are stopped, `unsure` in the pass that stops them. */
export function tokenWords(
	{nextTaint, taints, stopped, rate}: ZoneForecast,
	now: Instant,
	countdown: (range: Range) => string,
): string {
	if (stopped?.isInDoubt) return 'unsure';
	if (nextTaint === null) return stopped?.isToCome ? 'unsure' : stopped || rate === 0 ? 'never' : '-';
	const [next = nextTaint] = taints;
	return next.latest !== null && next.latest <= now ? 'ready' : countdown(next);
}

/**
 * Whether a range moved since `before` by what readers would call news: an end by more than a second, and more than a tenth of
 * the range's width (without a latest time: of the time until it begins); or it begins sooner, by more than a tenth of the time
 * that was left. Instants before `now` count as `now`.
 */
export function hasMoved(before: Range | null | undefined, after: typeof before, now: Instant) {
	if (!before || !after) return !before !== !after;
	const [from, to] = shownEnds(after, now);
	const [fromBefore, toBefore] = shownEnds(before, now);
	const span = Number.isFinite(to) ? to - from : from - now;
	// The difference of two infinite ends is NaN, which is not more than anything.
	const isNews = (by: Duration, whole: Duration) => by > Math.max(second, whole / 10);
	return (
		isNews(Math.abs(from - fromBefore), span) ||
		isNews(Math.abs(to - toBefore), span) ||
		isNews(fromBefore - from, fromBefore - now)
	);
}

/** The ends that are shown: of a range without a latest time perhaps an approximate one, else its earliest. */
function shownEnds(range: Range, now: Instant): readonly [Instant, Instant] {
	const {about, earliest, end} = range.notBefore(now);
	return [about ?? earliest, end];
}

/** When a held pod is released, and when it is evicted then: `Evictions resume when ... If they resumed now, ...`. */
export function releaseText({releasedBy, ifReleasedNow}: Held, now: Instant): string {
	const when = formatWhen(ifReleasedNow, now).replace(/^now$/, 'at once');
	return `Evictions resume when ${releasedBy}. If they resumed now, the pod would be evicted ${when}, unless its own node recovers.`;
}
