import {expect, test} from 'vitest';
import {defaultSettings} from '../../../src/core/model/versionProfile.ts';
import {second} from '../../../src/core/time/instant.ts';
import type {Scenario} from '../../support/scenario/scenario.ts';
import {instantOf} from '../../support/scenario/scenarioObjects.ts';
import {ScenarioPlayer} from '../../support/scenario/scenarioPlayer.ts';
import {aScenario, defaultConfig} from '../../support/scenarios.ts';
import {story} from '../../support/simulations.ts';

function play(fields: Partial<Scenario>, until: number, pattern?: RegExp) {
	const player = new ScenarioPlayer(
		aScenario({nodes: [{name: 'n1'}, {name: 'n2'}], ...fields}),
		defaultSettings,
	);
	return {lines: story(player.advanceTo(until * second), pattern), state: player.simulation.state};
}

test('a cluster that is well stays so for hours', () => {
	expect(play({pods: [{name: 'web', node: 'n1'}]}, 4 * 3600).lines).toEqual([]);
});

test('a kubelet that stops falls silent after its last renewal', () => {
	const {lines} = play({steps: [{at: 60, do: 'stop-kubelet', node: 'n1'}]}, 200, /Ready/);
	// It renewed at 50.25 s, seen by the pass at 55.0143 s; 50 s later the next pass is at 105.0273 s, and takes one call.
	expect(lines).toEqual(['105.028 s: n1 Ready=Unknown']);
});

test('a kubelet that starts again posts Ready at once', () => {
	const steps: Scenario['steps'] = [
		{at: 10, do: 'stop-kubelet', node: 'n1'},
		{at: 150, do: 'start-kubelet', node: 'n1'},
	];
	expect(play({steps}, 200, /n1 Ready=True/).lines).toEqual(['150 s: n1 Ready=True']);
});

test('a silent node has a lease that it never renews; one that posts nothing has none', () => {
	const nodes: Scenario['nodes'] = [
		{name: 'n1', silent: true},
		{name: 'n2', ready: 'none', silent: true},
		{name: 'n3'},
	];
	const {state, lines} = play({nodes}, 100, /Ready=/);
	expect(['n1', 'n2'].map((name) => state.leaseRenewTime(name))).toEqual([0, undefined]);
	expect(lines.map((line) => line.replace(/^.* s: /, ''))).toEqual(['n1 Ready=Unknown', 'n2 Ready=Unknown']);
});

test('a node that is added renews and posts Ready from that instant', () => {
	const steps: Scenario['steps'] = [{at: 30, do: 'add-node', nodeSpec: {name: 'n3', ready: 'True'}}];
	const {state, lines} = play({steps}, 300);
	expect([state.node('n3')?.node.createdAt, lines]).toEqual([30 * second, []]);
});

test('a node that is added without status posts nothing and lives by its lease', () => {
	const steps: Scenario['steps'] = [{at: 30, do: 'add-node', nodeSpec: {name: 'n3', ready: 'none'}}];
	expect(play({steps}, 300, /n3 Ready/).lines).toEqual([]);
});

test('a node that is deleted takes its kubelet along, and leaves its pods', () => {
	const {state} = play(
		{pods: [{name: 'web', node: 'n1'}], steps: [{at: 5, do: 'delete-node', node: 'n1'}]},
		100,
	);
	expect([state.node('n1'), state.pod('default/web')?.nodeName]).toEqual([undefined, 'n1']);
});

test('users taint, cordon, label and set conditions', () => {
	const taint = {key: 'gpu', value: 'broken', effect: 'NoSchedule'} as const;
	const steps: Scenario['steps'] = [
		{at: 1, do: 'add-taint', node: 'n1', taint},
		{at: 2, do: 'remove-taint', node: 'n1', taint: {key: 'gpu', effect: 'NoSchedule'}},
		{at: 3, do: 'cordon', node: 'n1'},
		{at: 4, do: 'uncordon', node: 'n1'},
		{at: 5, do: 'set-condition', node: 'n1', condition: {type: 'MemoryPressure', status: 'True'}},
		{at: 6, do: 'set-labels', node: 'n1', labels: {team: 'shop'}},
		{at: 7, do: 'snapshot'},
	];
	const {lines, state} = play({steps}, 10);
	expect(lines).toEqual([
		'1 s: n1 +gpu=broken:NoSchedule',
		'2 s: n1 -gpu=broken:NoSchedule',
		'3.002 s: n1 +unschedulable:NoSchedule',
		'4.002 s: n1 -unschedulable:NoSchedule',
		'5 s: n1 MemoryPressure=True',
		'5.002 s: n1 +memory-pressure:NoSchedule',
	]);
	expect(state.node('n1')?.node.labels).toEqual({team: 'shop'});
});

