import {firstIndex} from '../../core/collections/firstIndex.ts';
import {type Duration, type Instant, never, second} from '../../core/time/instant.ts';
import {at, middle} from '../observe/interval.ts';
import type {Draw, Occurrence} from '../simulate/occurrence.ts';

/** When an event comes, over all hidden states, by their likelihood. */
export type Odds = Readonly<{
	/** The times by which a tenth, half and nine tenths of the cases have come in which it comes at all. */
	from: Instant;
	median: Instant;
	/** Undefined if there is no telling. */
	until: Instant | undefined;
	/** How likely it comes at all; 1 if there is no telling. */
	probability: number;
}>;

/** How an event comes in runs that are alike: how likely at all, and from when to when. */
type Level = Readonly<{
	chance: number;
	lo: Instant;
	hi: Instant;
	/** The share of the runs in which its end is not known. */
	open: number;
}>;

/** Runs that differ only in the unknowns beside the next pass, by the position of these; the lowest first. */
type Phase = {
	readonly weight: number;
	/** Whether the unknowns include settings. */
	readonly isOfSettings: boolean;
	readonly levels: readonly {readonly quantile: number; readonly runs: readonly number[]}[];
};

/** A part of the cases: at each instant from one end to the other it comes equally likely. */
type CaseShare = Readonly<{lo: Instant; hi: Instant; weight: number; open: number}>;

type Occurrences = readonly (Occurrence | undefined)[];

/** How likely settings that nothing confirms are those that most people have; otherwise they lie anywhere in their ranges. */
const usualSettings = 0.5;
/** How likely an event comes where it mostly does. */
const usually = 0.9;
/** An end that is not known counts as this late where a number is needed. */
const openRange: Duration = 3600 * second;
/** In how many steps the way from one end of the unknowns to the other is taken. */
const steps = 4;

/**
 * The odds of an event. The runs of both ends of the unknowns are no cases themselves: the cases lie between them. What comes at
 * one end only comes in the half of the cases beside it.
 *
 * @param occurrences by run; undefined where it does not come
 * @param runs what each of them stands for; if there are none, each is a case, equally likely
 */
export function oddsOf(occurrences: Occurrences, runs: Runs): Odds {
	const before = foundOf.get(runs);
	const {phases, recent} = before ?? {phases: phasesOf(runs, occurrences.length), recent: []};
	if (!before) foundOf.set(runs, {phases, recent});
	// The nodes of a zone that wait together have the same odds.
	const same = recent.find((one) => areSame(one.occurrences, occurrences));
	if (same) return same.odds;
	const odds = findOdds(occurrences, phases);
	if (recent.length === mostRecent) recent.shift();
	recent.push({occurrences, odds});
	return odds;
}

/** What is known of runs: what each stands for. */
export type Runs = readonly {readonly draw?: Draw | undefined}[];

/** What was found of runs: their phases, and the latest odds. */
type FoundOdds = {
	readonly phases: readonly Phase[];
	readonly recent: {readonly occurrences: Occurrences; readonly odds: Odds}[];
};

const foundOf = new WeakMap<Runs, FoundOdds>();
const mostRecent = 8;

function findOdds(occurrences: Occurrences, phases: readonly Phase[]): Odds {
	const isOne = occurrences.every((one) => isSame(one, occurrences[0]));
	const shares = isOne ? sharesOfOne(occurrences[0]) : sharesOf(occurrences, phases);
	const total = sumOf(shares, ({weight}) => weight);
	const open = sumOf(shares, ({weight, open}) => weight * open);
	const timeOf = timesIn(shares);
	const [from, median, until] = [timeOf(0.1 * total), timeOf(0.5 * total), timeOf(0.9 * total)];
	const isTold = open <= 0.1 * total && !isOnlyByOthers(occurrences, phases);
	return {from, median, until: isTold ? until : undefined, probability: isTold ? total : 1};
}

