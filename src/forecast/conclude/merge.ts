import {maxOf, minOf} from '../../core/collections/extremes.ts';
import type {Duration, Instant} from '../../core/time/instant.ts';
import {clockTolerance, latency, usualLatency} from '../observe/latencies.ts';
import {Range} from '../range.ts';
import type {Draw, Occurrence} from '../simulate/occurrence.ts';
import {oddsOf} from './odds.ts';

/** One possible event over all tried hidden states. */
export type Merged = {
	readonly range: Range | null;
	/** Whether it happens in all of them and by a known time, in some or at any time, or in none. */
	readonly happens: 'always' | 'sometimes' | 'never';
};

/** Weights that make 1 together may sum up to less by this. */
const rounding = 1e-9;

/**
 * Joins the ranges of one event over all runs, from the earliest to the latest, widened by what observing and acting may take
 * (`clockTolerance`, `latency`). The result has no end if the event is missing in a run, or has no end in one.
 *
 * @param slack widens both ends further, as by the `phaseSpacing`; 0 if the ranges include it already, as those of pods do
 * @param runs which each of the ranges belongs to; if absent, all are equally likely
 */
export function merge(
	ranges: readonly (Occurrence | undefined)[],
	slack: Duration,
	runs: readonly {readonly draw?: Draw}[] = [],
): Merged {
	// An infinite beginning means that the zone's evictions are stopped, and no token comes.
	const occurred = ranges.map((range) => (range && Number.isFinite(range.lo) ? range : undefined));
	const happened = occurred.filter((range) => range !== undefined);
	if (happened.length === 0) return {range: null, happens: 'never'};
	const lo = minOf(happened.map((range) => range.lo)) - clockTolerance - slack;
	const hi = maxOf(happened.map((range) => range.hi)) + latency + slack;
	const always = happened.length === ranges.length && Number.isFinite(hi);
	const {from, median, until, probability} = oddsOf(occurred, runs);
	const likely = until === undefined ? null : {from: from + usualLatency, until: until + usualLatency};
	return {
		range: new Range(lo, median + usualLatency, always ? hi : null, {
			likely,
			...(!always && probability < 1 - rounding && {probability}),
		}),
		happens: always ? 'always' : 'sometimes',
	};
}

/** Joins the instants of one event over all runs. */
export const mergeInstants = (
	instants: readonly (Instant | undefined)[],
	slack: Duration,
	runs: readonly {readonly draw: Draw}[],
): Merged =>
	merge(
		instants.map((at) => (at === undefined ? undefined : {lo: at, hi: at})),
		slack,
		runs,
	);

/** The earlier of two events, as far as their ranges show it. */
export function earlierOf(a: Merged, b: Merged): Merged {
	if (!a.range || !b.range) return a.range ? a : b;
	const latest = [a, b].flatMap(({range, happens}) =>
		happens === 'always' && range?.latest != null ? [range.latest] : [],
	);
	return {
		range: a.range.orSooner(b.range, latest),
		happens: latest.length > 0 ? 'always' : 'sometimes',
	};
}
