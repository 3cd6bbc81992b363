import {expect, test} from 'vitest';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {Forecaster} from '../../../src/forecast/forecaster.ts';
import {ClientView} from '../../support/clientView.ts';
import {settingsOf} from '../../support/scenario/scenarioObjects.ts';
import {ScenarioPlayer} from '../../support/scenario/scenarioPlayer.ts';
import {aScenario} from '../../support/scenarios.ts';

test('a pod that the forecast holds, and that goes once another node is back, is not said to be held as before', () => {
	const phases = {a0: 0.3217, a1: 7.9527, a2: 4.6887, a3: 9.0747, b0: 9.3097, b1: 9.3137};
	const tolerations = ['not-ready', 'unreachable'].map((key) => ({
		...{key: `node.kubernetes.io/${key}`, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 10},
	}));
	const scenario = aScenario({
		monitorPassDuration: 0.018,
		nodes: Object.entries(phases).map(([name, leasePhase]) => ({
			...{name, leasePhase, createdAt: -3600},
			labels: {'topology.kubernetes.io/zone': name.slice(0, 1)},
		})),
		pods: [{name: 'web', node: 'a2', tolerations}],
		// The third of four, which stops its zone, becomes silent last.
		steps: [
			{at: 34.8015, do: 'stop-kubelet', node: 'a0'},
			{at: 36.0625, do: 'stop-kubelet', node: 'a1'},
			{at: 40.5632, do: 'stop-kubelet', node: 'a2'},
		],
	});
	const defaults = settingsFor('v1.36.3');
	const settings = settingsOf(scenario.config, defaults);
	const player = new ScenarioPlayer(scenario, defaults, 214);
	const view = new ClientView(player.simulation);
	const now = 75_505;
	player.advanceTo(now);
	view.controllersStarted = 0;
	const forecaster = new Forecaster(settings);
	forecaster.observeSnapshot(view.list());
	expect(forecaster.forecast(now).pods).toMatchObject([{name: 'web', verdict: 'Held', eviction: null}]);
	const {pods} = forecaster.whatIf([{type: 'nodeBack', node: 'a1', at: 133_174}], now);
	// It is random whether it is tainted before its zone stops, or once that evicts again: it is evicted in both cases.
	expect(pods).toMatchObject([{effect: 'added', after: {verdict: 'Expected'}}]);
	const {earliest, latest} = pods[0]?.after.eviction ?? {};
	expect(earliest).toBeLessThan(155_503);
	expect(latest).toBeGreaterThan(155_503);
});
