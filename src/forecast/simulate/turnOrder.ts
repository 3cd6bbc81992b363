import type {Duration} from '../../core/time/instant.ts';
import type {Interval} from '../observe/interval.ts';
import {taintRanges, tokensFor, type Wait} from './chance.ts';
import type {Tokens} from './trajectory.ts';

/** A node that waits for its turn, and when its time is over, by all hidden states that agree. */
export type OrderedWait = Wait & {readonly due: Interval};

/**
 * The ranges of nodes that are queued once: who joined in an earlier pass goes first, and chance only decides among those
 * that may have joined in one and the same.
 *
 * @param waits of one zone's nodes
 * @param later the tokens after the end of the run; undefined where there are none
 * @param period from one pass to the next, at the most
 */
export function rangesInTurn(
	waits: readonly OrderedWait[],
	later: Tokens | undefined,
	period: Duration,
): ReadonlyMap<string, Interval> {
	const {tokens, latest} = tokensFor(waits, later);
	const byChance = taintRanges(waits, later);
	return new Map(
		waits.map((wait) => {
			const others = waits.filter((other) => other !== wait);
			const surelyBefore = others.filter(({due}) => due.hi + period <= wait.due.lo).length;
			const maybeBefore = others.filter(({due}) => due.lo < wait.due.hi + period).length;
			const {lo, hi} = byChance.get(wait.node) ?? wait.due;
			return [
				wait.node,
				{lo: Math.max(lo, tokens[surelyBefore] ?? lo), hi: Math.min(hi, latest(maybeBefore))},
			];
		}),
	);
}
