import {compareValues} from '../../core/collections/compareValues.ts';
import {firstIndex} from '../../core/collections/firstIndex.ts';
import {nodeEvictionPeriod} from '../../core/nodelifecycle/zones/rateLimitedTimedQueue.ts';
import {type Duration, type Instant, never} from '../../core/time/instant.ts';
import type {Interval} from '../observe/interval.ts';
import type {Occurrence} from './occurrence.ts';
import type {Tokens} from './trajectory.ts';

/** A node's wait for its NoExecute taint in one run of the machine. */
export type Wait = Readonly<{
	node: string;
	/** The earliest instant at which it may join its zone's queue. */
	joinedAt: Instant;
	/** When it got the taint in that run; undefined if it still waits at the end. */
	taintedAt: Instant | undefined;
	/** When its timeout ends, over all hidden states that agree. */
	due: Interval;
}>;

/**
 * Which of the waiting nodes of a zone takes the next token is random: each may get any token from the first one after it
 * joined to the last one of those that wait together. Of nodes that are queued once, those that joined in an earlier pass go
 * first, and the order is random only among those that may have joined in the same pass.
 *
 * @param waits of one zone's nodes
 * @param later the tokens after the end of the run; undefined if there are none
 * @param period the longest time from one pass to the next, if nodes are queued once
 * @returns the range of each node; its end is infinite if the zone is stopped
 */
export function taintRanges(
	waits: readonly Wait[],
	later: Tokens | undefined,
	period?: Duration,
): readonly Occurrence[] {
	const {tokens, latest} = tokensFor(waits, later);
	const joins = waits.map(({joinedAt}) => joinedAt).toSorted(compareValues);
	const emptyAt = lastTokens(tokens, joins);
	const given = firstAtOrAfter(tokens, never);
	return waits.map((wait) => {
		const first = firstAtOrAfter(tokens, wait.joinedAt);
		const lo = tokens[first] ?? wait.joinedAt;
		const last = emptyAt[first] ?? first;
		const hi = latest(last);
		if (period === undefined) return {lo, hi, ...oneOf(tokens, first, last, given)};
		const others = waits.filter((other) => other !== wait);
		const surelyBefore = others.filter(({due}) => due.hi + period <= wait.due.lo).length;
		const maybeBefore = others.filter(({due}) => due.lo < wait.due.hi + period).length;
		return {lo: Math.max(lo, tokens[surelyBefore] ?? lo), hi: Math.min(hi, latest(maybeBefore))};
	});
}

/**
 * What remains for each of several nodes that get one of the tokens from `first` to `last` each, or only some of them.
 *
 * @param given how many of the tokens come at all: the others, at `never`, are the last ones
 */
function oneOf(
	tokens: readonly Instant[],
	first: number,
	last: number,
	given: number,
): Omit<Occurrence, 'lo' | 'hi'> {
	const nodes = Math.min(last + 1, tokens.length) - first;
	const places = Math.max(0, Math.min(last + 1, given) - first);
	if (places === nodes) return {places};
	const until = places > 0 ? tokens[first + places - 1] : undefined;
	return {places, chance: places / nodes, ...(until !== undefined && {until})};
}

/** The tokens that the waiting nodes take, one each, in order; and the latest time of each. */
function tokensFor(
	waits: readonly Wait[],
	later: Tokens | undefined,
): {readonly tokens: readonly Instant[]; readonly latest: (token: number) => Instant} {
	const tokens = waits.flatMap(({taintedAt}) => taintedAt ?? []).toSorted(compareValues);
	const taken = tokens.length;
	for (let n = 0; n < waits.length - taken; n += 1)
		tokens.push(later ? later.first + n * later.every : never);
	// The queue is processed only periodically: each token after the run may come that much later than the one before.
	const latest = (token: number) =>
		(tokens[token] ?? never) + Math.max(0, token + 1 - taken) * nodeEvictionPeriod;
	return {tokens, latest};
}

/** For each token, the one with which the queue next runs empty: by then as many nodes have joined as tokens were taken. */
function lastTokens(tokens: readonly Instant[], joins: readonly Instant[]): readonly number[] {
	const result = new Array<number>(tokens.length);
	for (let token = tokens.length - 1; token >= 0; token -= 1) {
		const joined = firstAtOrAfter(joins, tokens[token] ?? 0);
		const isEmpty = token === tokens.length - 1 || joined <= token + 1;
		result[token] = isEmpty ? token : (result[token + 1] ?? token);
	}
	return result;
}

/** The index of the first of sorted instants that is not before an instant. */
export const firstAtOrAfter = (sorted: readonly Instant[], instant: Instant): number =>
	firstIndex(sorted.length, (index) => (sorted[index] ?? 0) >= instant);
