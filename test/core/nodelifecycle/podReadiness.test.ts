import {expect, test, vi} from 'vitest';
import type {Pod} from '../../../src/core/model/pod.ts';
import type {Simulation} from '../../../src/core/simulation/simulation.ts';
import {second} from '../../../src/core/time/instant.ts';
import {aCondition, aNode, aPod} from '../../support/builders.ts';
import {aWorld, story} from '../../support/simulations.ts';

/** Two nodes; n1 is silent, and becomes Unknown in the pass at 55 s. Its pods tolerate that. */
function turning(pods: readonly Pod[], parts: Parameters<typeof aWorld>[0] = {}): Simulation {
	const patient = pods.map((pod) => ({...pod, tolerations: [anything]}));
	const world = aWorld({nodes: [aNode('n1'), aNode('n2')], pods: patient, alive: ['n2'], ...parts});
	world.startControllers();
	world.advanceTo(54 * second);
	return world;
}

const anything = {key: '', operator: 'Exists', value: '', effect: ''};

test('the pods of a node that turns not ready are marked so in that pass, in the order of their names', () => {
	const world = turning([aPod('b'), aPod('a'), aPod('elsewhere', {nodeName: 'n2'})]);
	expect(story(world.advanceTo(55 * second), /shop/)).toEqual([
		'55 s: shop/a Ready=False',
		'55 s: shop/b Ready=False',
	]);
});

test.for([{taintBasedEvictions: true}, {taintBasedEvictions: false}])(
	'a pass asks for the pods of the nodes that turn, not for those of all nodes: %o',
	(settings) => {
		const world = turning([aPod('a'), aPod('elsewhere', {nodeName: 'n2'})], {settings});
		const asked = vi.spyOn(world.state, 'podsOnNode');
		world.advanceTo(55 * second);
		expect(asked.mock.calls).toEqual([['n1']]);
	},
);

test('each write waits for its call', () => {
	const world = turning([aPod('a'), aPod('b')], {process: {callDuration: 100}});
	expect(story(world.advanceTo(56 * second), /Ready=False/)).toEqual([
		'55.2 s: shop/a Ready=False',
		'55.3 s: shop/b Ready=False',
	]);
});

test('a pod that is not ready already, and one without a Ready condition, are left out', () => {
	const {ready: _, ...without} = aPod('silent');
	const world = turning([aPod('down', {ready: 'False'}), without, aPod('up')]);
	expect(story(world.advanceTo(55 * second), /shop/)).toEqual(['55 s: shop/up Ready=False']);
});

test('a pod that is gone when its turn comes is passed over', () => {
	const world = turning([aPod('a'), aPod('b')], {process: {callDuration: 100}});
	world.advanceTo(55_150);
	world.observe({type: 'podDeleted', namespace: 'shop', name: 'a'});
	expect(story(world.advanceTo(56 * second), /Ready=False/)).toEqual(['55.3 s: shop/b Ready=False']);
});

test('pods are not marked again while the node stays not ready', () => {
	const world = turning([aPod('a')]);
	world.advanceTo(56 * second);
	const pod = world.state.pod('shop/a');
	if (pod) world.observe({type: 'podApplied', pod: {...pod, ready: 'True'}});
	expect(story(world.advanceTo(90 * second), /shop/)).toEqual([]);
});

test.for([
	{name: 'a pod that comes to a node that is not ready is marked at once', nodeName: 'n1', want: 1},
	{name: 'a pod that comes to a node that is ready stays ready', nodeName: 'n2', want: 0},
	{name: 'a pod that is bound to no node stays as it is', nodeName: '', want: 0},
	{name: 'a pod of a node that nobody knows stays as it is', nodeName: 'n9', want: 0},
])('$name', ({nodeName, want}) => {
	const world = turning([]);
	world.advanceTo(56 * second);
	const seen = world.observe({type: 'podApplied', pod: aPod('late', {nodeName, tolerations: [anything]})});
	expect(story(seen, /Ready=False/)).toHaveLength(want);
});

test('a node that says itself that it is not ready has its pods marked by its kubelet, not from here', () => {
	const world = turning([aPod('a', {nodeName: 'n2'})]);
	world.editNode('n2', (node) => ({...node, conditions: [aCondition('Ready', 'False')]}));
	expect(story(world.advanceTo(80 * second), /Ready=False/)).toEqual([]);
});

test('pods that come one after another are all marked, however many', () => {
	const world = turning([]);
	world.advanceTo(56 * second);
	const marked = Array.from({length: 12}, (_, index) =>
		world.observe({type: 'podApplied', pod: aPod(`late-${index}`, {tolerations: [anything]})}),
	);
	expect(story(marked.flat(), /Ready=False/)).toHaveLength(12);
});

test('the events of a transition wait in the same line as its writes', () => {
	const world = turning([aPod('a'), aPod('b')], {settings: {kubeApiQps: 1, kubeApiBurst: 1}});
	// One call per second: 55 status, 56 the node's event, 57 pod a, 58 and 59 reads for taints, 60 the event of a, 61 pod b.
	expect(story(world.advanceTo(70 * second), /Ready/)).toEqual([
		'55 s: n1 Ready=Unknown',
		'57 s: shop/a Ready=False',
		'61 s: shop/b Ready=False',
	]);
});
