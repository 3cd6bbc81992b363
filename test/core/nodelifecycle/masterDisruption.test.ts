import {expect, test} from 'vitest';
import {second} from '../../../src/core/time/instant.ts';
import {aCondition, aNode, aPod} from '../../support/builders.ts';
import {aHeartbeat, aWorld, story} from '../../support/simulations.ts';

const stateOf = (world: ReturnType<typeof aWorld>, zone: string) =>
	world.controllers?.lifecycle.zones.state(zone);

test('entering master disruption takes the NoExecute taints off the nodes as they were listed when the pass began', () => {
	// Marking the pods of n2 prolongs the pass: n1, which it detects as silent, is tainted before its end, and stays tainted.
	const pods = [
		aPod('victim', {nodeName: 'n1'}),
		...Array.from({length: 30}, (_, index) => aPod(`other-${index}`, {nodeName: 'n2'})),
	];
	const world = aWorld({
		nodes: [aNode('n1'), aNode('n2')],
		pods,
		settings: {kubeApiQps: 1, kubeApiBurst: 1, nodeEvictionRate: 0.001},
		process: {passDuration: 1, noExecuteCallsTakeTime: false},
	});
	world.startControllers();
	const seen = story(world.advanceTo(300 * second), /NoExecute|delete/);
	expect(stateOf(world, '')).toBe('FullDisruption');
	expect(seen.filter((line) => line.includes('NoExecute'))).toHaveLength(1);
	expect(seen.filter((line) => line.includes('delete')).length).toBeGreaterThan(0);
});

test('leaving it gives every node a fresh probe timestamp, which nodes that are Unknown already do not wait for', () => {
	const world = aWorld({nodes: ['n1', 'n2', 'n3'].map((name) => aNode(name)), process: {passDuration: 1}});
	world.startControllers();
	world.advanceTo(41 * second);
	world.editNode('n3', (node) => ({
		...node,
		conditions: [aCondition('Ready', 'False', {lastHeartbeatTime: 41 * second})],
	}));
	world.advanceTo(80 * second);
	expect(stateOf(world, '')).toBe('FullDisruption');
	const back = world.startKubelet('n2', aHeartbeat(81 * second), true);
	expect(story([...back, ...world.advanceTo(200 * second)], /n\d Ready|NoExecute/)).toEqual([
		'80 s: n2 Ready=True',
		'90.1 s: n1 +unreachable:NoExecute',
		'100.1 s: n3 +not-ready:NoExecute',
		'130.026 s: n3 Ready=Unknown',
		'130.026 s: n3 +unreachable:NoExecute',
		'130.026 s: n3 -not-ready:NoExecute',
	]);
});

test('the first NoExecute pass may find nodes that the first monitor pass has queued, but whose zone it has not judged yet: if all are down, one is tainted, or none', () => {
	const played = [1, 2, 3, 4].map((seed) => {
		const nodes = ['n1', 'n2'].map((name) =>
			aNode(name, {conditions: [aCondition('Ready', 'Unknown', {lastHeartbeatTime: 0})]}),
		);
		const world = aWorld({nodes, seed, process: {noExecuteCallsTakeTime: false, firstPassesMeet: true}});
		const seen = [...world.startControllers(), ...world.advanceTo(300 * second)];
		return story(seen, /NoExecute/).map((line) => line.replace(/n\d/, 'node'));
	});
	expect(new Set(played.map(String))).toEqual(new Set(['', '0 s: node +unreachable:NoExecute']));
});