/** Whether it comes with unusual settings only: how these are spread is not known, and so is neither when nor how likely it comes. */
function isOnlyByOthers(occurrences: Occurrences, phases: readonly Phase[]) {
	const usual = phases.filter(({isOfSettings}) => !isOfSettings);
	if (usual.length === 0 || usual.length === phases.length) return false;
	return usual.every(({levels}) => levels.every(({runs}) => runs.every((run) => !occurrences[run])));
}

const areSame = (some: Occurrences, others: Occurrences) =>
	some.length === others.length && some.every((one, index) => isSame(one, others[index]));

const isSame = (one: Occurrence | undefined, other: Occurrence | undefined) =>
	one?.lo === other?.lo &&
	one?.hi === other?.hi &&
	one?.until === other?.until &&
	one?.chance === other?.chance &&
	one?.places === other?.places &&
	one?.usual?.lo === other?.usual?.lo &&
	one?.usual?.hi === other?.usual?.hi;

function sharesOfOne(occurrence: Occurrence | undefined): readonly CaseShare[] {
	if (!occurrence) return [];
	const {usual} = occurrence;
	const level = levelOf([occurrence], [0]);
	const whole = shareOf(level, level, level.chance * (usual ? 1 - usually : 1), 0, 1);
	return usual ? [...whole, {...usual, weight: level.chance * usually, open: 0}] : whole;
}

function sharesOf(occurrences: Occurrences, phases: readonly Phase[]): readonly CaseShare[] {
	if (!occurrences.some((one) => one?.usual)) return ofPhases(occurrences, phases);
	return [
		...weighed(ofPhases(occurrences.map(asUsual), phases), usually),
		...weighed(ofPhases(occurrences, phases), 1 - usually),
	];
}

const asUsual = (one: Occurrence | undefined): Occurrence | undefined =>
	one?.usual ? {...one.usual, chance: one.chance ?? 1} : one;

const weighed = (shares: readonly CaseShare[], by: number): readonly CaseShare[] =>
	shares.map((part) => ({...part, weight: part.weight * by}));

/** The phases of runs, whose weights make 1 together. */
function phasesOf(runs: Runs, length: number): readonly Phase[] {
	const draws = Array.from({length}, (_, index) => ({index, ...(runs[index]?.draw ?? caseOf(index))}));
	const isOfSettings = draws.some((draw) => draw.isOfSettings);
	const usual = draws.filter(({quantile}) => quantile === middle);
	const phases = withWeights(
		isOfSettings ? usual : draws,
		isOfSettings && usual.length > 0 ? usualSettings : 1,
	);
	if (isOfSettings)
		phases.push({levels: levelsOf(draws), isOfSettings, weight: usual.length > 0 ? 1 - usualSettings : 1});
	return phases;
}

type DrawnRun = Draw & {readonly index: number};

const caseOf = (index: number): Draw => ({phase: `${index}`, quantile: 0, weight: 1, isOfSettings: false});

/** @param weight of all of them */
function withWeights(draws: readonly DrawnRun[], weight: number): Phase[] {
	const phases = [...Map.groupBy(draws, ({phase}) => phase).values()];
	const all = sumOf(phases, ([draw]) => draw?.weight ?? 0);
	return phases.map((ofPhase) => ({
		levels: levelsOf(ofPhase),
		isOfSettings: false,
		weight: (weight * (ofPhase[0]?.weight ?? 0)) / all,
	}));
}

const levelsOf = (draws: readonly DrawnRun[]): Phase['levels'] =>
	[...Map.groupBy(draws, ({quantile}) => quantile)]
		.toSorted(([a], [b]) => a - b)
		.map(([quantile, ones]) => ({quantile, runs: ones.map(({index}) => index)}));

/**
 * The cases of all phases. Where settings are ranges, the last one has the cases between the usual ones and both ends: a rate ten
 * times as low delays things tenfold, so the times near the usual ones are the more frequent ones.
 */
