import type {NodePod, PodContainer} from '../../core/nodepressure/nodePod.ts';
import {int64Of, type Quantity} from '../../core/nodepressure/quantities/quantity.ts';
import {statsByUid} from '../../core/nodepressure/summary.ts';
import {pointsOf} from './observe/series.ts';
import {robustTrend} from './observe/trend.ts';
import type {OomForecast} from './pressureForecast.ts';
import {crossing} from './simulate/crossing.ts';
import type {PressureSituation} from './situation.ts';

/** Containers below this share of their limit are ignored. */
const worthALook = 0.7;

/**
 * The containers that approach their own memory limit. The kernel kills such a container, whatever the node has left, and it
 * is restarted in place: the pod stays.
 */
export function oomKills({pods, newest, evidence, now}: PressureSituation): readonly OomForecast[] {
	const stats = statsByUid(newest.summary);
	return pods.flatMap((pod) =>
		[...pod.containers, ...pod.initContainers].flatMap((container): readonly OomForecast[] => {
			const limit = container.limits['memory'];
			const memory = stats.get(pod.uid)?.containers.find(({name}) => name === container.name)?.memory;
			const usage = memory?.workingSetBytes;
			if (!limit || usage === undefined || Number(usage) < worthALook * Number(int64Of(limit))) return [];
			const measuredAt = Math.min(memory?.time ?? newest.seenAt, newest.seenAt);
			return [oomForecast(pod, container, usage, limit, measuredAt, evidence.samples, now)];
		}),
	);
}

function oomForecast(
	pod: NodePod,
	container: PodContainer,
	usage: bigint,
	limit: Quantity,
	measuredAt: number,
	samples: PressureSituation['evidence']['samples'],
	now: number,
): OomForecast {
	const points = pointsOf(samples, (summary) => {
		const ofPod = summary.pods.find(({uid}) => uid === pod.uid);
		const memory = ofPod?.containers.find(({name}) => name === container.name)?.memory;
		const used = memory?.workingSetBytes;
		return used === undefined ? undefined : {value: int64Of(limit) - used, time: memory?.time};
	});
	const distance = Number(int64Of(limit) - usage);
	return {
		pod,
		container: container.name,
		usage,
		limit,
		crossing: crossing(distance, robustTrend(points), measuredAt, now),
	};
}
