import {expect, test} from 'vitest';
import {type Instant, second} from '../../../src/core/time/instant.ts';
import {aCondition, aNode, aPod, aTaint, tolerates} from '../../support/builders.ts';
import {aHeartbeat, aWorld, story} from '../../support/simulations.ts';

const unreachable = 'node.kubernetes.io/unreachable';
const notReady = 'node.kubernetes.io/not-ready';
const patient = aPod('web', {tolerations: [tolerates(unreachable, 300), tolerates(notReady, 300)]});
const dead = {conditions: [aCondition('Ready', 'Unknown')]};

/** Five nodes of one zone, n1 silent; passes take a millisecond, so that they do not coincide with the queue's. */
const aZone = (parts: Parameters<typeof aWorld>[0] = {}) =>
	aWorld({
		nodes: ['n1', 'n2', 'n3', 'n4', 'n5'].map((name) => aNode(name)),
		pods: [patient],
		alive: ['n2', 'n3', 'n4', 'n5'],
		process: {passDuration: 1},
		...parts,
	});

function play(world: ReturnType<typeof aWorld>, until: Instant, pattern?: RegExp): string[] {
	return story([...world.startControllers(), ...world.advanceTo(until)], pattern);
}

test('a node that falls silent turns Unknown, is tainted, and loses its pods', () => {
	expect(play(aZone(), 400 * second, /Ready|NoSchedule|NoExecute|delete/)).toEqual([
		'50.01 s: n1 Ready=Unknown',
		'50.01 s: shop/web Ready=False',
		'50.01 s: n1 +unreachable:NoSchedule',
		'50.1 s: n1 +unreachable:NoExecute',
		'350.1 s: delete shop/web',
	]);
});

test("since v1.34 a node whose turn to Unknown the controller's cache does not show yet is taken for ready, and costs a token", () => {
	const process = {passDuration: 1, cacheDelay: 100};
	expect(play(aZone({process}), 100 * second, /Ready=Unk|NoExecute/)).toEqual([
		'50.01 s: n1 Ready=Unknown',
		// It is queued again in the next pass, and waits for the next token.
		'60.1 s: n1 +unreachable:NoExecute',
	]);
});

test('a node that comes back loses its taints in the next pass, and the eviction is cancelled', () => {
	const world = aZone();
	play(world, 100 * second);
	const back = world.startKubelet('n1', aHeartbeat(100 * second), true);
	expect(story([...back, ...world.advanceTo(600 * second)], /Ready|NoExecute|delete|cancel/)).toEqual([
		'100 s: n1 Ready=True',
		'100.02 s: n1 -unreachable:NoExecute',
		'100.02 s: cancel shop/web',
	]);
});

test('a node that says that it is not ready gets no grace', () => {
	const world = aZone({alive: ['n1', 'n2', 'n3', 'n4', 'n5']});
	play(world, 12 * second);
	world.editNode('n1', (node) => ({...node, conditions: [aCondition('Ready', 'False')]}));
	expect(story(world.advanceTo(100 * second), /NoExecute/)).toEqual(['15.1 s: n1 +not-ready:NoExecute']);
});

test('between not ready and unreachable the taint is swapped in the pass, past the queue', () => {
	const world = aZone({
		nodes: ['n1', 'n2', 'n3'].map((name) =>
			aNode(name, name === 'n1' ? {conditions: [aCondition('Ready', 'False')]} : {}),
		),
		alive: ['n2', 'n3'],
	});
	expect(play(world, 100 * second, /NoExecute/)).toEqual([
		'0.1 s: n1 +not-ready:NoExecute',
		'50.01 s: n1 +unreachable:NoExecute',
		'50.01 s: n1 -not-ready:NoExecute',
	]);
});

test('nodes that die together are tainted one by one, at the rate of their zone', () => {
	const nodes = ['n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7'].map((name) => aNode(name));
	const world = aZone({nodes, alive: ['n4', 'n5', 'n6', 'n7']});
	const times = play(world, 200 * second, /NoExecute/).map((line) => line.split(' ')[0]);
	expect(times).toEqual(['50.1', '60.1', '70.1']);
});

