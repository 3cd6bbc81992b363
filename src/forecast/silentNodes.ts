import {nameOf} from '../core/model/objectName.ts';
import type {Forecast} from './forecast.ts';
import type {ZoneForecast} from './zoneForecast.ts';

/**
 * Finds the nodes of a zone whose silence may change it, also late ones if that is not sure; whether it stops once they are Unknown
 * and then holds pods of theirs, and whether some of these may go before.
 */
export function silentFinder({nodes, pods}: Pick<Forecast, 'nodes' | 'pods'>) {
	const unheard = nodes.filter(({verdict}) => verdict === 'Silent' || verdict === 'Late');
	const byName = new Map(unheard.map((node) => [node.name, node]));
	const nodesIn = Map.groupBy(unheard, ({zone}) => zone);
	const podsIn = Map.groupBy(pods, ({node}) => byName.get(node)?.zone);
	return ({zone, coming}: ZoneForecast) => {
		const isMeant = (name: string) => !coming.isSure || byName.get(name)?.verdict === 'Silent';
		const theirs = (podsIn.get(zone) ?? []).filter(({node}) => isMeant(node));
		return {
			silent: (nodesIn.get(zone) ?? []).map(nameOf).filter(isMeant),
			isHeld: coming.steps.at(-1)?.rate === 0 && theirs.length > 0,
			mayGo: theirs.some(({eviction}) => eviction !== null),
		};
	};
}
