import type {Forecast} from './forecast.ts';
import type {ZoneForecast} from './zoneForecast.ts';

/** Finds the silent nodes of a zone, whether it stops once they are Unknown and then holds pods of theirs, and whether some of these may go before. */
export function silentFinder({nodes, pods}: Pick<Forecast, 'nodes' | 'pods'>) {
	const silent = nodes.filter(({verdict}) => verdict === 'Silent');
	const zoneOf = new Map(silent.map(({name, zone}) => [name, zone]));
	const silentIn = Map.groupBy(silent, ({zone}) => zone);
	const podsIn = Map.groupBy(pods, ({node}) => zoneOf.get(node));
	return ({zone, coming}: ZoneForecast) => {
		const theirs = podsIn.get(zone) ?? [];
		return {
			silent: (silentIn.get(zone) ?? []).map(({name}) => name),
			isHeld: coming.steps.at(-1)?.rate === 0 && theirs.length > 0,
			mayGo: theirs.some(({eviction}) => eviction !== null),
		};
	};
}
