import {expect, test} from 'vitest';
import {minute} from '../../src/core/time/instant.ts';
import {largeCluster, scenarios} from '../../src/demo/scenarios.ts';
import {playScenario} from './truth/playScenario.ts';

/** What takes the forecaster long is played with fewer seeds, and not to its end. */
const large: Readonly<Record<string, {readonly seeds: number; readonly minutes: number}>> = {
	'partial-large-zone': {seeds: 3, minutes: 10},
	'large-cluster': {seeds: 2, minutes: 5},
};

// Kubelets delete nothing: what is said of them has a test of its own.
const plays = scenarios
	.filter(({name}) => name !== 'node-pressure')
	.flatMap((each) => {
		const {seeds, minutes} = large[each.name] ?? {seeds: 5, minutes: 13};
		// Five thousand nodes follow the same rules, and take a minute.
		const scenario = each.name === 'large-cluster' ? largeCluster(100) : each;
		return Array.from({length: seeds}, (_, index) => ({scenario, seed: index + 1, minutes}));
	});

for (const {scenario, seed, minutes} of plays) {
	test(`${scenario.name} ${seed}: what forecasts say comes true`, () => {
		const claims = playScenario(scenario, seed, minutes * minute);
		expect(claims.counts.deletions).toBeGreaterThan(0);
		expect(claims.counts.judged).toBeGreaterThan(0);
		expect(claims.faults).toEqual([]);
	}, 60_000);
}
