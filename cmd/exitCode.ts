import type {PodForecast, PodVerdict} from '../src/forecast/podForecast.ts';

const evicts: readonly PodVerdict[] = ['Scheduled', 'Expected', 'Overdue'];

/**
 * The exit code that `--exit-code` asks for: 2 where an eviction is to come, 1 where too little can be seen to tell,
 * else 0.
 */
export function exitCodeOf(pods: readonly PodForecast[]): number {
	const verdicts = pods.map(({verdict}) => verdict);
	if (verdicts.some((verdict) => evicts.includes(verdict))) return 2;
	return verdicts.includes('Unsure') ? 1 : 0;
}
