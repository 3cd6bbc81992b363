import type {Instant} from '../../core/time/instant.ts';
import type {NodeForecast} from '../../forecast/nodeForecast.ts';
import {count} from '../../forecast/words.ts';
import type {StateStep, ZoneForecast} from '../../forecast/zoneForecast.ts';
import {tokenWords as tokenWordsIn} from '../../print/countdown.ts';
import {briefState} from '../../print/tables/zoneKind.ts';
import {clockSpan, countdown} from './spans.ts';

const nodesOf = ({nodesDown, nodesBack}: StateStep): number => nodesDown ?? nodesBack ?? 0;

function nextStates({toNextState}: Pick<ZoneForecast, 'toNextState'>, arrow: string): string {
	const words = toNextState
		.toSorted((a, b) => nodesOf(a) - nodesOf(b))
		.map(
			(step) =>
				`${nodesOf(step)} ${step.nodesDown === undefined ? 'back' : 'down'}${arrow}${briefState(step.state)}`,
		);
	return words.join(', ');
}

/** The smallest numbers of nodes down and back that change a zone's state, the smaller first: `6 down → Partial`. */
export const nextStateWords = (zone: ZoneForecast, arrow: string): string => nextStates(zone, ` ${arrow} `);

/** The same within a width: `6 down→Partial`; if only one fits, the one that lets pods be evicted. */
export function nextStateWithin(zone: ZoneForecast, arrow: string, width: number): string {
	const [whole, brief] = [nextStateWords(zone, arrow), nextStates(zone, arrow)];
	if (whole.length <= width) return whole;
	if (brief.length <= width) return brief;
	const [first] = zone.toNextState.toSorted(
		(a, b) => Number(b.rate > 0) - Number(a.rate > 0) || nodesOf(a) - nodesOf(b),
	);
	return first ? nextStates({toNextState: [first]}, arrow) : '';
}

/** Nodes tainted per second, in flag format. */
export const rateWords = ({rate}: ZoneForecast): string =>
	rate === 0 ? '0' : `${Number(rate.toPrecision(3))}/s`;

/** When the zone's token bucket next has a token. */
export const tokenWords = (zone: ZoneForecast, now: Instant): string => tokenWordsIn(zone, now, countdown);

/** How full the token bucket of a zone is, from 0 to 1; undefined if it is never refilled. */
export function bucketLevel({nextTaint, rate}: ZoneForecast, now: Instant): number | undefined {
	if (nextTaint === null || rate === 0) return undefined;
	const wait = Math.max(0, nextTaint.expected - now);
	return Math.max(0, 1 - (wait * rate) / 1000);
}

/** The waiting nodes of a zone: `3 nodes until 14:07:31`, `4 nodes held`; empty if there are none. */
export type ZoneQueue = {
	readonly queued: number;
	readonly held: number;
	/** When the last queued node certainly has its taint; null without an upper bound. */
	readonly emptyBy: Instant | null;
};

/** The number of nodes of a zone that wait for their taint, and until when. */
export function waitingIn(nodes: readonly NodeForecast[]): ZoneQueue {
	const queued = nodes.filter(({verdict}) => verdict === 'Queued');
	const ends = queued.map(({noExecute, eviction}) => (eviction ?? noExecute)?.latest ?? null);
	return {
		queued: queued.length,
		held: nodes.filter(({verdict}) => verdict === 'Held').length,
		emptyBy: ends.includes(null) ? null : Math.max(...ends.filter((end) => end !== null)),
	};
}

export function waitingWords({queued, held, emptyBy}: ZoneQueue, now: Instant): string {
	const parts: string[] = [];
	if (queued > 0) {
		const until = emptyBy === null ? '' : ` until ${clockSpan(emptyBy - now)}`;
		parts.push(`${count(queued, 'node')}${until}`);
	}
	if (held > 0) parts.push(`${count(held, 'node')} held`);
	return parts.join(', ');
}

export const briefWaiting = ({queued, held}: ZoneQueue): string =>
	[...(queued > 0 ? [`${queued} wait`] : []), ...(held > 0 ? [`${held} held`] : [])].join(', ');
