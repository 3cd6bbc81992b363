import type {Said, Source} from './calls.ts';
import {factsOf} from './extractors.ts';
import {type Difference, differencesIn, type SaidFact} from './facts.ts';

/** Sources that know the same: what was watched from the beginning, or one look. */
const knowledge: readonly (readonly Source[])[] = [
	['live', 'recording', 'demo'],
	['look', 'file', 'folder'],
];

/** By which output a consumer speaks. */
const consumers: Readonly<Record<string, string>> = {
	'pods follower': 'follower',
	'pods stream': 'follower',
	'pods json': 'JSON',
	pods: 'table',
	'dashboard pods': 'dashboard',
	'dashboard zones': 'dashboard',
	metrics: 'shadow',
	'zones json': 'JSON',
};

/** The forecasts among facts. */
const forecasts = [
	'verdict',
	'sign',
	'eviction',
	'state',
	'rate',
	'stopped',
	'pods that will be evicted',
	'pods that might be evicted',
];

/** Which facts of each cell, source and consumer, differ from the first cell that knows the same. */
export function pathDifferences(outage: string, said: readonly Said[]): readonly Difference[] {
	const differences: Difference[] = [];
	for (const group of Map.groupBy(said, ({moment}) => moment).values())
		for (const sources of knowledge) {
			const cells = Map.groupBy(
				group.filter(({source, output}) => sources.includes(source) && consumers[output]),
				({source, output}) => `${source} → ${consumers[output]}`,
			);
			const facts = [...cells].map(
				([cell, list]) => [cell, list.flatMap(factsOf).filter(isForecast)] as const,
			);
			const [first, ...others] = facts;
			if (!first) continue;
			for (const [cell, list] of others) {
				const found = differencesIn(outage, [...first[1], ...list]).filter(({other}) => list.includes(other));
				differences.push(
					...found.map((each) => ({...each, kind: cell})),
					...missing(outage, first, [cell, list]),
				);
			}
		}
	return differences;
}

const isForecast = ({property}: SaidFact) => forecasts.includes(property);

type Cell = readonly [name: string, facts: readonly SaidFact[]];

/** Pods of which the first cell has an eviction and the other has none. */
function missing(outage: string, [, first]: Cell, [cell, list]: Cell): readonly Difference[] {
	const pods = new Set(list.map(({of}) => of));
	if (![...pods].some((of) => of.startsWith('pod '))) return [];
	return first
		.filter(({of, property}) => property === 'eviction' && of.startsWith('pod ') && !pods.has(of))
		.map((one) => ({
			kind: cell,
			outage,
			one,
			other: {...one, ...list[0], of: one.of, value: 'nothing'} as SaidFact,
		}));
}
