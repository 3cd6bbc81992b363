import {type Duration, minute, second} from '../../../core/time/instant.ts';
import {type Interval, intersect} from '../../observe/interval.ts';
import {formatLearnedRange, type LearnedRange} from '../setting.ts';
import type {Recovery, SeenPass} from './behaviour.ts';
import type {LearnedSetting} from './learnedSetting.ts';
import {fewWrites, writing} from './writeTrack.ts';

/** Shorter periods are not considered. */
const shortestPeriod: Duration = second;
/** Passes farther apart fit any period. */
const farApart: Duration = 20 * minute;
/** How much a write that was seen may have extended its pass, with all related calls. */
const perWrite: Duration = second / 5;
/** The same for so few writes that none waits for the client. */
const perFreeWrite: Duration = second / 20;
const mostWrites = 30;

/**
 * Learns the period of the monitor passes: no pass lies between a node's turn to ready and the removal of its taint, and any
 * two passes are a whole number of periods apart.
 *
 * @param passDuration the longest duration of a pass, without its writes
 */
export function learnPeriod(
	passes: readonly SeenPass[],
	recoveries: readonly Recovery[],
	passDuration: Duration,
): LearnedSetting | undefined {
	const shortest = recoveries.reduce((longest, {ready, cleared, quietSince}) => {
		if (quietSince > ready.lo - minute) return longest;
		return Math.max(longest, cleared.lo - writing - ready.hi - writing - passDuration);
	}, shortestPeriod);
	let candidates: readonly Interval[] = [{lo: shortest, hi: Number.POSITIVE_INFINITY}];
	let distances = 0;
	for (const [index, pass] of passes.entries()) {
		const before = passes[index - 1];
		const distance = before && distanceOf(before, pass);
		if (!distance) continue;
		const agreeing = intersectAll(candidates, fractionsOf(distance, shortest, passDuration));
		if (agreeing.length === 0) return undefined;
		candidates = agreeing;
		distances += 1;
	}
	const [lo, hi] = [candidates[0]?.lo ?? 0, candidates.at(-1)?.hi ?? Number.POSITIVE_INFINITY];
	if (distances === 0 || !Number.isFinite(hi)) return undefined;
	const parts = joined(candidates).map(({lo, hi}): LearnedRange => [lo, hi]);
	const shown = parts.slice(-3).map((part) => formatLearnedRange(part, 'duration'));
	return {
		range: [lo, hi],
		parts,
		observations: [`${distances} distances between passes are whole numbers of ${shown.join(' or ')}`],
	};
}

function distanceOf(before: SeenPass, after: SeenPass): Interval | undefined {
	const writes = after.writesBefore - before.writesBefore;
	if (after.steadySince > before.at.lo || writes > mostWrites) return undefined;
	const hi = after.at.hi - before.at.lo + writing;
	const lo = after.at.lo - before.at.hi - writing - writes * (writes <= fewWrites ? perFreeWrite : perWrite);
	return hi > farApart || lo < shortestPeriod ? undefined : {lo, hi};
}

function fractionsOf({lo, hi}: Interval, shortest: Duration, passDuration: Duration): readonly Interval[] {
	const fractions: Interval[] = [];
	for (let count = 1; hi / count >= shortest; count += 1) {
		fractions.unshift({lo: lo / count - passDuration, hi: hi / count});
	}
	return fractions;
}

/** Merges touching intervals of an ascending list. */
function joined(intervals: readonly Interval[]): readonly Interval[] {
	const result: Interval[] = [];
	for (const one of intervals) {
		const last = result.at(-1);
		if (last && one.lo <= last.hi) result[result.length - 1] = {lo: last.lo, hi: Math.max(last.hi, one.hi)};
		else result.push(one);
	}
	return result;
}

/** The intersections of two lists of intervals, each in ascending order. */
function intersectAll(a: readonly Interval[], b: readonly Interval[]): readonly Interval[] {
	return a
		.flatMap((one) => b.flatMap((other) => intersect(one, other) ?? []))
		.toSorted((one, other) => one.lo - other.lo || one.hi - other.hi);
}
