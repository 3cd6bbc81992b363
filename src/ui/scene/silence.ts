import type {NodeForecast} from '../../forecast/nodeForecast.ts';
import type {Range} from '../../forecast/range.ts';

/** The nodes of a zone that have stopped renewing, before any condition changes. */
export type SilentNodes = {
	readonly word: 'silent' | 'late';
	readonly count: number;
	readonly name: string;
	/** When the first of them last renewed; undefined if none ever did. */
	readonly heardAt: number | undefined;
	/** When the first of them becomes Unknown. */
	readonly first: Range | undefined;
};

/** The silent nodes by zone. Late nodes are shown only if no node is silent, because most of them renew a moment later. */
export function silenceByZone(nodes: readonly NodeForecast[]): ReadonlyMap<string, SilentNodes> {
	const word = nodes.some(({verdict}) => verdict === 'Silent') ? 'silent' : 'late';
	const unheard = nodes.filter(({verdict}) => verdict === (word === 'silent' ? 'Silent' : 'Late'));
	const zones = [...Map.groupBy(unheard, ({zone}) => zone)];
	return new Map(zones.map(([zone, its]) => [zone, silenceOf(word, its)]));
}

function silenceOf(word: SilentNodes['word'], nodes: readonly NodeForecast[]): SilentNodes {
	const heard = nodes.flatMap(({lastRenewal}) => lastRenewal ?? []);
	const firsts = nodes.flatMap(({unknown}) => unknown ?? []);
	return {
		...{word, count: nodes.length, name: nodes[0]?.name ?? ''},
		heardAt: heard.length === 0 ? undefined : heard.reduce((a, b) => Math.min(a, b)),
		first: firsts.toSorted((a, b) => a.earliest - b.earliest)[0],
	};
}