test('a taint that somebody takes off a dead node comes back', () => {
	const world = aZone();
	play(world, 100 * second);
	const removal = world.editNode('n1', (node) => ({
		...node,
		taints: node.taints.filter(({effect}) => effect !== 'NoExecute'),
	}));
	expect(story([...removal, ...world.advanceTo(200 * second)], /NoExecute/)).toEqual([
		'100 s: n1 -unreachable:NoExecute',
		'100.1 s: n1 +unreachable:NoExecute',
	]);
});

test('a node that is deleted while it waits costs a token and nothing else', () => {
	const nodes = ['n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7'].map((name) => aNode(name));
	const world = aZone({nodes, alive: ['n4', 'n5', 'n6', 'n7']});
	play(world, 55 * second);
	const waiting = world.controllers?.lifecycle.zones.queue('')?.values ?? [];
	for (const name of waiting) world.observe({type: 'nodeDeleted', name});
	expect(waiting).toHaveLength(2);
	expect(story(world.advanceTo(200 * second), /NoExecute/)).toEqual([]);
	expect(world.controllers?.lifecycle.zones.queue('')?.size).toBe(0);
});

test('a node that never posts status turns Unknown after its startup grace', () => {
	const world = aZone();
	play(world, 10 * second);
	world.observe({type: 'nodeApplied', node: aNode('n6', {createdAt: 10 * second, conditions: []})});
	expect(story(world.advanceTo(100 * second), /n6 (Ready|.*NoExecute)/)).toEqual([
		'70.014 s: n6 Ready=Unknown',
		'70.1 s: n6 +unreachable:NoExecute',
	]);
});

test('a start of the controller takes the NoExecute taints off all nodes, so every countdown starts again', () => {
	const tainted = aNode('n1', {...dead, taints: [aTaint(unreachable, {timeAdded: -200 * second})]});
	const world = aZone({nodes: [tainted, ...['n2', 'n3', 'n4', 'n5'].map((name) => aNode(name))]});
	expect(play(world, 400 * second, /NoExecute|delete/)).toEqual([
		'0 s: n1 -unreachable:NoExecute',
		'0.1 s: n1 +unreachable:NoExecute',
		'300.1 s: delete shop/web',
	]);
});

test('until 1.33 the condition that the pass found decides, so a node is queued one pass after it turned Unknown', () => {
	expect(play(aZone({settings: {queuesInPassOfTransition: false}}), 100 * second, /Ready|NoExecute/)).toEqual(
		['50.01 s: n1 Ready=Unknown', '50.01 s: shop/web Ready=False', '55.1 s: n1 +unreachable:NoExecute'],
	);
});

test('a controller that stops does nothing more, and a new one has no memory of it', () => {
	const world = aZone();
	play(world, 30 * second);
	world.stopControllers();
	expect(story(world.advanceTo(100 * second), /NoExecute|Unknown/)).toEqual([]);
	expect(story([...world.startControllers(), ...world.advanceTo(160 * second)], /Ready=Unknown/)).toEqual([
		'150.01 s: n1 Ready=Unknown',
	]);
});

test('labels of old names are brought in line with the stable ones', () => {
	const world = aWorld({nodes: [aNode('n1', {labels: {'kubernetes.io/os': 'linux'}})], alive: ['n1']});
	expect(play(world, 60 * second)).toEqual(['0 s: n1 labels']);
	expect(world.state.node('n1')?.node.labels).toEqual({
		'kubernetes.io/os': 'linux',
		'beta.kubernetes.io/os': 'linux',
	});
});

test.for([
	{name: 'a node that is registered', when: 0, from: 3, want: ['6 s: n1 +unschedulable:NoSchedule']},
	{name: 'a node that is removed', when: 20, from: 20, want: ['24.004 s: n1 +unschedulable:NoSchedule']},
])('$name costs an event, for which other calls wait', ({when, from, want}) => {
	const world = aZone({settings: {kubeApiQps: 1, kubeApiBurst: 1}});
	play(world, when * second);
	if (when > 0) for (const name of ['n2', 'n3', 'n4']) world.observe({type: 'nodeDeleted', name});
	world.advanceTo(from * second + 500);
	world.editNode('n1', (node) => ({...node, unschedulable: true}));
	expect(story(world.advanceTo(60 * second), /unschedulable/)).toEqual(want);
});
