import {expect, test} from 'vitest';
import {minute} from '../../src/core/time/instant.ts';
import {scenarios} from '../../src/demo/scenarios.ts';
import {playScenario} from './truth/playScenario.ts';

/** What takes the forecaster long is played with fewer seeds, and not to its end. */
const large: Readonly<Record<string, {readonly seeds: number; readonly minutes: number}>> = {
	'partial-large-zone': {seeds: 3, minutes: 10},
	'large-cluster': {seeds: 2, minutes: 5},
};

/** Forecasts known to be wrong, by scenario and seed. */
const knownFaults: Readonly<Record<string, string>> = {
	'all-zones-down 1':
		'a taint written again with a new time hides the timer that runs since the first; queues end 2 s late after the release',
	'all-zones-down 4': 'after the release of all zones, queues end 2 s later than said',
	'partial-large-zone 1': 'while a zone turns partially disrupted, one more node is tainted than said',
	'partial-large-zone 2': 'while a zone turns partially disrupted, one more node is tainted than said',
	'partial-large-zone 3':
		'while a zone turns partially disrupted, one more node is tainted than said; a taint written again hides the timer',
	'large-cluster 1': 'while a zone turns partially, then fully disrupted, more nodes are tainted than said',
	'large-cluster 2':
		'while a zone turns partially, then fully disrupted, more nodes are tainted than said; a taint written again hides the timer',
};

const plays = scenarios.flatMap((scenario) => {
	const {seeds, minutes} = large[scenario.name] ?? {seeds: 5, minutes: 13};
	return Array.from({length: seeds}, (_, index) => ({scenario, seed: index + 1, minutes}));
});

for (const {scenario, seed, minutes} of plays) {
	const title = `${scenario.name} ${seed}`;
	const reason = knownFaults[title];
	const check = reason === undefined ? test : test.fails;
	check(
		`${title}: what forecasts say comes true${reason ? ` (not yet: ${reason})` : ''}`,
		() => {
			const claims = playScenario(scenario, seed, minutes * minute);
			expect(claims.counts.deletions).toBeGreaterThan(0);
			expect(claims.counts.judged).toBeGreaterThan(0);
			expect(claims.faults).toEqual([]);
		},
		60_000,
	);
}
