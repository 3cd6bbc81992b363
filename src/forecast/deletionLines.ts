import type {ControllerSettings} from '../core/model/controllerSettings.ts';
import type {Instant} from '../core/time/instant.ts';
import {endsOfLine, lineFor} from './deletionLine.ts';
import type {PodForecast} from './podForecast.ts';

/**
 * Widens the ranges of pods whose timers run out together by the line that they wait in.
 */
export function withDeletionLines(
	forecasts: readonly PodForecast[],
	{kubeApiQps, kubeApiBurst}: Pick<ControllerSettings, 'kubeApiQps' | 'kubeApiBurst'>,
): readonly PodForecast[] {
	const line = forecasts.filter(({verdict, eviction}) => verdict === 'Scheduled' && eviction?.latest != null);
	if (lineFor(line.length, kubeApiQps, kubeApiBurst) === 0) return forecasts;
	const latest = new Map<PodForecast, Instant>();
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
	return forecasts.map((pod) => {
		const end = latest.get(pod);
		return end === undefined || !pod.eviction || end === pod.eviction.latest
			? pod
			: {...pod, eviction: {...pod.eviction, latest: end}};
	});
}

const instantOf = ({eviction}: PodForecast, bound: 'earliest' | 'latest'): Instant => eviction?.[bound] ?? 0;
