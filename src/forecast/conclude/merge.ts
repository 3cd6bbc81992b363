import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import type {Interval} from '../observe/interval.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import type {Range} from '../podForecast.ts';
import type {Spell} from '../simulate/outcome.ts';
import type {Run} from '../simulate/passRun.ts';

/** What all tried hidden states together say of one thing that may happen. */
export type Merged = {
	readonly range: Range | null;
	/** Whether it happens in all of them, in some, or in none. */
	readonly happens: 'always' | 'sometimes' | 'never';
};

/** What a deletion or a taint may take beyond its due time: calls, a busy API server. */
export const latency: Duration = second / 4;
/** How much sooner than in a run something may happen: rounding, and clocks that differ a little. */
export const early: Duration = second / 10;

/** Joins one thing's ranges over all runs. `gap` is how far apart the tried instants of the next pass lie: both ends allow for it. */
export function merge(ranges: readonly (Interval | undefined)[], gap: Duration): Merged {
	// A node that waits in a stopped zone waits for a token that never comes.
	const happened = ranges.flatMap((range) => (range && Number.isFinite(range.lo) ? [range] : []));
	if (happened.length === 0) return {range: null, happens: 'never'};
	const lo = Math.min(...happened.map((range) => range.lo)) - early - gap;
	const hi = Math.max(...happened.map((range) => range.hi)) + latency + gap;
	const middles = happened
		.map((range) => (range.lo + Math.min(range.hi, range.lo + 3600 * second)) / 2)
		.toSorted((a, b) => a - b);
	const expected = middles[Math.floor(middles.length / 2)] ?? lo;
	const always = happened.length === ranges.length && Number.isFinite(hi);
	return {
		range: {earliest: lo, expected, latest: always ? hi : null},
		happens: always ? 'always' : 'sometimes',
	};
}

/** Joins one node's NoExecute taints over all runs. */
export function mergeTaint(runs: readonly Run[], node: string, gap: Duration): Merged {
	return merge(
		runs.map(({tainted}) => tainted.get(node)),
		gap,
	);
}

/** Joins one node's turns to Unknown over all runs. */
export function mergeUnknown(runs: readonly Run[], node: string, gap: Duration): Merged {
	return merge(
		runs.map(({unknown}) => unknown.get(node)),
		gap,
	);
}

/**
 * Joins the instants at which a node loses the NoExecute taint that it has now over all runs.
 *
 * @param started when the controllers that run now started: their first pass takes off what others have added
 */
export function mergeCleared(
	runs: readonly Run[],
	gap: Duration,
	{node, taintedAt}: NodeEvidence,
	started: Interval,
): Merged {
	const point = (at: Instant | undefined) => (at === undefined ? undefined : {lo: at, hi: at});
	// What they have added themselves is none of it, and shows that this pass has come to the node.
	const isTheirs = taintedAt !== undefined && taintedAt.lo >= started.lo;
	const possible = isTheirs ? runs.filter(({isBeforeFirstPass}) => !isBeforeFirstPass) : runs;
	return merge(
		possible.map(({outcome}) => point(clearedAt(outcome.spells.get(node.name)))),
		gap,
	);
}

const clearedAt = (spells: readonly Spell[] | undefined) =>
	spells?.find(({from}) => !Number.isFinite(from))?.to;

/**
 * Joins the deletions of a pod that goes so long after its node's taint, where the taint lasts that long.
 *
 * @param after how long the pod tolerates the taint
 */
export function mergeAfterTaint(runs: readonly Run[], node: string, after: Duration, gap: Duration): Merged {
	const ranges = runs.map(({brief, tainted}): Interval | undefined => {
		const first = brief.get(node)?.find(({from, to}) => from + after < to);
		const last = tainted.get(node);
		if (!first) return last && {lo: last.lo + after, hi: last.hi + after};
		const surely = first.isChance ? (last?.hi ?? Number.POSITIVE_INFINITY) : first.from;
		return {lo: first.from + after, hi: surely + after};
	});
	return merge(ranges, gap);
}
