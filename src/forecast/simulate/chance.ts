import {firstIndex} from '../../core/collections/firstIndex.ts';
import {monitorWorkers} from '../../core/nodelifecycle/monitorPass.ts';
import {nodeEvictionPeriod} from '../../core/nodelifecycle/zones/rateLimitedTimedQueue.ts';
import {beginningOfTime, type Duration, type Instant, never, second} from '../../core/time/instant.ts';
import {type Interval, width} from '../observe/interval.ts';
import type {Tokens} from './trajectory.ts';

/** A node's wait for its NoExecute taint, as one run of the machine had it. */
type Wait = {
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
 * @param between the interval of each token over all siblings: a node that joins within one may get that token at once
 * @returns the range of each node; its end is infinite where the zone is stopped
 */
export function taintRanges(
	waits: readonly Wait[],
	later: Tokens | undefined,
	between: readonly Interval[],
): ReadonlyMap<string, Interval> {
	const {tokens, latest} = tokensFor(waits, later);
	const joins = waits.map(({joinedAt}) => joinedAt).toSorted((a, b) => a - b);
	const emptyAt = lastTokens(tokens, joins);
	const withToken = new Set(
		[...new Set(joins)].filter((join) => between.some(({lo, hi}) => lo <= join && join < hi)),
	);
	return new Map(
		waits.map(({node, joinedAt}) => {
			const first = firstAtOrAfter(tokens, joinedAt);
			const lo = withToken.has(joinedAt) ? joinedAt : (tokens[first] ?? joinedAt);
			return [node, {lo, hi: latest(emptyAt[first] ?? first)}];
		}),
	);
}

/** From when to when the first token of a zone comes by several runs, the second, and so on, where they differ. */
export function tokensBetween(
	zone: string,
	runs: readonly {
		readonly waits: ReadonlyMap<string, readonly Wait[]>;
		readonly trajectory: {readonly tokens: ReadonlyMap<string, Tokens>};
	}[],
): readonly Interval[] {
	const ofRuns = runs.map(({waits, trajectory}) =>
		tokensFor(waits.get(zone) ?? [], trajectory.tokens.get(zone)).tokens.filter(Number.isFinite),
	);
	const count = Math.max(0, ...ofRuns.map(({length}) => length));
	const ranges = Array.from({length: count}, (_, index) => {
		const times = ofRuns.flatMap((tokens) => tokens[index] ?? []);
		return {lo: Math.min(...times), hi: Math.max(...times)};
	});
	return ranges.filter((range) => width(range) > 0);
}

/** The tokens that those who wait take, one each, in order; and when each comes at the latest. */
function tokensFor(
	waits: readonly Wait[],
	later: Tokens | undefined,
): {readonly tokens: readonly Instant[]; readonly latest: (token: number) => Instant} {
	const tokens = waits.flatMap(({taintedAt}) => taintedAt ?? []).toSorted((a, b) => a - b);
	const toCome = waits.length - tokens.length;
	const taken = tokens.length;
	for (let n = 0; n < toCome; n += 1) {
		tokens.push(later ? later.first + n * later.every : never);
	}
	// The queue is looked at every so often only: each token after the run may come that much later than the one before.
	const latest = (token: number) =>
		(tokens[token] ?? never) + Math.max(0, token + 1 - taken) * nodeEvictionPeriod;
	return {tokens, latest};
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

/** The index of the first of sorted instants that is not before another. */
export const firstAtOrAfter = (sorted: readonly Instant[], instant: Instant): number =>
	firstIndex(sorted.length, (index) => (sorted[index] ?? 0) >= instant);

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
	between: readonly Interval[],
): ReadonlyMap<string, Interval> {
	const {tokens, latest} = tokensFor(waits, later);
	const byChance = taintRanges(waits, later, between);
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

/** A pass is long where it turns nodes Unknown for more than this. */
export const longAfter: Duration = second;

/** When nodes turn Unknown in one run, and how their pass goes on beyond it. */
type UnknownTimes = {
	readonly times: ReadonlyMap<string, Instant>;
	/** When each later pass begins that turns nodes Unknown. */
	readonly passStarts: readonly Instant[];
	/** Nodes that the last pass has not come to when the run ends. */
	readonly unreached: readonly string[];
	readonly endsAt: Instant;
	/** When each node's grace period is over at the earliest: from then on a pass may find it silent. */
	readonly graceEnds: ReadonlyMap<string, Instant>;
};

/** A pass goes on at the pace that it has shown, more or less. */
const paceMargin = 0.08;

/**
 * In which order a pass comes to the nodes is chance as well: where throttling makes it last, each node that it turns
 * Unknown may be any of them, from the first to the last. One that it passed by in this run, since its grace period was not
 * over yet, it may also have come to later.
 */
export function unknownRanges({
	times,
	passStarts,
	unreached,
	endsAt,
	graceEnds,
}: UnknownTimes): ReadonlyMap<string, Interval> {
	const graceEnd = (node: string) => graceEnds.get(node) ?? beginningOfTime;
	const passes = Map.groupBy(times, ([, at]) => passStarts.filter((start) => start <= at).length);
	const ranges = new Map<string, Interval>();
	let before: Interval | undefined;
	for (const [pass, ofPass] of [...passes].toSorted(([a], [b]) => a - b)) {
		const instants = ofPass.map(([, at]) => at).toSorted((a, b) => a - b);
		const goesOn = unreached.length > 0 && pass === Math.max(...passes.keys());
		const lo = instants[0] ?? endsAt;
		const hi = goesOn ? laterUnknown(instants, unreached.length, endsAt).hi : (instants.at(-1) ?? endsAt);
		for (const [node] of ofPass) {
			const sooner = Math.max(before?.lo ?? lo, graceEnd(node));
			const mayBeSooner = before && width(before) > longAfter && sooner <= before.hi;
			ranges.set(node, {lo: mayBeSooner ? sooner : lo, hi});
		}
		before = {lo, hi: instants.at(-1) ?? lo};
		if (goesOn) for (const node of unreached) ranges.set(node, {lo, hi});
	}
	if (passes.size === 0) for (const node of unreached) ranges.set(node, {lo: graceEnd(node), hi: never});
	return ranges;
}

/**
 * When a pass that goes on beyond the run comes to the k-th node after it.
 *
 * @param instants when it came to those of the run, in order
 */
export function laterUnknown(instants: readonly Instant[], k: number, endsAt: Instant): Interval {
	const [first, last] = [instants[0] ?? endsAt, instants.at(-1) ?? endsAt];
	// Nodes are turned in batches of as many as there are workers: the last batch has only begun.
	const pace = (last - first) / Math.max(1, instants.length - monitorWorkers);
	if (pace <= 0) return {lo: endsAt, hi: never};
	return {lo: last + k * pace * (1 - paceMargin), hi: endsAt + k * pace * (1 + paceMargin)};
}
