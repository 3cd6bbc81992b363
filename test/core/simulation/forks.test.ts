import {expect, test} from 'vitest';
import type {Simulation} from '../../../src/core/simulation/simulation.ts';
import {second} from '../../../src/core/time/instant.ts';
import {aNode, aPod, aTaint, tolerates} from '../../support/builders.ts';
import {aHeartbeat, aWorld, story} from '../../support/simulations.ts';

const unreachable = 'node.kubernetes.io/unreachable';
const names = ['a', 'b', 'c', 'd', 'e', 'f'];

/** An outage whose clients, with one call per second, take minutes; pods become due meanwhile. */
function slowOutage(): Simulation {
	const pods = names.map((name, index) =>
		aPod(name, {nodeName: index < 3 ? 'n1' : 'n2', tolerations: [tolerates(unreachable, 10 * index)]}),
	);
	const world = aWorld({
		nodes: [aNode('n1'), aNode('n2'), aNode('n3')],
		pods,
		alive: ['n3'],
		settings: {kubeApiQps: 1, kubeApiBurst: 1},
		process: {passDuration: 1},
		hasPodGc: true,
	});
	world.startControllers();
	return world;
}

const end = 200 * second;

test('a fork made at any instant of a throttled outage goes on as its original does', () => {
	const wanted = story(slowOutage().advanceTo(end));
	expect(wanted.filter((line) => line.includes('delete'))).toHaveLength(names.length);
	const world = slowOutage();
	const sofar: string[] = [];
	for (let at = 50 * second; at < 170 * second; at += 700) {
		sofar.push(...story(world.advanceTo(at)));
		expect([...sofar, ...story(world.fork().advanceTo(end))]).toEqual(wanted);
	}
	expect([...sofar, ...story(world.advanceTo(end))]).toEqual(wanted);
});

test('a line that a fork fills up does not hold up its original', () => {
	const wanted = story(slowOutage().advanceTo(end));
	const world = slowOutage();
	const sofar = story(world.advanceTo(57 * second));
	const fork = world.fork();
	for (const name of ['n1', 'n3']) fork.editNode(name, (node) => ({...node, unschedulable: true}));
	for (let at = 58 * second; at < 90 * second; at += second) {
		fork.advanceTo(at);
		sofar.push(...story(world.advanceTo(at)));
	}
	expect([...sofar, ...story(world.advanceTo(end))]).toEqual(wanted);
});

test('a fork tells the runs of its controllers apart as its original would', () => {
	const world = aWorld({pods: [aPod('web', {tolerations: [tolerates('gpu', 30)]})]});
	world.adoptControllers();
	world.observe({type: 'nodeApplied', node: aNode('n1', {taints: [aTaint('gpu')]})});
	const fork = world.fork();
	fork.adoptControllers();
	expect(story(fork.advanceTo(60 * second))).toEqual([]);
});

test('a fork tells the runs of its kubelets apart as its original would', () => {
	const world = aWorld({nodes: [aNode('n1')], alive: ['n1']});
	const fork = world.fork();
	fork.stopKubelet('n1');
	fork.startKubelet('n1', aHeartbeat(7 * second), false);
	fork.advanceTo(301 * second);
	expect(fork.state.node('n1')?.version).toBe(1);
});
