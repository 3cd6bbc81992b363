import type {PodEnd} from '../core/workloads/podEnd.ts';
import type {Forecast} from './forecast.ts';
import {pendingOf} from './pending.ts';
import {isStuck, type NodesOfRelease, podEnds} from './podEnd.ts';
import type {PodForecast} from './podForecast.ts';

/** A pod that stays Terminating, and why. */
export type StuckPod = {readonly pod: PodForecast; readonly end: PodEnd};

/** The pods that stay Terminating: they are deleted, and nobody ends them, or a finalizer holds them. */
export const stuckPods = (forecast: Pick<Forecast, 'pods'> & NodesOfRelease): readonly StuckPod[] =>
	stuckOf(
		forecast.pods.filter(({verdict}) => verdict === 'Terminating'),
		forecast,
	);

/** The pods that stay Terminating once all evictions that are predicted have come. */
export const stuckInTheEnd = (forecast: Pick<Forecast, 'pods'> & NodesOfRelease): readonly StuckPod[] => [
	...stuckPods(forecast),
	...stuckOf(pendingOf(forecast.pods), forecast),
];

function stuckOf(pods: readonly PodForecast[], nodes: NodesOfRelease): readonly StuckPod[] {
	if (pods.length === 0) return [];
	const ends = podEnds(nodes);
	return pods.map((pod) => ({pod, end: ends.of(pod)})).filter(({end}) => isStuck(end));
}
