import {type Instant, second} from '../core/time/instant.ts';
import type {Interval} from './interval.ts';

/** A node's wait for its NoExecute taint, as one run of the machine had it. */
export type Wait = {
	readonly node: string;
	/** When it joined its zone's queue. */
	readonly joinedAt: Instant;
	/** When it got the taint in that run; undefined where it still waits at its end. */
	readonly taintedAt: Instant | undefined;
};

/**
 * Which of the waiting nodes of a zone takes the next token is chance: whoever waits may get any token from the first
 * one after it joined to the last one of those that wait together.
 *
 * @param waits of one zone's nodes
 * @param rate nodes per second, for the tokens after the end of the run; zero where there are none
 * @param endsAt the end of the run
 * @returns the range of each node; its end is infinite where the zone is stopped
 */
export function taintRanges(
	waits: readonly Wait[],
	rate: number,
	endsAt: Instant,
): ReadonlyMap<string, Interval> {
	const tainted = waits.filter((wait) => wait.taintedAt !== undefined);
	const left = waits.length - tainted.length;
	const tokens = tainted.map(({taintedAt}) => taintedAt ?? endsAt).toSorted((a, b) => a - b);
	const last = tokens.at(-1) ?? endsAt;
	for (let n = 1; n <= left; n += 1)
		tokens.push(rate > 0 ? Math.max(last, endsAt) + (n * second) / rate : Number.POSITIVE_INFINITY);
	return new Map(waits.map(({node, joinedAt}) => [node, rangeOf(joinedAt, waits, tokens)]));
}

/** From the first token after a node joined to the token with which the queue runs empty. */
function rangeOf(joinedAt: Instant, waits: readonly Wait[], tokens: readonly Instant[]): Interval {
	const from = tokens.findIndex((token) => token >= joinedAt);
	let to = from;
	// The queue is empty after a token once as many joined before it as were taken with it.
	while (to < tokens.length - 1 && joinedBefore(waits, tokens[to] ?? 0) > to + 1) to += 1;
	return {lo: tokens[from] ?? joinedAt, hi: tokens[to] ?? Number.POSITIVE_INFINITY};
}

const joinedBefore = (waits: readonly Wait[], token: Instant) =>
	waits.filter(({joinedAt}) => joinedAt < token).length;
