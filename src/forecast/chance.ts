import {nodeEvictionPeriod} from '../core/nodelifecycle/rateLimitedTimedQueue.ts';
import type {Duration, Instant} from '../core/time/instant.ts';
import type {Interval} from './interval.ts';
import type {Tokens} from './outcome.ts';

/** A node's wait for its NoExecute taint, as one run of the machine had it. */
export type Wait = {
	readonly node: string;
	/** The earliest instant at which it may join its zone's queue. */
	readonly joinedAt: Instant;
	/** When it got the taint in that run; undefined where it still waits at its end. */
	readonly taintedAt: Instant | undefined;
};

/**
 * Which of the waiting nodes of a zone takes the next token is chance: whoever waits may get any token from the first
 * one after it joined to the last one of those that wait together.
 *
 * @param waits of one zone's nodes
 * @param later the tokens after the end of the run; undefined where there are none
 * @returns the range of each node; its end is infinite where the zone is stopped
 */
export function taintRanges(
	waits: readonly Wait[],
	later: Tokens | undefined,
): ReadonlyMap<string, Interval> {
	const tokens = waits.flatMap(({taintedAt}) => taintedAt ?? []).toSorted((a, b) => a - b);
	const left = waits.length - tokens.length;
	const taken = tokens.length;
	for (let n = 0; n < left; n += 1) {
		tokens.push(later ? later.first + n * later.every : Number.POSITIVE_INFINITY);
	}
	// The queue is looked at every so often only: each token after the run may come that much later than the one before.
	const latest = (token: number) =>
		(tokens[token] ?? Number.POSITIVE_INFINITY) + Math.max(0, token + 1 - taken) * nodeEvictionPeriod;
	const joins = waits.map(({joinedAt}) => joinedAt).toSorted((a, b) => a - b);
	const emptyAt = lastTokens(tokens, joins);
	return new Map(
		waits.map(({node, joinedAt}) => {
			const first = firstAtOrAfter(tokens, joinedAt);
			return [node, {lo: tokens[first] ?? joinedAt, hi: latest(emptyAt[first] ?? first)}];
		}),
	);
}

/** For each token, the one with which the queue next runs empty: as many have joined before it as were taken with it. */
function lastTokens(tokens: readonly Instant[], joins: readonly Instant[]): readonly number[] {
	const result = new Array<number>(tokens.length);
	for (let token = tokens.length - 1; token >= 0; token -= 1) {
		const joined = firstAtOrAfter(joins, tokens[token] ?? 0);
		const isEmpty = token === tokens.length - 1 || joined <= token + 1;
		result[token] = isEmpty ? token : (result[token + 1] ?? token);
	}
	return result;
}

function firstAtOrAfter(sorted: readonly Instant[], instant: Instant): number {
	let [lo, hi] = [0, sorted.length];
	while (lo < hi) {
		const middle = (lo + hi) >> 1;
		if ((sorted[middle] ?? 0) < instant) lo = middle + 1;
		else hi = middle;
	}
	return lo;
}

/**
 * In which order a pass comes to the nodes is chance as well: where throttling makes it last, each node that it turns
 * Unknown may be any of them, from the first to the last.
 *
 * @param times when each node turned Unknown in one run
 * @param left nodes that the pass has not come to when the run ends
 * @param pause what lies between two passes at the least
 */
export function unknownRanges(
	times: ReadonlyMap<string, Instant>,
	left: readonly string[],
	pause: Duration,
	endsAt: Instant,
): ReadonlyMap<string, Interval> {
	const sorted = [...times].toSorted((a, b) => a[1] - b[1]);
	const ranges = new Map<string, Interval>();
	let group: [string, Instant][] = [];
	const close = (hi: Instant) => {
		const lo = group[0]?.[1] ?? hi;
		for (const [node] of group) ranges.set(node, {lo, hi});
	};
	for (const entry of sorted) {
		const before = group.at(-1)?.[1];
		if (before !== undefined && entry[1] - before >= pause) {
			close(before);
			group = [];
		}
		group.push(entry);
	}
	const last = group.at(-1)?.[1] ?? endsAt;
	if (left.length === 0) {
		close(last);
		return ranges;
	}
	// The pass goes on beyond the run, at the pace that it has shown.
	const pace = (last - (group[0]?.[1] ?? last)) / Math.max(1, group.length - 1);
	const hi = pace > 0 ? endsAt + left.length * pace * 1.2 : Number.POSITIVE_INFINITY;
	const lo = group[0]?.[1] ?? endsAt;
	close(hi);
	for (const node of left) ranges.set(node, {lo, hi});
	return ranges;
}
