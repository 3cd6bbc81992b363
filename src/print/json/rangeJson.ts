import {type Instant, second} from '../../core/time/instant.ts';
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
 * Whether an end of a range moved since `before` by what readers would call news: more than a second, and more than a tenth of
 * its width, or without a latest time of the time until then. Instants before `now` count as `now`. The median is no news.
 */
export function hasMoved(before: Range | null, after: Range | null, now: Instant): boolean {
	if (before === null || after === null) return before !== after;
	const [from, to] = endsOf(after, now);
	const [fromBefore, toBefore] = endsOf(before, now);
	const span = Number.isFinite(to) ? to - from : from - now;
	const least = Math.max(second, span / 10);
	// Two infinite ends count as equal, because their difference is NaN, which is not above a second.
	return Math.abs(from - fromBefore) > least || Math.abs(to - toBefore) > least;
}

const endsOf = ({earliest, latest}: Range, now: Instant): readonly [Instant, Instant] => [
	Math.max(earliest, now),
	Math.max(latest ?? Number.POSITIVE_INFINITY, now),
];

/** The coming states of a zone, as JSON. */
export const storyJson = ({steps, isSure}: ZoneStory): ZoneStoryJson => ({
	isSure,
	steps: steps.map(({at, state, rate}) => ({at: rangeJson(at), state, rate})),
});
