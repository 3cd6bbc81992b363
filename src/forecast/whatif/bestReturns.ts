import {countBy} from '../../core/collections/countBy.ts';
import {nameOf} from '../../core/model/objectName.ts';
import type {Forecast} from '../forecast.ts';
import type {NodeForecast} from '../nodeForecast.ts';
import type {PodForecast} from '../podForecast.ts';

type Affected = Pick<Forecast, 'nodes' | 'pods' | 'zones'>;

/**
 * The nodes that are down or silent, best first: a return should save most pods, and let fewest held pods on
 * other nodes be evicted. This is an estimate; a what-if gives the exact effect.
 */
export function bestReturns({nodes, pods, zones}: Affected): readonly NodeForecast[] {
	const nodeOf = ({node}: PodForecast) => node;
	const held = pods.filter(({verdict}) => verdict === 'Held');
	const saved = countBy(
		pods.filter(({verdict, eviction}) => verdict === 'Held' || eviction !== null),
		nodeOf,
	);
	const stuckOn = countBy(
		pods.filter(({verdict}) => verdict === 'Terminating'),
		nodeOf,
	);
	const heldIn = countBy(held, ({zone}) => zone);
	const heldOn = countBy(held, nodeOf);
	const isReleased = new Map(
		zones.map(({zone, toNextState}) => [
			zone,
			toNextState.some(({nodesBack, rate}) => nodesBack === 1 && rate > 0),
		]),
	);
	const areAllDown = zones.some(({stopped}) => stopped?.kind === 'AllZonesDown');
	const gain = ({name, zone}: NodeForecast) => {
		const inZone = heldIn.get(zone) ?? 0;
		const ofOwn = isReleased.get(zone) ? inZone - (heldOn.get(name) ?? 0) : 0;
		// A zone that is no longer down releases all others.
		const ofOthers = areAllDown ? held.length - inZone : 0;
		return (saved.get(name) ?? 0) - ofOwn - ofOthers;
	};
	const stuck = ({name}: NodeForecast) => stuckOn.get(name) ?? 0;
	return nodes
		.filter(({ready, verdict}) => ready !== 'True' || verdict === 'Silent')
		.toSorted((a, b) => gain(b) - gain(a) || stuck(b) - stuck(a));
}

/** At most this many returns are simulated for a zone, each by itself. */
const mostReturns = 3;

/**
 * The nodes whose returns are simulated for the held pods of a zone: first those of the wanted pods, then the best. If every
 * zone is down, the last one is of another zone, as any such node releases the pods.
 */
export function returnsToPlay(
	zone: string,
	wanted: ReadonlySet<string>,
	forecast: Affected,
): readonly string[] {
	const best = bestReturns(forecast);
	const isOfZone = (node: NodeForecast) => node.zone === zone;
	const own = best
		.filter(isOfZone)
		.toSorted((a, b) => Number(wanted.has(b.name)) - Number(wanted.has(a.name)));
	const stop = forecast.zones.find((candidate) => candidate.zone === zone)?.stopped;
	const played =
		stop?.kind === 'AllZonesDown'
			? [
					...own.slice(0, wanted.size > 0 ? mostReturns - 1 : 1),
					...best.filter((node) => !isOfZone(node)).slice(0, 1),
				]
			: own.slice(0, mostReturns);
	return played.map(nameOf);
}
