import {expect, test} from 'vitest';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {second} from '../../../src/core/time/instant.ts';
import {Forecaster} from '../../../src/forecast/forecaster.ts';
import {ClientView} from '../../support/clientView.ts';
import {feed} from '../../support/feed.ts';
import {settingsOf} from '../../support/scenario/scenarioObjects.ts';
import {ScenarioPlayer} from '../../support/scenario/scenarioPlayer.ts';
import {aScenario, defaultConfig} from '../../support/scenarios.ts';

test('a node whose taint is taken off by hand waits from the next pass on', () => {
	const taint = {key: 'node.kubernetes.io/unreachable', effect: 'NoExecute'} as const;
	const scenario = aScenario({
		config: {...defaultConfig, nodeEvictionRate: 1.5},
		nodes: ['a', 'b', 'c', 'd'].map((name) => ({name, createdAt: -3600})),
		steps: [
			{at: 20, do: 'stop-kubelet', node: 'a'},
			{at: 120.5, do: 'remove-taint', node: 'a', taint},
		],
		until: 200,
	});
	const settings = settingsOf(scenario.config, settingsFor('v1.36.3'));
	const player = new ScenarioPlayer(scenario, settings, 1);
	const view = new ClientView(player.simulation);
	player.advanceTo(10 * second);
	const forecaster = new Forecaster(settings);
	forecaster.observeSnapshot(view.list());
	view.watch();
	const told: {readonly at: number; readonly latest: number}[] = [];
	let taintedAt = 0;
	for (let at = 10 * second; at <= 126 * second; at += 50) {
		const effects = player.advanceTo(at);
		taintedAt ||= effects.find((one) => one.effect.type === 'taintAdded' && one.at > 121 * second)?.at ?? 0;
		feed(forecaster, view.watch(), at);
		if (at <= 120.6 * second || taintedAt > 0 || at % 500 > 0) continue;
		const node = forecaster.forecast(at).nodes.find(({name}) => name === 'a');
		told.push({at, latest: node?.noExecute?.latest ?? 0});
	}
	expect(told.length).toBeGreaterThan(4);
	for (const {latest} of told) {
		expect(latest).toBeGreaterThanOrEqual(taintedAt);
		expect(latest).toBeLessThan(taintedAt + second);
	}
});
