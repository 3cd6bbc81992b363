import {expect, test} from 'vitest';
import {minute, second} from '../../../src/core/time/instant.ts';
import {aCondition, aLease, aNode, aPod, aTaint, tolerates} from '../../support/builders.ts';
import {aHeartbeat, aWorld, story} from '../../support/simulations.ts';

const twoNodes = [aNode('n1'), aNode('n2')];

test('without controllers nothing ever happens', () => {
	const world = aWorld({nodes: [aNode('n1', {taints: [aTaint('gpu')]})], pods: [aPod('web')]});
	expect(world.nextDueAt).toBeUndefined();
	expect(world.advanceTo(60 * minute)).toEqual([]);
});

test('it tells when the next thing is due', () => {
	const world = aWorld({nodes: twoNodes, alive: ['n1', 'n2']});
	world.startControllers();
	expect(world.nextDueAt).toBe(5 * second);
	world.advanceTo(7 * second);
	expect([world.now, world.nextDueAt]).toEqual([7 * second, 10 * second]);
});

test('time does not run backwards', () => {
	const world = aWorld();
	world.advanceTo(10);
	expect(() => world.advanceTo(9)).toThrow(RangeError);
});

test('leases that are observed keep a node alive', () => {
	const world = aWorld({nodes: [aNode('n1')]});
	world.startControllers();
	for (let at = 0; at <= 120 * second; at += 10 * second) {
		world.advanceTo(at);
		world.observe({type: 'leaseApplied', lease: aLease('n1', at)});
	}
	expect(world.state.node('n1')?.node.conditions[0]?.status).toBe('True');
	expect(story(world.advanceTo(300 * second), /Ready/)).toEqual(['180 s: n1 Ready=Unknown']);
});

test('a lease that is deleted is no sign of life, and not of death either', () => {
	const world = aWorld({nodes: [aNode('n1')]});
	world.observe({type: 'leaseApplied', lease: aLease('n1', 0)});
	world.startControllers();
	world.advanceTo(12 * second);
	world.observe({type: 'leaseDeleted', namespace: 'kube-node-lease', name: 'n1'});
	expect(story(world.advanceTo(100 * second), /Ready/)).toEqual(['55 s: n1 Ready=Unknown']);
});

test('in an open world effects are told, and the cluster waits for observations', () => {
	const world = aWorld({nodes: twoNodes, pods: [aPod('web')], isClosed: false});
	world.startKubelet('n2', aHeartbeat(), false);
	world.startControllers();
	const told = story(world.advanceTo(55 * second), /n1 .*(Ready|NoSchedule)/);
	expect(told).toEqual(['55 s: n1 Ready=Unknown']);
	expect(world.state.node('n1')?.node.conditions).toEqual(aNode('n1').conditions);

	const conditions = [aCondition('Ready', 'Unknown', {lastTransitionTime: 55 * second})];
	const seen = world.observe({type: 'nodeApplied', node: aNode('n1', {conditions})});
	expect(story(seen)).toEqual(['55 s: n1 +unreachable:NoSchedule']);
});

test('a fork may be closed where its original is open', () => {
	const taints = [aTaint('gpu')];
	const world = aWorld({pods: [aPod('web', {tolerations: [tolerates('gpu', 30)]})], isClosed: false});
	world.adoptControllers();
	world.observe({type: 'nodeApplied', node: aNode('n1', {taints})});
	const fork = world.fork(true);
	expect(story(fork.advanceTo(minute))).toEqual(['30 s: delete shop/web']);
	expect([
		fork.state.pod('shop/web')?.deletionTimestamp,
		world.state.pod('shop/web')?.deletionTimestamp,
	]).toEqual([60 * second, undefined]);
});

test('what wakes controllers that have stopped, wakes nobody', () => {
	const world = aWorld({nodes: twoNodes, pods: [aPod('web', {tolerations: [tolerates('gpu', 30)]})]});
	world.adoptControllers();
	world.editNode('n1', (node) => ({...node, taints: [aTaint('gpu')]}));
	world.stopControllers();
	world.adoptControllers();
	expect([world.nextDueAt, story(world.advanceTo(minute))]).toEqual([30 * second, []]);
});

test('a kubelet that stops leaves its lease as it was', () => {
	const world = aWorld({nodes: twoNodes, alive: ['n1']});
	world.advanceTo(25 * second);
	world.stopKubelet('n1');
	world.stopKubelet('n2');
	expect(['n1', 'n2'].map((node) => world.state.leaseRenewTime(node))).toEqual([20 * second, undefined]);
});

test('a status post refreshes heartbeats and nothing else', () => {
	const conditions = [aCondition('Ready', 'False'), aCondition('GPUBroken', 'True')];
	const world = aWorld({nodes: [aNode('n1', {conditions})], alive: ['n1']});
	expect(world.advanceTo(5 * minute)).toEqual([]);
	expect(world.state.node('n1')?.node.conditions).toEqual(
		conditions.map((condition) => ({...condition, lastHeartbeatTime: 5 * minute})),
	);
});

test('a kubelet without a node posts nothing', () => {
	const world = aWorld({nodes: [aNode('n1')], alive: ['n1']});
	world.observe({type: 'nodeDeleted', name: 'n1'});
	expect(world.advanceTo(10 * minute)).toEqual([]);
});

test('a pod that is deleted on a living kubelet vanishes; on a dead one it stays, Terminating', () => {
	const pods = [aPod('a'), aPod('b', {nodeName: 'n2'})];
	const world = aWorld({nodes: twoNodes, pods, alive: ['n1']});
	world.adoptControllers();
	for (const node of ['n1', 'n2']) world.editNode(node, (old) => ({...old, taints: [aTaint('gpu')]}));
	expect(world.state.pod('shop/a')).toBeUndefined();
	expect(world.state.pod('shop/b')?.deletionTimestamp).toBe(30 * second);
});

test('nodes that are only counted stand in for those that are well', () => {
	const world = aWorld({nodes: [aNode('n1'), aNode('n2'), aNode('n3')]});
	world.state.setOtherNodes(new Map([['', {size: 97, notReady: 0}]]));
	world.startControllers();
	world.advanceTo(60 * second);
	expect(world.controllers?.lifecycle.zones.views).toMatchObject([{state: 'Normal', size: 100, notReady: 3}]);
	expect(world.fork().state.otherNodes).toBe(world.state.otherNodes);
});
