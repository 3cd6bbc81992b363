import type {Interval} from '../../observe/interval.ts';
import type {Range} from '../../podForecast.ts';
import {isoTime, type When} from '../../words.ts';
/** An interval as a forecast's range, its middle for expected. */
export const rangeOf = ({lo, hi}: Interval): Range => ({earliest: lo, expected: (lo + hi) / 2, latest: hi});

/** The same for an interval that may not be known, or not be bounded. */
export const whenOf = (interval: Interval | undefined): When =>
	interval && Number.isFinite(interval.lo) && Number.isFinite(interval.hi) ? rangeOf(interval) : null;

/** A range in a fact's value. */
export const isoRange = ({lo, hi}: Interval): string =>
	lo === hi ? isoTime(lo) : `${isoTime(lo)}/${isoTime(hi)}`;
