import type {Forecast} from './forecast.ts';
import type {ZoneForecast} from './zoneForecast.ts';

/** The silent nodes of a zone, whether it stops once they are Unknown and then holds pods of theirs, and whether some of these may go before. */
export function silentIn({zone, coming}: ZoneForecast, {nodes, pods}: Pick<Forecast, 'nodes' | 'pods'>) {
	const silent = new Set(
		nodes.flatMap((node) => (node.zone === zone && node.verdict === 'Silent' ? node.name : [])),
	);
	const own = pods.filter(({node}) => silent.has(node));
	return {
		silent: [...silent],
		isHeld: coming.steps.at(-1)?.rate === 0 && own.length > 0,
		mayGo: own.some(({eviction}) => eviction !== null),
	};
}
