import {expect, test} from 'vitest';
import type {Node} from '../../../src/core/model/node.ts';
import {MonitorPass} from '../../../src/core/nodelifecycle/monitorPass.ts';
import type {ZoneState} from '../../../src/core/nodelifecycle/zones/zoneState.ts';
import {minute, second} from '../../../src/core/time/instant.ts';
import {aCondition, aNode, aPod, inZone, keyOfZone} from '../../support/builders.ts';
import {aWorld, story} from '../../support/simulations.ts';

/** A kubelet's posted status; `silent` is the controller's own Unknown, an hour old. */
type Post = 'ready' | 'silent' | 'nothing';

const hour = 60 * minute;

const conditionsOf = (post: Post, at: number): Node['conditions'] => {
	if (post === 'nothing') return [];
	return post === 'ready'
		? [aCondition('Ready', 'True', {lastHeartbeatTime: at})]
		: [aCondition('Ready', 'Unknown', {lastHeartbeatTime: 0})];
};

type ZonePosts = Readonly<Record<string, readonly Post[]>>;

const nodesOf = (
	zones: ZonePosts,
	labels: (zone: string, index: number) => Readonly<Record<string, string>>,
) =>
	Object.entries(zones).flatMap(([zone, posts]) =>
		posts.map((post, index) =>
			aNode(`${zone}${index}`, {
				createdAt: 0,
				labels: labels(zone, index),
				conditions: conditionsOf(post, 0),
			}),
		),
	);

/** The zones' states after a pass at the start and one an hour later, after the nodes have posted again. */
function statesOf(before: ZonePosts, after: ZonePosts, labels = inZone as Parameters<typeof nodesOf>[1]) {
	const world = aWorld({nodes: nodesOf(before, labels), settings: {nodeMonitorPeriod: hour}});
	const states = () =>
		Object.fromEntries(world.controllers?.lifecycle.zones.views.map(({zone, state}) => [zone, state]) ?? []);
	world.startControllers();
	const first = states();
	world.advanceTo(hour - 1);
	for (const [zone, posts] of Object.entries(after)) {
		for (const [index, post] of posts.entries()) {
			world.editNode(`${zone}${index}`, (node) => ({...node, conditions: conditionsOf(post, hour)}));
		}
	}
	world.advanceTo(hour);
	return [first, states()];
}

const [a, b] = [keyOfZone('a'), keyOfZone('b')];

test.for<{
	name: string;
	before: ZonePosts;
	after: ZonePosts;
	want: readonly [Readonly<Record<string, ZoneState>>, Readonly<Record<string, ZoneState>>];
}>([
	{
		name: 'both zones are down, one comes back',
		before: {a: ['silent'], b: ['silent']},
		after: {a: ['silent'], b: ['ready']},
		want: [
			{[a]: 'FullDisruption', [b]: 'FullDisruption'},
			{[a]: 'FullDisruption', [b]: 'Normal'},
		],
	},
	{
		name: 'young nodes that have posted nothing count as down; with one of four ready the zone is partial',
		before: {a: ['nothing', 'nothing', 'nothing', 'nothing']},
		after: {a: ['silent', 'silent', 'silent', 'ready']},
		want: [{[a]: 'FullDisruption'}, {[a]: 'PartialDisruption'}],
	},
	{
		name: 'the third of five nodes to fail takes the zone over the threshold',
		before: {a: ['silent', 'silent', 'ready', 'ready', 'ready']},
		after: {a: ['silent', 'silent', 'silent', 'ready', 'ready']},
		want: [{[a]: 'Normal'}, {[a]: 'PartialDisruption'}],
	},
	{
		name: 'two of three down is normal, and the last one makes it full',
		before: {a: ['silent', 'silent', 'ready']},
		after: {a: ['silent', 'silent', 'silent']},
		want: [{[a]: 'Normal'}, {[a]: 'FullDisruption'}],
	},
	{
		name: 'one zone is down and stays so while another works',
		before: {a: ['silent'], b: ['ready']},
		after: {a: ['silent'], b: ['ready']},
		want: [
			{[a]: 'FullDisruption', [b]: 'Normal'},
			{[a]: 'FullDisruption', [b]: 'Normal'},
		],
	},
	{
		name: 'all zones are down and stay so',
		before: {a: ['silent'], b: ['silent']},
		after: {a: ['silent'], b: ['silent']},
		want: [
			{[a]: 'FullDisruption', [b]: 'FullDisruption'},
			{[a]: 'FullDisruption', [b]: 'FullDisruption'},
		],
	},
	{
		name: 'a node whose Ready condition was taken away is down',
		before: {a: ['ready']},
		after: {a: ['nothing']},
		want: [{[a]: 'Normal'}, {[a]: 'FullDisruption'}],
	},
])('$name', ({before, after, want}) => {
	expect(statesOf(before, after)).toEqual(want);
});

