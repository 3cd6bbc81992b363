import {taintOutOfService} from '../core/model/taint.ts';
import type {Forecast} from './forecast.ts';
import type {NodeForecast} from './nodeForecast.ts';
import {pendingOf} from './pending.ts';
import type {PodForecast} from './podForecast.ts';

/** Whether a node's kubelet does not answer, and no out-of-service taint ends its pods. */
const isDead = ({verdict, ready, node}: NodeForecast): boolean =>
	(verdict === 'Silent' || ready === 'Unknown') &&
	node?.taints.some(({key}) => key === taintOutOfService) !== true;

/** The pods that stay Terminating: they are deleted, and no kubelet confirms that their containers stopped. */
export const stuckPods = (forecast: Pick<Forecast, 'pods' | 'nodes'>): readonly PodForecast[] =>
	onDeadNodes(
		forecast.pods.filter(({verdict}) => verdict === 'Terminating'),
		forecast,
	);

/** The pods that stay Terminating once all evictions that are predicted have come. */
export const stuckInTheEnd = (forecast: Pick<Forecast, 'pods' | 'nodes'>): readonly PodForecast[] => [
	...stuckPods(forecast),
	...onDeadNodes(pendingOf(forecast.pods), forecast),
];

function onDeadNodes(pods: readonly PodForecast[], {nodes}: Pick<Forecast, 'nodes'>): readonly PodForecast[] {
	if (pods.length === 0) return [];
	const dead = new Set(nodes.filter(isDead).map(({name}) => name));
	return pods.filter(({node}) => dead.has(node));
}
