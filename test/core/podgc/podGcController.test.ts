import {expect, test} from 'vitest';
import type {Pod} from '../../../src/core/model/pod.ts';
import {second} from '../../../src/core/time/instant.ts';
import {aCondition, aNode, aPod, aTaint, tolerates} from '../../support/builders.ts';
import {aWorld, story} from '../../support/simulations.ts';

type Parts = Parameters<typeof aWorld>[0];

/** A cluster with a collector whose passes are at 0 s, 20 s, 40 s, ...; returns the forced deletions. */
function aCollector(parts: Parts) {
	const world = aWorld({hasPodGc: true, ...parts});
	const removed = (effects: Parameters<typeof story>[0]) => story(effects, /force-delete/);
	const started = removed(world.startControllers());
	return {
		world,
		started,
		/** The deletions up to an instant, in seconds. */
		until: (seconds: number) => removed(world.advanceTo(seconds * second)),
	};
}

const going = {deletionTimestamp: 0};
const fenced = aNode('n1', {
	conditions: [aCondition('Ready', 'False')],
	taints: [aTaint('node.kubernetes.io/out-of-service')],
});

test('nothing happens to pods whose nodes are there', () => {
	const {until} = aCollector({nodes: [aNode('n1')], pods: [aPod('web')], alive: ['n1']});
	expect(until(300)).toEqual([]);
});

test('a pod of a node that is gone from the start goes 40 s after the first pass', () => {
	const {until, world} = aCollector({pods: [aPod('web')]});
	expect(until(39.9)).toEqual([]);
	expect(until(40)).toEqual(['40 s: force-delete shop/web']);
	expect(world.state.pods.size).toBe(0);
});

test.for([
	{deletedAt: 1, want: 60},
	{deletedAt: 19.9, want: 60},
	{deletedAt: 20.1, want: 80},
	{deletedAt: 39, want: 80},
])('a node deleted at $deletedAt s loses its pods at $want s: from the next pass on, two periods', (one) => {
	const {until, world} = aCollector({nodes: [aNode('n1')], pods: [aPod('web')], alive: ['n1']});
	until(one.deletedAt);
	world.observe({type: 'nodeDeleted', name: 'n1'});
	expect(until(300)).toEqual([`${one.want} s: force-delete shop/web`]);
});

test('a pod that tolerates everything, of a kubelet that is dead, vanishes as well', () => {
	const pod = aPod('agent', {tolerations: [tolerates('')], owner: {kind: 'DaemonSet', name: 'a', uid: 'u'}});
	const {until, world} = aCollector({pods: [pod]});
	expect(until(60)).toEqual(['40 s: force-delete shop/agent']);
	expect(world.state.pod('shop/agent')).toBeUndefined();
});

test('a node that shows up again within the quarantine saves its pods', () => {
	const {until, world} = aCollector({pods: [aPod('web')]});
	until(30);
	world.observe({type: 'nodeApplied', node: aNode('n1')});
	world.startKubelet(
		'n1',
		{firstRenewalAt: 30_000, renewInterval: 10_000, statusInterval: 300_000, hasLease: true},
		true,
	);
	expect(until(300)).toEqual([]);
});

test('a node that comes back and goes again within its quarantine is given no new one', () => {
	const {until, world} = aCollector({pods: [aPod('web')]});
	until(10);
	world.observe({type: 'nodeApplied', node: aNode('n1')});
	until(35);
	world.observe({type: 'nodeDeleted', name: 'n1'});
	expect(until(300)).toEqual(['40 s: force-delete shop/web']);
});

test('a node that is back when its quarantine ends is forgotten, and gets a new one', () => {
	const {until, world} = aCollector({pods: [aPod('web')]});
	until(30);
	world.observe({type: 'nodeApplied', node: aNode('n1')});
	until(45);
	world.observe({type: 'nodeDeleted', name: 'n1'});
	expect(until(300)).toEqual(['100 s: force-delete shop/web']);
});

test('a pod that comes late to a node that is gone shares the quarantine that runs for it', () => {
	const {until, world} = aCollector({pods: [aPod('a')]});
	until(39);
	world.observe({type: 'podApplied', pod: aPod('b')});
	expect(until(300)).toEqual(['40 s: force-delete shop/a', '40 s: force-delete shop/b']);
});

test('a pod that comes after its node was found gone waits for the next quarantine, which runs already', () => {
	const {until, world} = aCollector({pods: [aPod('a')]});
	until(41);
	world.observe({type: 'podApplied', pod: aPod('b')});
	expect(until(300)).toEqual(['80 s: force-delete shop/b']);
});

