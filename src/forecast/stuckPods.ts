import {taintOutOfService} from '../core/model/taint.ts';
import type {Forecast} from './forecast.ts';
import type {NodeForecast} from './nodeForecast.ts';
import type {PodForecast} from './podForecast.ts';

/** Whether a node's kubelet does not answer, and no out-of-service taint ends its pods. */
const isDead = ({verdict, ready, node}: NodeForecast): boolean =>
	(verdict === 'Silent' || ready === 'Unknown') &&
	node?.taints.some(({key}) => key === taintOutOfService) !== true;

/** The pods that stay Terminating: they are deleted, and no kubelet confirms that their containers stopped. */
export function stuckPods({pods, nodes}: Pick<Forecast, 'pods' | 'nodes'>): readonly PodForecast[] {
	const terminating = pods.filter(({verdict}) => verdict === 'Terminating');
	if (terminating.length === 0) return [];
	const dead = new Set(nodes.filter(isDead).map(({name}) => name));
	return terminating.filter(({node}) => dead.has(node));
}
