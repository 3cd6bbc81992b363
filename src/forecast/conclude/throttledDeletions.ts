import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import type {Instant} from '../../core/time/instant.ts';
import {throttleDelayFor, throttledEnds} from '../observe/countdowns/deletionThrottleDelay.ts';
import type {PodForecast} from '../podForecast.ts';

/**
 * Widens the ranges of pods whose timers run out together by the line that they wait in.
 */
export function withThrottleDelays(
	forecasts: readonly PodForecast[],
	{kubeApiQps, kubeApiBurst}: Pick<ControllerSettings, 'kubeApiQps' | 'kubeApiBurst'>,
): readonly PodForecast[] {
	const line = forecasts.filter(isDue);
	if (throttleDelayFor(line.length, kubeApiQps, kubeApiBurst) === 0) return forecasts;
	const endsBy = (bound: 'earliest' | 'latest'): ReadonlyMap<Instant, Instant> => {
		const dueAt = [...Float64Array.from(line, (pod) => instantOf(pod, bound)).sort()];
		const ends = throttledEnds(dueAt, kubeApiQps, kubeApiBurst);
		// Those that are due at one instant join one line.
		return new Map(dueAt.map((at, index) => [at, ends[index] ?? at]));
	};
	const [byEarliest, byLatest] = [endsBy('earliest'), endsBy('latest')];
	return forecasts.map((pod) => {
		if (!isDue(pod) || !pod.eviction) return pod;
		const latest = instantOf(pod, 'latest');
		const end = Math.max(byEarliest.get(instantOf(pod, 'earliest')) ?? 0, byLatest.get(latest) ?? 0, latest);
		return end === latest ? pod : {...pod, eviction: {...pod.eviction, latest: end}};
	});
}

const isDue = ({verdict, eviction}: PodForecast): boolean =>
	verdict === 'Scheduled' && eviction?.latest != null;

const instantOf = ({eviction}: PodForecast, bound: 'earliest' | 'latest'): Instant => eviction?.[bound] ?? 0;
