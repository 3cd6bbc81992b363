import {expect, test} from 'vitest';
import {defaultSettings} from '../../../src/core/model/versionProfile.ts';
import {minute, second} from '../../../src/core/time/instant.ts';
import {Forecaster} from '../../../src/forecast/forecaster.ts';
import {tokensBetween} from '../../../src/forecast/simulate/chance.ts';
import {ClientView} from '../../support/clientView.ts';
import type {ScenarioStep} from '../../support/scenario/scenario.ts';
import {settingsOf} from '../../support/scenario/scenarioObjects.ts';
import {ScenarioPlayer} from '../../support/scenario/scenarioPlayer.ts';
import {aScenario, defaultConfig} from '../../support/scenarios.ts';

const unready = (at: number, node: string): ScenarioStep => ({
	...{at, do: 'set-condition', node},
	condition: {type: 'Ready', status: 'False'},
});
const stop = (at: number, node: string): ScenarioStep => ({at, do: 'stop-kubelet', node});
const leasePhases = [8.1, 3.3, 6.6, 6.4, 4.2, 3.1, 9.8, 0.2];
const scenario = aScenario({
	config: {
		...{...defaultConfig, nodeMonitorPeriod: 10, nodeMonitorGracePeriod: 40},
		...{largeClusterSizeThreshold: 5, unhealthyZoneThreshold: 0.3},
	},
	nodes: leasePhases.map((leasePhase, index) => ({name: `b${index}`, createdAt: -3600, leasePhase})),
	steps: [
		...[stop(153.35, 'b4'), unready(164.96, 'b1'), unready(209.43, 'b0'), stop(258.47, 'b2')],
		...[stop(258.54, 'b0'), stop(258.79, 'b6'), stop(258.93, 'b1'), stop(259.3, 'b5'), stop(260.29, 'b3')],
	],
});

test('a node may turn Unknown just before a token that comes later than at its earliest, and take it', () => {
	const settings = settingsOf(scenario.config, defaultSettings);
	const now = 283.3 * second;
	const late = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((seed) => {
		const player = new ScenarioPlayer(scenario, defaultSettings, seed);
		const view = new ClientView(player.simulation, () => 2 * minute);
		player.advanceTo(now);
		const forecaster = new Forecaster(settings);
		forecaster.observeSnapshot(view.list());
		const foretold = new Map(forecaster.forecast(now).nodes.map((node) => [node.name, node]));
		return player.advanceTo(now + 60 * second).flatMap(({at, effect}) => {
			if (effect.type !== 'taintAdded' || effect.taint.effect !== 'NoExecute') return [];
			const node = foretold.get(effect.node);
			if (node?.verdict !== 'Silent') return [];
			return [{node: node.name, earliest: node.noExecute?.earliest ?? Number.POSITIVE_INFINITY, at}];
		});
	});
	expect(late.length).toBeGreaterThan(0);
	expect(late.filter(({earliest, at}) => at < earliest - second)).toEqual([]);
});

test('each token of a zone comes between the ends of several runs, where several have it', () => {
	const run = (first: number, left: number) => ({
		waits: new Map([
			[
				'a',
				[
					{node: 'n1', joinedAt: 0, taintedAt: first},
					...Array.from({length: left}, (_, n) => ({node: `m${n}`, joinedAt: 0, taintedAt: undefined})),
				],
			],
		]),
		trajectory: {tokens: new Map([['a', {first: first + 100, every: 100}]])},
	});
	expect(tokensBetween('a', [run(5, 1), run(30, 2)])).toEqual([
		{lo: 5, hi: 30},
		{lo: 105, hi: 130},
	]);
	const stopped = {...run(5, 1), trajectory: {tokens: new Map()}};
	expect(tokensBetween('a', [stopped, run(30, 0)])).toEqual([{lo: 5, hi: 30}]);
	expect(tokensBetween('b', [run(5, 1)])).toEqual([]);
});
