import {expect, test} from 'vitest';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {second} from '../../../src/core/time/instant.ts';
import {Forecaster} from '../../../src/forecast/forecaster.ts';
import {ClientView} from '../../support/clientView.ts';
import {settingsOf} from '../../support/scenario/scenarioObjects.ts';
import {ScenarioPlayer} from '../../support/scenario/scenarioPlayer.ts';
import {aScenario, defaultConfig} from '../../support/scenarios.ts';

const brief = {name: 'brief', node: 'a', tolerations: [{operator: 'Exists', tolerationSeconds: 5}]};

/** The pods of a dead node are deleted for a user's taint, and go on terminating; new controllers start at 76 s. */
const takeover = aScenario({
	config: {...defaultConfig, kubeApiQps: 20, kubeApiBurst: 30},
	monitorPassDuration: 0.001,
	nodes: ['a', 'b', 'c'].map((name) => ({name, createdAt: -3600, leasePhase: 0.2})),
	pods: Array.from({length: 60}, (_, index) => ({name: `fragile-${index}`, node: 'a'})),
	steps: [
		{at: 50, do: 'stop-kubelet', node: 'a'},
		{at: 60, do: 'add-taint', node: 'a', taint: {key: 'maintenance', effect: 'NoExecute'}},
		{at: 74, do: 'stop-controllers'},
		{at: 75, do: 'add-pod', podSpec: brief},
		{at: 76, do: 'start-controllers'},
	],
	until: 120,
});

test('new controllers delete pods again that are terminating, which delays other deletions', () => {
	const defaults = settingsFor('v1.36.3');
	const player = new ScenarioPlayer(takeover, defaults);
	const view = new ClientView(player.simulation);
	player.advanceTo(76 * second - 1);
	view.controllersStarted = 76 * second;
	player.advanceTo(78 * second);
	const forecaster = new Forecaster(settingsOf(takeover.config, defaults));
	forecaster.observeSnapshot(view.list());
	const brief = forecaster.forecast(78 * second).pods.find(({name}) => name === 'brief');
	const effects = player.advanceTo(takeover.until * second);
	const deletion = effects.find(({effect}) => effect.type === 'podDeleted' && effect.pod.endsWith('/brief'));
	const deletedAt = deletion?.at ?? 0;
	expect(deletedAt).toBeGreaterThan(82 * second);
	expect(brief?.verdict).toBe('Scheduled');
	expect(brief?.eviction?.earliest).toBeLessThanOrEqual(deletedAt);
	expect(brief?.eviction?.latest).toBeGreaterThanOrEqual(deletedAt);
	expect(brief?.eviction?.latest).toBeLessThan(125 * second);
});
