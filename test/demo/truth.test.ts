import {expect, test} from 'vitest';
import {minute} from '../../src/core/time/instant.ts';
import {largeCluster, scenarios} from '../../src/demo/world/scenarios.ts';
import {isDeep, playCase, seedsOf} from '../support/drawn.ts';
import {playScenario} from './truth/playScenario.ts';

/** Slow scenarios are played with fewer seeds, and not to their end; a quick run ends once pods were evicted. */
const large: Readonly<Record<string, {readonly count: number; readonly minutes: number}>> = {
	'partial-large-zone': {count: 3, minutes: 10},
	'large-cluster': {count: 2, minutes: 5},
};

// Kubelet evictions have their own test.
const plays = scenarios
	.filter(({name}) => name !== 'node-pressure')
	.flatMap((each) => {
		const {count, minutes} = large[each.name] ?? {count: 5, minutes: isDeep ? 13 : 9};
		// Five thousand nodes follow the same rules, but take a minute.
		const scenario = each.name === 'large-cluster' ? largeCluster(100) : each;
		const drawn = {suite: 'demo', kind: each.name, count};
		return seedsOf(drawn).map((seed) => ({scenario, minutes, drawn: {...drawn, seed}}));
	});

for (const {scenario, minutes, drawn} of plays) {
	test(`${scenario.name} ${drawn.seed}: what forecasts say comes true`, () => {
		const claims = playCase(drawn, (seed) => playScenario(scenario, seed, minutes * minute));
		expect(claims.counts.deletions).toBeGreaterThan(0);
		expect(claims.counts.judged).toBeGreaterThan(0);
		expect(claims.faults).toEqual([]);
	});
}
