import {compareValues} from '../../core/collections/compareValues.ts';
import {maxOf, minOf} from '../../core/collections/extremes.ts';
import type {Duration, Instant} from '../../core/time/instant.ts';
import {clockTolerance, latency, usualLatency} from '../observe/latencies.ts';
import {Range} from '../range.ts';
import type {Occurrence} from '../simulate/occurrence.ts';
import {type Odds, oddsOf, type Runs} from './odds.ts';

/** One possible event over all tried hidden states. */
export type Merged = {
	readonly range: Range | null;
	/** Whether it happens in all of them and by a known time, in some or at any time, or in none. */
	readonly happens: 'always' | 'sometimes' | 'never';
};

/** Weights that make 1 together may sum up to less by this. */
const weightRounding = 1e-9;

/**
 * Joins the ranges of one event over all runs, from the earliest to the latest, widened by what observing and acting may take
 * (`clockTolerance`, `latency`). The result has no end if the event is missing in a run, or has no end in one.
 *
 * @param slack widens both ends further, as by the `phaseSpacing`; 0 if the ranges include it already, as those of pods do
 * @param runs which each of the ranges belongs to; if absent, all are equally likely
 */
export function merge(ranges: readonly (Occurrence | undefined)[], slack: Duration, runs: Runs = []): Merged {
	// An infinite beginning means that the zone's evictions are stopped, and no token comes.
	const occurred = ranges.map((range) => (range && Number.isFinite(range.lo) ? range : undefined));
	const happened = occurred.filter((range) => range !== undefined);
	if (happened.length === 0) return {range: null, happens: 'never'};
	const lo = minOf(happened.map((range) => range.lo)) - clockTolerance - slack;
	const hi = maxOf(happened.map((range) => range.hi)) + latency + slack;
	const always = happened.length === ranges.length && Number.isFinite(hi);
	const range = withOdds(lo, always ? hi : null, oddsOf(occurred, runs));
	return {range, happens: always ? 'always' : 'sometimes'};
}

/** The same, of an event that `nthOf` may join with others. */
export function mergeJointly(
	occurrences: readonly (Occurrence | undefined)[],
	slack: Duration,
	runs: Runs,
): Merged {
	const merged = merge(occurrences, slack, runs);
	if (merged.range) casesOf.set(merged.range, {occurrences, draws: drawsOf(runs)});
	return merged;
}

function withOdds(lo: Instant, hi: Instant | null, {from, median, until, probability}: Odds): Range {
	return new Range(lo, median + usualLatency, hi, {
		likely: until === undefined ? null : {from: from + usualLatency, until: until + usualLatency},
		...(hi === null && probability < 1 - weightRounding && {probability}),
	});
}

/** An event in each run. */
type Cases = {readonly occurrences: readonly (Occurrence | undefined)[]; readonly draws: Runs};

/** What ranges were joined from. They live as long as the histories of what was shown, and so keep no runs. */
const casesOf = new WeakMap<Range, Cases>();
const drawsOfRuns = new WeakMap<Runs, Runs>();

/** What runs stand for: one list for all that was joined from these. */
function drawsOf(runs: Runs): Runs {
	const draws = drawsOfRuns.get(runs) ?? runs.map(({draw}) => ({draw}));
	drawsOfRuns.set(runs, draws);
	return draws;
}

/**
 * When `count` of some events have come, whichever they are; null if there are fewer. In one run they go together, as a pass finds
 * several nodes: the odds are those of the last of so many, not products of single ones.
 */
export function nthOf(ranges: readonly Range[], count: number): Range | null {
	const nth = (of: (range: Range) => number) => ranges.map(of).toSorted(compareValues)[count - 1];
	const [earliest, expected, end] = [
		nth((range) => range.earliest),
		nth((range) => range.expected),
		nth((range) => range.end),
	];
	if (earliest === undefined || expected === undefined || end === undefined) return null;
	const cases = ranges.flatMap((range) => casesOf.get(range) ?? []);
	const [first] = cases;
	if (first && cases.length === ranges.length && cases.every(({draws}) => draws === first.draws)) {
		const inRun = (run: number) => cases.flatMap(({occurrences}) => occurrences[run] ?? []);
		const lasts = first.occurrences.map((_, run) => lastInRun(inRun(run), count));
		return withOdds(earliest, Number.isFinite(end) ? end : null, oddsOf(lasts, first.draws));
	}
	const shownEnd = ranges.some((range) => range.shownEnd === 'about') ? 'about' : 'beginning';
	// All of them come at most as likely as the least likely one.
	const least = minOf(ranges.map(({probability = 1}) => probability));
	return new Range(earliest, expected, end, {
		shownEnd,
		...(count === ranges.length && least < 1 && {probability: least}),
	});
}

function lastInRun(events: readonly Occurrence[], count: number): Occurrence | undefined {
	const nth = (of: (event: Occurrence) => number) => events.map(of).toSorted(compareValues)[count - 1];
	const [lo, hi] = [nth((event) => event.lo), nth((event) => event.until ?? event.hi)];
	if (lo === undefined || hi === undefined) return undefined;
	return {lo, hi, chance: events.reduce((all, {chance = 1}) => all * chance, 1)};
}

/** Joins the instants of one event over all runs. */
export const mergeInstants = (
	instants: readonly (Instant | undefined)[],
	slack: Duration,
	runs: Runs,
): Merged =>
	merge(
		instants.map((at) => (at === undefined ? undefined : {lo: at, hi: at})),
		slack,
		runs,
	);