test('pods come, change their tolerations and go', () => {
	const evict = {key: 'gpu', effect: 'NoExecute'} as const;
	const forNow = {key: 'gpu', operator: 'Exists', tolerationSeconds: 100};
	const steps: Scenario['steps'] = [
		{at: 1, do: 'add-taint', node: 'n1', taint: evict},
		{at: 2, do: 'add-pod', podSpec: {name: 'a', namespace: 'shop', node: 'n1', tolerations: [forNow]}},
		{at: 2, do: 'add-pod', podSpec: {name: 'b', namespace: 'shop', node: 'n1', tolerations: [forNow]}},
		{at: 3, do: 'set-tolerations', pod: 'shop/a'},
		{at: 4, do: 'delete-pod', pod: 'shop/b'},
		{at: 5, do: 'set-tolerations', pod: 'shop/nobody'},
	];
	expect(play({steps}, 200, /shop/).lines).toEqual([
		'3 s: cancel shop/a',
		'3.003 s: delete shop/a',
		'4 s: cancel shop/b',
	]);
});

test('controllers that stop forget everything', () => {
	const steps: Scenario['steps'] = [
		{at: 1, do: 'stop-kubelet', node: 'n1'},
		{at: 30, do: 'stop-controllers'},
		{at: 100, do: 'start-controllers'},
	];
	const {lines} = play({steps}, 300, /n1 Ready/);
	expect(Number.parseFloat(lines[0] ?? '')).toBeGreaterThan(150);
});

test('steps come in order of time, and what is due at the instant of a step happens before it', () => {
	const taint = (key: string) => ({key, effect: 'NoSchedule'}) as const;
	const steps: Scenario['steps'] = [
		{at: 2, do: 'add-taint', node: 'n1', taint: taint('late')},
		{at: 1, do: 'cordon', node: 'n1'},
		{at: 1.002, do: 'add-taint', node: 'n1', taint: taint('early')},
	];
	expect(play({steps}, 3).lines.map((line) => line.split('+')[1])).toEqual([
		'unschedulable:NoSchedule',
		'early:NoSchedule',
		'late:NoSchedule',
	]);
});

test("a scenario's clients are limited where it says so", () => {
	const limited = {...defaultConfig, kubeApiQps: 1, kubeApiBurst: 1};
	const steps: Scenario['steps'] = [{at: 5, do: 'cordon', node: 'n1'}];
	expect(play({config: limited, steps}, 30, /n1 \+/).lines).toEqual([
		'6.001 s: n1 +unschedulable:NoSchedule',
	]);
});

test('instants are whole nanoseconds, cut off', () => {
	expect(instantOf(1.0000000019, 0)).toBe(1000.000001);
	expect(instantOf(0.1, 500)).toBe(600);
});

test('a kubelet that runs at the start renews, and posts no status of its own', () => {
	const nodes: Scenario['nodes'] = [{name: 'n1', ready: 'False'}, {name: 'n2'}];
	expect(play({nodes}, 400, /Ready/).lines).toEqual([]);
});

test('a node that was added can stop and start like any other', () => {
	const steps: Scenario['steps'] = [
		{at: 1, do: 'add-node', nodeSpec: {name: 'n3'}},
		{at: 2, do: 'stop-kubelet', node: 'n3'},
		{at: 100, do: 'start-kubelet', node: 'n3'},
	];
	expect(play({steps}, 120, /n3 Ready=True/).lines).toEqual(['100 s: n3 Ready=True']);
});

test('a pod may be not ready from the start', () => {
	const pods: Scenario['pods'] = [
		{name: 'a', node: 'n1'},
		{name: 'b', node: 'n1', ready: false},
	];
	const {state} = play({pods}, 1);
	expect(['a', 'b'].map((name) => state.pod(`default/${name}`)?.ready)).toEqual(['True', 'False']);
});
