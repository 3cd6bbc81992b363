import type {NodePod, PodContainer} from '../../core/nodepressure/nodePod.ts';
import {int64Of} from '../../core/nodepressure/quantities/quantity.ts';
import type {Summary} from '../../core/nodepressure/summary.ts';
import {pointsOf, whenMeasured} from './observe/series.ts';
import {robustTrend} from './observe/trend.ts';
import type {OomForecast} from './pressureForecast.ts';
import {crossing} from './simulate/crossing.ts';
import type {PressureSituation} from './situation.ts';

/** Containers below this share of their limit are ignored. */
const worthALook = 0.7;

const memoryOf = ({pods}: Summary, pod: NodePod, container: PodContainer) =>
	pods.findLast(({uid}) => uid === pod.uid)?.containers.find(({name}) => name === container.name)?.memory;

/**
 * The containers that approach their own memory limit. The kernel kills such a container, whatever the node has left, and it
 * is restarted in place: the pod stays.
 */
export function oomKills({pods, newest, evidence, now}: PressureSituation): readonly OomForecast[] {
	return pods.flatMap((pod) =>
		[...pod.containers, ...pod.initContainers].flatMap((container): readonly OomForecast[] => {
			const limit = container.limits['memory'];
			const memory = memoryOf(newest.summary, pod, container);
			const usage = memory?.workingSetBytes;
			if (!limit || usage === undefined || Number(usage) < worthALook * Number(int64Of(limit))) return [];
			const points = pointsOf(
				evidence.samples.flatMap(({seenAt, summary}) => {
					const {workingSetBytes: used, time} = memoryOf(summary, pod, container) ?? {};
					return used === undefined ? [] : [{value: int64Of(limit) - used, time, seenAt}];
				}),
			);
			const distance = Number(int64Of(limit) - usage);
			const measuredAt = whenMeasured(memory?.time, newest.seenAt);
			return [
				{
					pod,
					container: container.name,
					usage,
					limit,
					crossing: crossing({distance, trend: robustTrend(points), measuredAt}, now),
				},
			];
		}),
	);
}
