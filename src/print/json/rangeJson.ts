import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import {formatTimestamp} from '../../dates/utc.ts';
import type {Range} from '../../forecast/range.ts';
import type {ZoneStory} from '../../forecast/zoneForecast.ts';
import type {RangeJson} from '../contract/common.ts';
import type {ZoneStoryJson} from '../contract/zoneForecast.ts';

/** A range as in the JSON contract. */
export const rangeJson = ({earliest, expected, latest}: Range): RangeJson => ({
	earliest: formatTimestamp(earliest),
	expected: formatTimestamp(expected),
	latest: latest === null ? null : formatTimestamp(latest),
});

/** The same for a range that may be null. */
export const optionalRangeJson = (range: Range | null) => (range === null ? null : rangeJson(range));

/**
 * Whether a range moved since `before` by what readers would call news: an end by more than a second, and more than a tenth of
 * the range's width (without a latest time: of the time until it begins); or it begins sooner, by more than a tenth of the time
 * that was left. Instants before `now` count as `now`.
 */
export function hasMoved(before: Range | null, after: Range | null, now: Instant): boolean {
	if (before === null || after === null) return before !== after;
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
	const {about, by, earliest, latest} = range.notBefore(now);
	return [about ?? by ?? earliest, latest ?? Number.POSITIVE_INFINITY];
}

/** The coming states of a zone, as JSON. */
export const storyJson = ({steps, isSure}: ZoneStory): ZoneStoryJson => ({
	isSure,
	steps: steps.map(({at, state, rate}) => ({at: rangeJson(at), state, rate})),
});
