import {expect, test} from 'vitest';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {second} from '../../../src/core/time/instant.ts';
import {TrajectoryRecorder} from '../../../src/forecast/simulate/trajectoryRecorder.ts';
import {settingsOf} from '../../support/scenario/scenarioObjects.ts';
import {ScenarioPlayer} from '../../support/scenario/scenarioPlayer.ts';
import {defaultConfig} from '../../support/scenarios.ts';
import {nodesIn, stopKubelets} from '../explain/scene.ts';

/** When node a0's timeout ends, in seconds, by a record from 72 s on; all nodes fail at 20 s, and one returns. */
function dueOf(podEvictionTimeout: number, backAt: number, {count = 2, until = 205} = {}): number {
	const nodes = nodesIn('a', count);
	const defaults = settingsFor('v1.16.15');
	const config = {...defaultConfig, taintBasedEvictions: false, podEvictionTimeout};
	const player = new ScenarioPlayer(
		{
			...{name: 'all die', config, nodes, pods: [], until},
			...{monitorPassDuration: 0.001, leaseRenewInterval: 10, nodeStatusReportInterval: 300},
			steps: [
				...stopKubelets(20, ...nodes.map(({name}) => name)),
				{at: backAt, do: 'start-kubelet', node: 'a1'},
			],
		},
		defaults,
	);
	player.advanceTo(72 * second);
	const recorder = new TrajectoryRecorder(player.simulation, settingsOf(config, defaults));
	recorder.take(player.advanceTo(until * second), false);
	return (recorder.finish(undefined).due.get('a0') ?? 0) / second;
}

test('without taints, the time of a node that waits when not all zones are down any more is that of before', () => {
	expect(dueOf(60, 150)).toBeLessThan(90);
	// Three of four down: their zone is stopped, and they still wait.
	expect(dueOf(60, 150, {count: 4})).toBeLessThan(90);
});

test('without taints, the time of a node that does not wait yet begins anew then', () => {
	for (const until of [150, 205]) expect(dueOf(100, 100, {until})).toBeCloseTo(200, 0);
});

test('a status that a kubelet posts does not date the pass that changes a zone', () => {
	const player = new ScenarioPlayer(
		{
			...{name: 'nothing happens', config: defaultConfig, nodes: nodesIn('a', 2), pods: [], until: 30},
			...{monitorPassDuration: 0.001, leaseRenewInterval: 10, nodeStatusReportInterval: 300, steps: []},
		},
		settingsFor('v1.36.3'),
	);
	const recorder = new TrajectoryRecorder(player.simulation, settingsFor('v1.36.3'));
	const turn = (status: 'True' | 'Unknown', at: number) =>
		recorder.take([{at, effect: {type: 'nodeCondition', node: 'a0', condition: 'Ready', status}}], false);
	turn('True', 3 * second);
	expect(recorder.turnedAt).toBeUndefined();
	turn('Unknown', 4 * second);
	expect(recorder.turnedAt).toBe(4 * second);
});
