import {type Duration, type Instant, second} from '../core/time/instant.ts';
import type {Ensemble} from './ensemble.ts';
import type {Interval} from './interval.ts';
import type {Range} from './podForecast.ts';

/** What all tried hidden states together say of one thing that may happen. */
export type Merged = {
	readonly range: Range | null;
	/** Whether it happens in all of them, in some, or in none. */
	readonly happens: 'always' | 'sometimes' | 'never';
};

/** What a deletion or a taint may take beyond its due time: calls, a busy API server. */
const latency: Duration = second / 4;
const early: Duration = second / 10;

/** Joins one thing's ranges over all runs. `gap` widens what depends on the pass that is to come. */
export function merge(ranges: readonly (Interval | undefined)[], gap: Duration): Merged {
	const happened = ranges.filter((range) => range !== undefined);
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

/** Joins the deletions of one pod over all runs. */
export function mergeDeletion(ensemble: Ensemble, pod: string, gap: Duration): Merged {
	return merge(
		ensemble.runs.map(({deletions}) => deletions.get(pod)),
		gap,
	);
}

/** Joins one node's NoExecute taints over all runs. */
export function mergeTaint(ensemble: Ensemble, node: string, gap: Duration): Merged {
	return merge(
		ensemble.runs.map(({taints}) => taints.get(node)),
		gap,
	);
}

/** Joins one node's turns to Unknown over all runs. */
export function mergeUnknown(ensemble: Ensemble, node: string, gap: Duration): Merged {
	const point = (time: Instant | undefined) => (time === undefined ? undefined : {lo: time, hi: time});
	return merge(
		ensemble.runs.map(({outcome}) => point(outcome.unknown.get(node))),
		gap,
	);
}