test('a pass sees pods and nodes as they were at its beginning, however long it takes', () => {
	const pods = ['a', 'b', 'c'].map((name) => aPod(name));
	const {until, world} = aCollector({pods, process: {callDuration: 1000}});
	until(41.5);
	// The first pod is being removed; the node comes back, and the others are deleted nevertheless.
	world.observe({type: 'nodeApplied', node: aNode('n1')});
	expect(until(300)).toEqual([
		'43 s: force-delete shop/a',
		'45 s: force-delete shop/b',
		'47 s: force-delete shop/c',
	]);
});

test('the API server is asked before anything is deleted', () => {
	const {until, world} = aCollector({pods: [aPod('web')], process: {callDuration: 1000}});
	until(40.5);
	world.observe({type: 'nodeApplied', node: aNode('n1')});
	expect(until(55)).toEqual([]);
});

test('Terminating pods of a node out of service go in the next pass, side by side', () => {
	const pods = ['a', 'b'].map((name) => aPod(name, going));
	const {until, world} = aCollector({nodes: [fenced], process: {callDuration: 1000}});
	until(5);
	for (const pod of pods) world.observe({type: 'podApplied', pod});
	const removed = until(60);
	expect(removed).toEqual(['22 s: force-delete shop/a again', '22 s: force-delete shop/b again']);
	expect(world.state.pods.size).toBe(0);
});

test('the taint deletes an untolerating pod, and the collector finishes it in its next pass', () => {
	const {world} = aCollector({nodes: [fenced], pods: [aPod('web')]});
	const effects = world.advanceTo(30 * second);
	expect(story(effects, /delete/).at(-1)).toBe('20 s: force-delete shop/web again');
});

test('a removal that fails is not tried again before the next pass', () => {
	const {until, world} = aCollector({
		nodes: [fenced],
		pods: [aPod('web', going)],
		process: {callDuration: 1000},
	});
	until(0.5);
	// Another pod of the same name is created before the status is written.
	world.observe({type: 'podDeleted', namespace: 'shop', name: 'web'});
	world.observe({type: 'podApplied', pod: aPod('web', {...going, uid: 'another'})});
	expect(until(20.9)).toEqual([]);
	expect(until(60)).toEqual(['23 s: force-delete shop/web again']);
});

test('Terminating pods that were never bound go in every pass', () => {
	const pods = [aPod('a', {nodeName: '', ...going}), aPod('b', {nodeName: ''})];
	const {started} = aCollector({pods});
	expect(started).toEqual(['0 s: force-delete shop/a again']);
});

test('the next pass comes 20 s after the end of the last one', () => {
	const {until, world} = aCollector({
		nodes: [fenced],
		pods: [aPod('a', going)],
		process: {callDuration: 3000},
	});
	expect(until(6)).toEqual(['6 s: force-delete shop/a again']);
	world.observe({type: 'podApplied', pod: aPod('b', going)});
	expect(until(60)).toEqual(['32 s: force-delete shop/b again']);
});

test("many orphans wait in the line of the collector's own client", () => {
	const pods: Pod[] = Array.from({length: 100}, (_, index) => aPod(`p${String(index).padStart(2, '0')}`));
	const {until} = aCollector({pods, settings: {kubeApiQps: 20, kubeApiBurst: 30}});
	const removed = until(300);
	// One read of the node, then two calls per pod: thirty at once, the others one every 50 ms.
	expect(removed.at(0)).toBe('40 s: force-delete shop/p00');
	expect(removed.at(-1)).toBe('48.55 s: force-delete shop/p99');
});

test('a start of the controllers begins every quarantine anew', () => {
	const {until, world} = aCollector({pods: [aPod('web')]});
	until(30);
	world.stopControllers();
	world.startControllers();
	expect(until(300)).toEqual(['70 s: force-delete shop/web']);
});

test('it does not run unless it is asked for', () => {
	const world = aWorld({pods: [aPod('web')]});
	world.startControllers();
	expect(story(world.advanceTo(300 * second), /delete/)).toEqual([]);
});

test('in an open world it only tells', () => {
	const {until, world} = aCollector({pods: [aPod('web')], isClosed: false});
	expect(until(40)).toEqual(['40 s: force-delete shop/web']);
	expect(world.state.pod('shop/web')).toEqual(aPod('web'));
});

test('a fork in the middle of a pass does what its original does', () => {
	const pods = ['a', 'b', 'c', 'd'].map((name) => aPod(name));
	const {until, world} = aCollector({pods, process: {callDuration: 700}});
	until(42);
	const fork = world.fork();
	const ofFork = story(fork.advanceTo(300 * second), /force-delete/);
	expect(world.state.pods.size).toBeGreaterThan(0);
	expect(until(300)).toEqual(ofFork);
});
