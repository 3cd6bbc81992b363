import {setTimeout as sleep} from 'node:timers/promises';
import {second} from '../../../src/core/time/instant.ts';
import {Random} from '../../../src/core/time/random.ts';
import type {PodKinds} from '../../e2e/workload.ts';
import type {Experiment} from './laboratory.ts';

const longestToleration = 60;

/** An outage of one to four nodes, with flags drawn from a seed. The forecaster gets these flags. */
export function randomExperiment(seed: number, podKinds: PodKinds): Experiment {
	// Adjacent seeds produce similar first numbers.
	const random = new Random(seed * 7919);
	random.next();
	const between = (least: number, most: number) => least + Math.floor(random.next() * (most - least + 1));
	const oneOf = (...values: readonly number[]) => values[between(0, values.length - 1)] ?? 0;
	const drawn = {
		grace: between(20, 60),
		period: between(2, 10),
		rate: oneOf(0.05, 0.1, 0.2, 0.5, 1),
		secondary: oneOf(0.01, 0.05, 0.1),
		large: oneOf(2, 5, 50),
		unhealthy: oneOf(0.3, 0.55, 0.8),
	};
	const names = ['a-1', 'a-2', 'a-3', 'a-4', 'b-1', 'b-2', 'b-3', 'c-1'];
	const dying = names.toSorted(() => random.next() - 0.5).slice(0, between(1, 4));
	const pauses = dying.map(() => between(0, 6000));
	const returns = random.next() < 0.3 && dying.length > 1;
	const longest = drawn.grace + 3 * drawn.period + dying.length / drawn.rate + longestToleration + 10;
	return {
		name: `random-${String(seed).padStart(2, '0')}`,
		title: `Flags drawn at random, and ${dying.join(', ')} die${returns ? '; the first comes back' : ''}`,
		cluster: {layout: {a: 5, b: 4, c: 3}, podKinds, flags: flagsOf(drawn)},
		settings: {
			nodeMonitorGracePeriod: drawn.grace * second,
			nodeMonitorPeriod: drawn.period * second,
			nodeEvictionRate: drawn.rate,
			secondaryNodeEvictionRate: drawn.secondary,
			largeClusterSizeThreshold: drawn.large,
			unhealthyZoneThreshold: drawn.unhealthy,
		},
		play: async (laboratory) => {
			for (const [index, node] of dying.entries()) {
				laboratory.stop(node);
				await sleep(pauses[index] ?? 0);
			}
			if (returns) {
				await sleep((drawn.grace + 20) * second);
				await laboratory.start(...dying.slice(0, 1));
			}
			await laboratory.untilOver(longest * second);
		},
	};
}

type Drawn = Readonly<Record<'grace' | 'period' | 'rate' | 'secondary' | 'large' | 'unhealthy', number>>;

const flagsOf = ({grace, period, rate, secondary, large, unhealthy}: Drawn) => [
	`--node-monitor-grace-period=${grace}s`,
	`--node-monitor-period=${period}s`,
	`--node-eviction-rate=${rate}`,
	`--secondary-node-eviction-rate=${secondary}`,
	`--large-cluster-size-threshold=${large}`,
	`--unhealthy-zone-threshold=${unhealthy}`,
];
