import {type Duration, type Instant, median, second} from '../../core/time/instant.ts';
import type {Interval} from '../observe/interval.ts';
import {clockTolerance, latency} from '../observe/latencies.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {Range} from '../range.ts';
import type {Run} from '../simulate/run.ts';
import type {Spell} from '../simulate/trajectory.ts';

/** What all tried hidden states together say of one thing that may happen. */
export type Merged = {
	readonly range: Range | null;
	/** Whether it happens in all of them, in some, or in none. */
	readonly happens: 'always' | 'sometimes' | 'never';
};

/** How long a range without an end counts as, for its middle. */
const openRange: Duration = 3600 * second;

/**
 * Joins one thing's ranges over all runs, from the earliest to the latest of them, widened by what observing and
 * doing may take (`clockTolerance`, `latency`). It has no end where the thing is missing in a run, or has no end in one.
 *
 * @param slack by how much both ends are widened besides, as by the `phaseSpacing`; 0 where the ranges hold it already, as those
 *   of pods do
 */
export function merge(
	ranges: readonly ((Interval & {readonly middle?: Instant}) | undefined)[],
	slack: Duration,
): Merged {
	// An infinite beginning: the zone's evictions are stopped, and no token comes.
	const happened = ranges.flatMap((range) => (range && Number.isFinite(range.lo) ? [range] : []));
	if (happened.length === 0) return {range: null, happens: 'never'};
	const lo = Math.min(...happened.map((range) => range.lo)) - clockTolerance - slack;
	const hi = Math.max(...happened.map((range) => range.hi)) + latency + slack;
	const middles = happened.map(({lo, hi, middle}) => middle ?? (lo + Math.min(hi, lo + openRange)) / 2);
	const expected = median(middles) ?? lo;
	const always = happened.length === ranges.length && Number.isFinite(hi);
	return {
		range: new Range(lo, expected, always ? hi : null),
		happens: always ? 'always' : 'sometimes',
	};
}

/** Joins one thing's instants over all runs. */
export const mergeInstants = (instants: readonly (Instant | undefined)[], slack: Duration): Merged =>
	merge(
		instants.map((at) => (at === undefined ? undefined : {lo: at, hi: at})),
		slack,
	);

/** Joins one node's NoExecute taints over all runs. */
export function mergeTaint(runs: readonly Run[], node: string, slack: Duration): Merged {
	return merge(
		runs.map(({tainted}) => tainted.get(node)),
		slack,
	);
}

/** The runs that agree with a node's taint: where the present controllers added it, their first pass is over. */
export function runsFor({taintedAt}: NodeEvidence, runs: readonly Run[], started: Interval): readonly Run[] {
	const isTheirs = taintedAt !== undefined && taintedAt.lo >= started.lo;
	return isTheirs ? runs.filter(({isBeforeFirstPass}) => !isBeforeFirstPass) : runs;
}

/**
 * Joins the instants at which a node loses the NoExecute taint that it has now over all runs.
 *
 * @param started when the controllers that run now started: their first pass takes off what others have added
 */
export function mergeCleared(
	runs: readonly Run[],
	slack: Duration,
	one: NodeEvidence,
	started: Interval,
): Merged {
	return mergeInstants(
		runsFor(one, runs, started).map(({outcome}) => clearedAt(outcome.spells.get(one.node.name))),
		slack,
	);
}

const clearedAt = (spells: readonly Spell[] | undefined) =>
	spells?.find(({from}) => !Number.isFinite(from))?.to;

/** The one of two that comes first, as far as their ranges tell. */
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
