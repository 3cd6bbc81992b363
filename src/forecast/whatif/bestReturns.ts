import type {Forecast} from '../forecast.ts';
import type {NodeForecast} from '../nodeForecast.ts';
import type {PodForecast} from '../podForecast.ts';

/**
 * The names of the nodes that are down or silent, those first whose return saves most pods and lets fewest be evicted that are
 * held on other nodes; a what-if says exactly what it does.
 */
export function bestReturns({
	nodes,
	pods,
	zones,
}: Pick<Forecast, 'nodes' | 'pods' | 'zones'>): readonly string[] {
	const held = pods.filter(({verdict}) => verdict === 'Held');
	const saved = countsOf(pods.filter(({verdict, eviction}) => verdict === 'Held' || eviction !== null));
	const heldOn = countsOf(held);
	const stuckOn = countsOf(pods.filter(({verdict}) => verdict === 'Terminating'));
	const releasedIn = new Map(
		zones.map(({zone, stopped, toNextState}) => {
			if (stopped?.kind === 'AllZonesDown') return [zone, held.length];
			const isReleased = toNextState.some(({nodesBack, rate}) => nodesBack === 1 && rate > 0);
			return [zone, isReleased ? held.filter((pod) => pod.zone === zone).length : 0];
		}),
	);
	const gain = ({name, zone}: NodeForecast) => {
		const released = Math.max(0, (releasedIn.get(zone) ?? 0) - (heldOn.get(name) ?? 0));
		return (saved.get(name) ?? 0) - released;
	};
	const stuck = ({name}: NodeForecast) => stuckOn.get(name) ?? 0;
	return nodes
		.filter(({ready, verdict}) => ready !== 'True' || verdict === 'Silent')
		.toSorted((a, b) => gain(b) - gain(a) || stuck(b) - stuck(a))
		.map(({name}) => name);
}

function countsOf(pods: readonly PodForecast[]): ReadonlyMap<string, number> {
	const counts = new Map<string, number>();
	for (const {node} of pods) counts.set(node, (counts.get(node) ?? 0) + 1);
	return counts;
}
