import {expect, test} from 'vitest';
import {defaultSettings, settingsFor} from '../../../src/core/model/versionProfile.ts';
import {second} from '../../../src/core/time/instant.ts';
import {Forecaster} from '../../../src/forecast/forecaster.ts';
import {adoptZones} from '../../../src/forecast/infer/adoptedZones.ts';
import type {Hypothesis} from '../../../src/forecast/infer/hypothesis.ts';
import type {AffectedNodes} from '../../../src/forecast/observe/affectedNodes.ts';
import {keyOfZone} from '../../support/builders.ts';
import {ClientView} from '../../support/clientView.ts';
import {settingsOf} from '../../support/scenario/scenarioObjects.ts';
import {ScenarioPlayer} from '../../support/scenario/scenarioPlayer.ts';
import {aScenario, defaultConfig} from '../../support/scenarios.ts';
import {aWorld} from '../../support/simulations.ts';

const scenario = aScenario({
	config: {...defaultConfig, nodeEvictionRate: 0.1},
	nodes: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'].map((name) => ({name, createdAt: -3600})),
	pods: ['b', 'c'].map((node) => ({
		name: node,
		namespace: 'shop',
		node,
		tolerations: [{operator: 'Exists'}],
	})),
	steps: [
		...['a', 'b', 'c', 'd', 'e'].map((node) => ({at: 20, do: 'stop-kubelet', node}) as const),
		...['b', 'c'].map((node) => ({at: 75.2, do: 'delete-node', node}) as const),
	],
	until: 200,
});

/** By one look after two of the waiting nodes were deleted: by when the last of the others is said to be tainted, and when it is. */
function lastTaint(seed: number) {
	const settings = settingsOf(scenario.config, settingsFor('v1.36.3'));
	const player = new ScenarioPlayer(scenario, settings, seed);
	const now = 75.5 * second;
	player.advanceTo(now);
	const forecaster = new Forecaster(settings);
	forecaster.observeSnapshot(new ClientView(player.simulation).list());
	const told = forecaster.forecast(now).nodes.flatMap(({noExecute}) => noExecute?.latest ?? []);
	const taints = player
		.advanceTo(now + 60 * second)
		.filter(({effect}) => effect.type === 'taintAdded' && effect.taint.effect === 'NoExecute');
	return {told: Math.max(...told), happened: taints.at(-1)?.at ?? 0};
}

test.for([1, 2, 3, 4])(
	'nodes that were deleted while they waited may take their tokens before others, also if they were never seen, seed %i',
	(seed) => {
		const {told, happened} = lastTaint(seed);
		expect(happened).toBeGreaterThan(100 * second);
		expect(told).toBeGreaterThan(happened);
	},
);

test('where tokens come early, a deleted node takes none, however late all else is', () => {
	const now = 100 * second;
	const zone = keyOfZone('a');
	const affected = {
		...{nodes: [], returned: [], deleted: [], zonesLeft: new Map(), mayHaveCounted: []},
		...{others: new Map([[zone, {size: 5, notReady: 0}]]), evictionStarts: new Map(), traceless: new Set()},
		deletedWaiting: [{name: 'gone', zone: undefined, at: {lo: 0, hi: now}, since: 0}],
	} as unknown as AffectedNodes;
	const waiting = (tokenQuantile?: number) => {
		const {lifecycle} = aWorld().adoptControllers();
		const schedule = {nextPass: now + second, period: 5 * second, idlePeriod: 5 * second, firstPass: 0};
		const late = {schedule, quantile: 1, noExecuteAt: 'beforePass', tokenQuantile} as unknown as Hypothesis;
		adoptZones(lifecycle, late, affected, defaultSettings, now);
		return lifecycle.zones.queue(zone)?.values;
	};
	expect(waiting()).toEqual(['gone']);
	expect(waiting(0)).toEqual([]);
});
