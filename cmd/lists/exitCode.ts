import {hidesPods, type Problem} from '../../src/core/model/problem.ts';
import {type PodForecast, willBeEvicted} from '../../src/forecast/podForecast.ts';

/**
 * The exit code that `--exit-code` asks for: 2 where an eviction is to come, 1 where too little can be seen to tell,
 * else 0. Pods that are held count as staying: nothing evicts them while evictions are stopped.
 */
export function exitCodeOf(pods: readonly PodForecast[], problems: readonly Problem[]): number {
	const verdicts = pods.map(({verdict}) => verdict);
	if (verdicts.some(willBeEvicted)) return 2;
	return verdicts.includes('Unsure') || problems.some(hidesPods) ? 1 : 0;
}
