import type {Instant} from '../../core/time/instant.ts';
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

/** Whether a range moved by more than a second since `before`. Instants before `now` count as `now`. */
export function hasMoved(before: Range | null, after: Range | null, now: Instant): boolean {
	if (before === null || after === null) return before !== after;
	return endsOf(before, now).some((end, index) => Math.abs(end - (endsOf(after, now)[index] ?? end)) > 1000);
}

// Two infinite ends count as equal, because their difference is NaN, which is not above a second.
const endsOf = ({earliest, expected, latest}: Range, now: Instant): readonly Instant[] =>
	[earliest, expected, latest ?? Number.POSITIVE_INFINITY].map((end) => Math.max(end, now));

/** The coming states of a zone, as JSON. */
export const storyJson = ({steps, isSure}: ZoneStory): ZoneStoryJson => ({
	isSure,
	steps: steps.map(({at, state, rate}) => ({at: rangeJson(at), state, rate})),
});
