import {hidesPods, type Problem} from '../../src/core/model/problem.ts';
import {type PodForecast, willBeEvicted} from '../../src/forecast/podForecast.ts';

/**
 * The exit code for `--exit-code`: 2 if an eviction will come, 1 if too little can be seen to tell, else 0. Held pods
 * count as staying.
 */
export function exitCodeOf(pods: readonly PodForecast[], problems: readonly Problem[]): number {
	const verdicts = pods.map(({verdict}) => verdict);
	if (verdicts.some(willBeEvicted)) return 2;
	return verdicts.includes('Unsure') || problems.some(hidesPods) ? 1 : 0;
}