test('nodes without labels make a zone of their own', () => {
	expect(statesOf({n: ['ready']}, {n: ['ready']}, () => ({}))).toEqual([{'': 'Normal'}, {'': 'Normal'}]);
});

test('a zone whose only ready node is excluded from the count is down', () => {
	const labels = (zone: string, index: number): Record<string, string> =>
		index === 0 ? inZone(zone) : {...inZone(zone), 'node.kubernetes.io/exclude-disruption': ''};
	expect(statesOf({a: ['silent', 'ready']}, {a: ['silent', 'ready']}, labels)).toEqual([
		{[a]: 'FullDisruption'},
		{[a]: 'FullDisruption'},
	]);
});

test('a pass hands out each node once and ends with its last worker', () => {
	const seen = ['n1', 'n2'].map((name) => ({node: aNode(name), version: 1}));
	const pass = new MonitorPass(seen, new Map(), 2, 0);
	expect([pass.left, pass.take(), pass.take(), pass.take(), pass.left]).toEqual([2, ...seen, undefined, 0]);
	expect([pass.workerEnds(), pass.workerEnds()]).toEqual([false, true]);
});

test('a pass counts the nodes it looks at on top of those it is told of', () => {
	const pass = new MonitorPass([], new Map([['a', {size: 10, notReady: 1}]]), 1, 0);
	pass.count('a', 'Unknown');
	pass.count('b', 'True');
	const fork = pass.fork();
	fork.count('b', undefined);
	expect([...pass.counts]).toEqual([
		['a', {size: 11, notReady: 2}],
		['b', {size: 1, notReady: 0}],
	]);
	expect(fork.counts.get('b')).toEqual({size: 2, notReady: 1});
});

test('a zone that grows while it is partially disrupted keeps its rate', () => {
	const world = aWorld({
		nodes: nodesOf({a: ['silent', 'silent', 'silent', 'ready']}, inZone),
		settings: {nodeMonitorPeriod: hour, largeClusterSizeThreshold: 4},
	});
	world.startControllers();
	world.advanceTo(hour - 1);
	for (const node of nodesOf({a: ['silent', 'silent', 'silent', 'ready', 'ready']}, inZone))
		world.observe({type: 'nodeApplied', node: {...node, createdAt: hour}});
	world.editNode('a4', (node) => ({...node, conditions: conditionsOf('ready', hour)}));
	world.editNode('a3', (node) => ({...node, conditions: conditionsOf('ready', hour)}));
	world.advanceTo(hour);
	const [view] = world.controllers?.lifecycle.zones.views ?? [];
	expect(view).toMatchObject({state: 'PartialDisruption', size: 5, notReady: 3, qps: 1});
});

test('a pass can be put under way: pods to mark, calls in the line, events that wait, nodes still to look at', () => {
	const pods = ['a', 'b', 'c'].map((name) => aPod(name));
	const silent = aNode('n2', {conditions: conditionsOf('silent', 0)});
	const world = aWorld({
		nodes: [aNode('n1', {conditions: conditionsOf('silent', 0)}), silent],
		pods,
		settings: {kubeApiQps: 1, kubeApiBurst: 1},
	});
	const {lifecycle} = world.adoptControllers();
	const counted = new Map([['', {size: 1, notReady: 1}]]);
	const pass = new MonitorPass([{node: silent, version: 1}], counted, 8, 0);
	lifecycle.adoptPass(pass, [pods], -2, 1, 0);
	lifecycle.startPasses(undefined, 100);
	// Two calls are queued already, then the event at 3 s; each pod follows the event of the previous one.
	expect(story(world.advanceTo(20 * second), /Ready=False/)).toEqual([
		'4 s: shop/a Ready=False',
		'6 s: shop/b Ready=False',
		'8 s: shop/c Ready=False',
	]);
	expect(lifecycle.pass).toBeUndefined();
	expect(lifecycle.zones.views).toMatchObject([{state: 'FullDisruption', size: 2, notReady: 2}]);
});