const ofPhases = (occurrences: Occurrences, phases: readonly Phase[]): readonly CaseShare[] =>
	phases.flatMap((phase) => between(occurrences, phase));

/** The cases between the levels of a phase. */
function between(occurrences: Occurrences, {levels, weight, isOfSettings}: Phase): readonly CaseShare[] {
	const found = levels.map(({runs}) => levelOf(occurrences, runs));
	const [first] = found;
	const [lowest, highest] = [levels[0]?.quantile ?? 0, levels.at(-1)?.quantile ?? 0];
	if (!first) return [];
	if (highest === lowest) return shareOf(first, first, weight * first.chance, 0, 1);
	const curve = (part: number) => (isOfSettings ? part ** 2 : part);
	return found.slice(1).flatMap((next, index) => {
		const before = found[index] ?? next;
		const room = (levels[index + 1]?.quantile ?? 0) - (levels[index]?.quantile ?? 0);
		const share = (weight * room) / (highest - lowest) / steps;
		const [a, b] = [before.chance > 0 ? before : next, next.chance > 0 ? next : before];
		return Array.from({length: steps}, (_, step) => {
			const part = (step + 0.5) / steps;
			const chance =
				a === b ? (part < 0.5 ? before : next).chance : before.chance + (next.chance - before.chance) * part;
			return shareOf(a, b, share * chance, curve(step / steps), curve((step + 1) / steps));
		}).flat();
	});
}

/** How the event comes in some runs, on average. */
function levelOf(occurrences: Occurrences, runs: readonly number[]): Level {
	let [total, lo, hi, open] = [0, 0, 0, 0];
	for (const run of runs) {
		const one = occurrences[run];
		if (!one) continue;
		const {chance = 1, until, places = 1} = one;
		const isOpen = one.hi === never && until === undefined;
		const end = until ?? (isOpen ? one.lo + openRange : one.hi);
		// Each of some instants stands for those around it, so that the first of three has a third of the cases.
		const around = places > 1 ? (end - one.lo) / (places - 1) / 2 : 0;
		total += chance;
		lo += chance * (one.lo - around);
		hi += chance * (end + around);
		if (isOpen) open += chance;
	}
	return {chance: total / runs.length, lo: lo / total, hi: hi / total, open: open / total};
}

/** The cases from a part of the way between two levels to a later one. */
function shareOf(a: Level, b: Level, weight: number, from: number, to: number): readonly CaseShare[] {
	if (!(weight > 0)) return [];
	const [low, high] = [
		{lo: a.lo, hi: b.lo},
		{lo: a.hi, hi: b.hi},
	];
	const lo = Math.min(at(low, from), at(low, to));
	return [{lo, hi: Math.max(at(high, from), at(high, to)), weight, open: (a.open + b.open) / 2}];
}

/** The least width of a part: what comes at one instant comes about then. */
const instantly: Duration = 1;

/** When given amounts of the cases have come. */
function timesIn(shares: readonly CaseShare[]): (amount: number) => Instant {
	const amountBy = (instant: Instant) => {
		let sum = 0;
		for (const {lo, hi, weight} of shares)
			if (instant > lo) sum += weight * Math.min(1, (instant - lo) / Math.max(instantly, hi - lo));
		return sum;
	};
	const ends = Float64Array.from(shares.flatMap(({lo, hi}) => [lo, Math.max(lo + instantly, hi)])).sort();
	return (amount) => {
		const index = firstIndex(ends.length, (end) => amountBy(ends[end] ?? 0) >= amount * (1 - 1e-9));
		const [before, after] = [ends[Math.max(0, index - 1)] ?? 0, ends[Math.min(index, ends.length - 1)] ?? 0];
		const [less, more] = [amountBy(before), amountBy(after)];
		return more > less ? before + ((after - before) * (amount - less)) / (more - less) : after;
	};
}

const sumOf = <One>(ones: readonly One[], of: (one: One) => number): number =>
	ones.reduce((sum, one) => sum + of(one), 0);
