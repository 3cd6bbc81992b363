import {expect, test} from 'vitest';
import type {ControllerSettings} from '../../../src/core/model/controllerSettings.ts';
import type {Pod} from '../../../src/core/model/pod.ts';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {aCondition, aNode, aPod, inZone, longAgo} from '../../support/builders.ts';
import {aWorld, story} from '../../support/simulations.ts';

const minute = 60_000;
const settings: ControllerSettings = {
	...settingsFor('v1.16.15'),
	taintBasedEvictions: false,
	taintEviction: false,
	kubeApiQps: 0,
	firstPassAfter: 0,
};

const labels = {app: 'web'};
const onNode = (name: string, node: string, more: Partial<Pod> = {}) =>
	aPod(name, {nodeName: node, labels, ...more});
const daemon = {kind: 'DaemonSet', name: 'agent', uid: 'uid-agent'};

/** A world in which n1 is silent from the start, beside two healthy nodes. */
function aSilentNode(pods: readonly Pod[], more: Partial<ControllerSettings> = {}) {
	const nodes = ['n1', 'n2', 'n3'].map((name) => aNode(name, {labels: inZone('a')}));
	return aWorld({nodes, pods, alive: ['n2', 'n3'], settings: {...settings, ...more}});
}

test('a pod without labels goes with its node, also where a DaemonSet owns it', () => {
	const world = aSilentNode([onNode('agent', 'n1', {owner: daemon, labels: {}})]);
	const effects = [...world.startControllers(), ...world.advanceTo(10 * minute)];
	expect(story(effects, /delete/)).toEqual(['305 s: delete shop/agent']);
});

test('every pod of an evicted node is told that it is lost, those of DaemonSets and Terminating ones as well', () => {
	const terminating = onNode('old', 'n1', {deletionTimestamp: minute});
	const world = aSilentNode([onNode('agent', 'n1', {owner: daemon}), terminating, onNode('web', 'n1')]);
	world.startControllers();
	world.advanceTo(10 * minute);
	const lost = [...world.state.pods.values()].map(({name, isNodeLost}) => [name, isNodeLost]);
	expect(lost).toEqual([
		['agent', true],
		['old', true],
		['web', true],
	]);
});

test('the events of an evicted node are posted again in every pass, as long as it has any pod', () => {
	const told: string[] = [];
	const world = aSilentNode([onNode('agent', 'n1', {owner: daemon})]);
	const heard = world.fork();
	expect(heard.controllers).toBeUndefined();
	const effects = [...world.startControllers(), ...world.advanceTo(305_200)];
	expect(story(effects, /evict/)).toHaveLength(1);
	const listening = aSilentNodeThatTells(told);
	listening.startControllers();
	listening.advanceTo(330_000);
	expect(told).toEqual(Array.from({length: 6}, () => 'DeletingAllPods n1'));
});

/** The same; it also collects the controller's events. */
function aSilentNodeThatTells(told: string[]) {
	const nodes = ['n1', 'n2', 'n3'].map((name) => aNode(name, {labels: inZone('a')}));
	return aWorld({
		nodes,
		pods: [onNode('agent', 'n1', {owner: daemon})],
		alive: ['n2', 'n3'],
		settings,
		onEvent: ({reason, about}) => {
			if (reason === 'DeletingAllPods') told.push(`${reason} ${about}`);
		},
	});
}

test('a node that is gone is evicted all the same', () => {
	const nodes = ['n0', 'n1', 'n2', 'n3'].map((name) => aNode(name, {labels: inZone('a')}));
	const pods = [onNode('first', 'n0'), onNode('web', 'n1')];
	const world = aWorld({nodes, pods, alive: ['n2', 'n3'], settings});
	world.startControllers();
	world.advanceTo(306_000);
	world.observe({type: 'nodeDeleted', name: 'n1'});
	expect(story(world.advanceTo(10 * minute), /delete/)).toEqual(['315 s: delete shop/web']);
});

test('a node is evicted by its own clock for each condition: the last sign of life for Unknown, the transition for False', () => {
	const isDown = aCondition('Ready', 'False', {lastHeartbeatTime: longAgo, lastTransitionTime: longAgo});
	const inBetaZone = (zone: string) => ({'failure-domain.beta.kubernetes.io/zone': zone});
	const nodes = [
		aNode('n1', {labels: inBetaZone('a')}),
		aNode('n2', {labels: inBetaZone('b'), conditions: [isDown]}),
		aNode('n3', {labels: inBetaZone('a')}),
		aNode('n4', {labels: inBetaZone('b')}),
	];
	const world = aWorld({
		nodes,
		pods: [onNode('silent', 'n1'), onNode('unwell', 'n2')],
		alive: ['n2', 'n3', 'n4'],
		settings,
	});
	world.startControllers();
	world.advanceTo(100_000);
	// Its kubelet keeps renewing: counted from the last sign of life, it would never be evicted.
	expect(story(world.advanceTo(10 * minute), /delete/)).toEqual([
		'305 s: delete shop/silent',
		'305 s: delete shop/unwell',
	]);
});

test('until 1.17 a taint removed by hand stays away, since its node is not queued again', () => {
	const taints = (version: string) => {
		const nodes = ['n1', 'n2', 'n3'].map((name) => aNode(name));
		const world = aWorld({nodes, alive: ['n2', 'n3'], settings: {...settingsFor(version), kubeApiQps: 0}});
		world.startControllers();
		world.advanceTo(100_000);
		world.editNode('n1', (node) => ({
			...node,
			taints: node.taints.filter(({effect}) => effect !== 'NoExecute'),
		}));
		return story(world.advanceTo(200_000), /n1 \+unreachable:NoExecute/).length;
	};
	expect([taints('v1.16.15'), taints('v1.17.17'), taints('v1.18.20'), taints('v1.36.3')]).toEqual([
		0, 0, 1, 1,
	]);
});

test('until v1.24 the NoExecute pass keeps the monitor pass waiting, for as long as its calls take', () => {
	const pods = Array.from({length: 30}, (_, index) => onNode(`web-${index}`, 'n1', {ready: 'False'}));
	const unknownAt = (noExecutePassHoldsLock: boolean) => {
		const world = aSilentNode(pods, {noExecutePassHoldsLock, kubeApiQps: 1, kubeApiBurst: 5});
		world.startControllers();
		world.advanceTo(290_000);
		world.stopKubelet('n2');
		const effects = world.advanceTo(10 * minute);
		const one = effects.find(({effect}) => effect.type === 'nodeCondition' && effect.node === 'n2');
		return (one?.at ?? 0) / 1000;
	};
	// Each of the 30 pods takes two calls, and events use the same rate limiter.
	expect(unknownAt(false)).toBeLessThan(345);
	expect(unknownAt(true)).toBeGreaterThan(365);
});
