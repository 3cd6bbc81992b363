import type {ControllerSettings} from '../core/model/controllerSettings.ts';
import type {Instant} from '../core/time/instant.ts';
import {endsOfLine} from './deletionLine.ts';
import type {PodForecast} from './podForecast.ts';

/**
 * Widens the ranges of pods that are due together by the line that they wait in. Timers that run meet in one line;
 * pods whose node still waits for its taint meet those of their own node, since nodes are tainted one at a time.
 */
export function withDeletionLines(
	forecasts: readonly PodForecast[],
	{kubeApiQps, kubeApiBurst}: Pick<ControllerSettings, 'kubeApiQps' | 'kubeApiBurst'>,
): readonly PodForecast[] {
	const due = forecasts.filter(({eviction}) => eviction?.latest != null);
	const lines = Map.groupBy(due, ({verdict, node}) => (verdict === 'Scheduled' ? '' : node));
	const latest = new Map<PodForecast, Instant>();
	for (const line of lines.values()) {
		for (const bound of ['earliest', 'latest'] as const) {
			const sorted = line.toSorted((a, b) => instantOf(a, bound) - instantOf(b, bound));
			const ends = endsOfLine(
				sorted.map((pod) => instantOf(pod, bound)),
				kubeApiQps,
				kubeApiBurst,
			);
			for (const [index, pod] of sorted.entries()) {
				latest.set(pod, Math.max(latest.get(pod) ?? 0, ends[index] ?? 0, instantOf(pod, 'latest')));
			}
		}
	}
	return forecasts.map((pod) => {
		const end = latest.get(pod);
		return end === undefined || !pod.eviction || end === pod.eviction.latest
			? pod
			: {...pod, eviction: {...pod.eviction, latest: end}};
	});
}

const instantOf = ({eviction}: PodForecast, bound: 'earliest' | 'latest'): Instant => eviction?.[bound] ?? 0;
