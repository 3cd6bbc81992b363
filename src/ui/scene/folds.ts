import type {Duration, Instant} from '../../core/time/instant.ts';
import type {Forecast} from '../../forecast/forecast.ts';
import {Range} from '../../forecast/range.ts';
import type {PodRow} from '../../print/tables/podFolds.ts';
import {clockSpan, clockSpanUp, countdown} from './spans.ts';

/** Ranges up to this length show when each pod is evicted; longer ones come from the random order. */
const narrow: Duration = 10_000;

/** When the first, each next and the last pod of a fold is evicted, in words. */
type Sequence = {readonly first: string; readonly every: string; readonly last: string};

/** The sequence of a fold whose pods are evicted in the random order of their zone's queue. Undefined if the range says enough. */
export function sequenceOf(
	{fold, eviction, zone}: PodRow,
	forecast: Forecast,
	now: Instant,
): Sequence | undefined {
	if (!fold || !eviction || (eviction.latest !== null && eviction.latest - eviction.earliest <= narrow))
		return undefined;
	const of = forecast.zones.find((one) => one.zone === zone);
	const queue = of?.queue ?? [];
	const isWaiting = [...fold.nodes].every((node) => queue.includes(node));
	const last = eviction.latest === null ? '' : `last by ${clockSpanUp(eviction.latest - now)}`;
	const notBefore = `first not before ${clockSpan(eviction.earliest - now)}`;
	if (!isWaiting || !of || of.rate === 0) return {first: notBefore, every: 'in random order', last};
	const isOneEach = fold.pods.length === fold.nodes.size;
	const every = `${isOneEach ? 'one' : 'those of one node'} every ${clockSpan(1000 / of.rate)}`;
	// Only if each queued node has a pod of the fold is it known when the first one is evicted.
	return queue.length > fold.nodes.size
		? {first: notBefore, every: `at most ${every}`, last}
		: {first: `first ${countdown(firstOf(eviction, of.nextTaint), now)}`, every: `then ${every}`, last};
}

/** All parts: `first 0:38–0:39, then one every 1:40, last by 59:04`. */
export const sequenceWords = ({first, every, last}: Sequence): string =>
	[first, every, last].filter((words) => words !== '').join(', ');

/** When the first of them is evicted: from the earliest instant on, for as long as the next token is uncertain. */
const firstOf = ({earliest}: Range, token: Range | null): Range => {
	const spread = token?.latest === undefined || token.latest === null ? 0 : token.latest - token.earliest;
	return new Range(earliest, earliest, earliest + Math.max(spread, 1000));
};
