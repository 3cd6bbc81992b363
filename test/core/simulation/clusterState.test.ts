import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import type {Node} from '../../../src/core/model/node.ts';
import {type Pod, podKey} from '../../../src/core/model/pod.ts';
import {ClusterState} from '../../../src/core/simulation/clusterState.ts';
import {PodIndex} from '../../../src/store/podIndex.ts';
import {aNode, aPod} from '../../support/builders.ts';

test('nodes are listed in the order of their names, however they came', () => {
	const state = new ClusterState();
	for (const name of ['n2', 'n10', 'n1']) state.putNode(aNode(name));
	expect(state.nodes().map(({node}) => node.name)).toEqual(['n1', 'n10', 'n2']);
	state.deleteNode('n10');
	expect(state.nodes().map(({node}) => node.name)).toEqual(['n1', 'n2']);
});

test("a node's version counts up with each change, and begins anew with a new node of its name", () => {
	const state = new ClusterState();
	for (const unschedulable of [false, true]) state.putNode(aNode('n1', {unschedulable}));
	expect(state.node('n1')).toEqual({node: aNode('n1', {unschedulable: true}), version: 2});
	state.deleteNode('n1');
	expect(state.node('n1')).toBeUndefined();
	state.putNode(aNode('n1'));
	expect(state.node('n1')?.version).toBe(1);
});

test('pods of a node are listed in the order of their keys', () => {
	const state = new ClusterState();
	for (const pod of [aPod('b'), aPod('a'), aPod('z', {namespace: 'app'})]) state.putPod(pod);
	expect(state.podsOnNode('n1').map(podKey)).toEqual(['app/z', 'shop/a', 'shop/b']);
});

test('a pod that moves is on its new node only', () => {
	const state = new ClusterState();
	state.putPod(aPod('web', {nodeName: ''}));
	state.putPod(aPod('web', {nodeName: 'n1'}));
	state.putPod(aPod('web', {nodeName: 'n2'}));
	expect(['', 'n1', 'n2'].map((node) => state.podsOnNode(node).length)).toEqual([0, 0, 1]);
});

test('deleting what is not there changes nothing', () => {
	const state = new ClusterState();
	state.deletePod('shop/web');
	state.deleteNode('n1');
	expect([state.nodes(), state.pods.size]).toEqual([[], 0]);
});

test('a lease is there until it is taken away', () => {
	const state = new ClusterState();
	state.putLease('n1', 0);
	expect([state.leaseRenewTime('n1'), state.leaseRenewTime('n2')]).toEqual([0, undefined]);
	state.putLease('n1', undefined);
	expect(state.leaseRenewTime('n1')).toBeUndefined();
});

/** The same objects in arrays with linear search. */
class NaiveState {
	nodes: readonly Node[] = [];
	pods: readonly Pod[] = [];

	putNode(node: Node): void {
		this.nodes = [...this.nodes.filter(({name}) => name !== node.name), node];
	}

	deleteNode(gone: string): void {
		this.nodes = this.nodes.filter(({name}) => name !== gone);
	}

	putPod(pod: Pod): void {
		this.pods = [...this.pods.filter((other) => podKey(other) !== podKey(pod)), pod];
	}

	deletePod(key: string): void {
		this.pods = this.pods.filter((other) => podKey(other) !== key);
	}
}

const name = fc.constantFrom('n1', 'n2', 'n3');
const pod = fc.record({
	name: fc.constantFrom('a', 'b', 'c', 'd'),
	nodeName: fc.constantFrom('', 'n1', 'n2', 'n3'),
});
const change = fc.oneof(
	fc.tuple(name, fc.boolean()).map(([node, unschedulable]) => (state: ClusterState | NaiveState) => {
		state.putNode(aNode(node, {unschedulable}));
	}),
	name.map((node) => (state: ClusterState | NaiveState) => state.deleteNode(node)),
	pod.map(({name: podName, nodeName}) => (state: ClusterState | NaiveState) => {
		state.putPod(aPod(podName, {nodeName}));
	}),
	pod.map(
		({name: podName}) =>
			(state: ClusterState | NaiveState) =>
				state.deletePod(`shop/${podName}`),
	),
);

const byKey = (pods: readonly Pod[]) => pods.toSorted((a, b) => (podKey(a) < podKey(b) ? -1 : 1));

function expectSame(state: ClusterState, naive: NaiveState): void {
	expect(state.nodes().map(({node}) => node)).toEqual(
		naive.nodes.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
	);
	expect(byKey([...state.pods.values()])).toEqual(byKey(naive.pods));
	for (const node of ['n1', 'n2', 'n3']) {
		expect(state.podsOnNode(node)).toEqual(byKey(naive.pods.filter(({nodeName}) => nodeName === node)));
	}
}

test('any changes leave what arrays searched from end to end would hold, in a fork as well', () => {
	fc.assert(
		fc.property(fc.array(change, {maxLength: 30}), fc.array(change, {maxLength: 10}), (changes, later) => {
			const [state, naive] = [new ClusterState(), new NaiveState()];
			for (const apply of changes) [state, naive].forEach((one) => void apply(one));
			const fork = state.fork();
			for (const apply of later) apply(fork);
			expectSame(state, naive);
			for (const apply of later) apply(naive);
			expectSame(fork, naive);
		}),
		{numRuns: 300},
	);
});

test('pods that it began with are as if put one by one, and stay as they were where they came from', () => {
	fc.assert(
		fc.property(fc.array(pod, {maxLength: 8}), fc.array(change, {maxLength: 15}), (given, changes) => {
			const [index, state, naive] = [new PodIndex(), new ClusterState(), new NaiveState()];
			for (const {name, nodeName} of given) {
				index.put(aPod(name, {nodeName}));
				naive.putPod(aPod(name, {nodeName}));
			}
			const before = [...index.values()];
			state.beginWith({all: index.all, mapOfNode: (node) => index.mapOfNode(node)});
			const fork = state.fork();
			expectSame(state, naive);
			for (const apply of changes) [fork, naive].forEach((one) => void apply(one));
			expectSame(fork, naive);
			expect([...index.values()]).toEqual(before);
			expect(byKey([...state.pods.values()])).toEqual(byKey(before));
		}),
		{numRuns: 300},
	);
});

test('changes are told once, and the first time all there is', () => {
	const state = new ClusterState();
	state.putNode(aNode('n1'));
	state.putPod(aPod('cart'));
	expect(state.takeChanges()).toEqual({nodes: new Set(['n1']), pods: new Set(['shop/cart'])});
	expect(state.takeChanges()).toEqual({nodes: new Set(), pods: new Set()});
	state.putNode(aNode('n2'));
	state.deleteNode('n1');
	state.deletePod('shop/cart');
	expect(state.takeChanges()).toEqual({nodes: new Set(['n1', 'n2']), pods: new Set(['shop/cart'])});
});

test('a copy tells of its own changes alone', () => {
	const state = new ClusterState();
	state.takeChanges();
	const copy = state.fork();
	copy.putNode(aNode('n1'));
	expect(state.takeChanges().nodes.size).toBe(0);
	expect(copy.takeChanges().nodes).toEqual(new Set(['n1']));
});
