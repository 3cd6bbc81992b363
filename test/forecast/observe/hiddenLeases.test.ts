import {expect, test} from 'vitest';
import type {ClusterSnapshot} from '../../../src/core/model/clusterSnapshot.ts';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {minute, second} from '../../../src/core/time/instant.ts';
import {Forecaster} from '../../../src/forecast/forecaster.ts';
import {aForecaster} from '../../support/aForecaster.ts';
import {aCondition, aLease, aNode, aPod, tolerates} from '../../support/builders.ts';
import {feed} from '../../support/feed.ts';
import {isWithin, nodesIn, podOn, sceneOf, stepOf, stopKubelets} from '../explain/scene.ts';

const unread = (snapshot: ClusterSnapshot): ClusterSnapshot => ({...snapshot, leases: undefined});
const oneDies = {
	nodes: [...nodesIn('a', 3), ...nodesIn('b', 3)],
	pods: [podOn('a0', 'short', 60), podOn('a1', 'well', 60)],
	steps: stopKubelets(20, 'a0'),
};

test('without leases no node is called healthy, nor in trouble as long as the controller says nothing', () => {
	const scene = sceneOf(oneDies, {at: 52, edit: unread});
	const {nodes, pods} = scene.forecaster.forecast(scene.now);
	expect(nodes.map(({verdict}) => verdict)).toEqual(Array(6).fill('Unsure'));
	expect(nodes.every(({unknown, noExecute}) => unknown === null && noExecute === null)).toBe(true);
	expect(pods.every(({verdict}) => verdict === 'Safe')).toBe(true);
	const sign = stepOf(
		scene.explain({kind: 'node', name: 'a0'}),
		/posted its status; no lease of it can be seen$/,
	);
	expect(scene.explain({kind: 'node', name: 'a0'}).summary).toMatch(
		/ready; whether it is alive is not known/,
	);
	expect(sign.rule).toContain('while Ready is not Unknown, it has found no grace period over');
});

test('without leases what follows of a lost node is foretold, and the others stay as they were', () => {
	const scene = sceneOf(oneDies, {at: 100, edit: unread});
	const {nodes, pods} = scene.forecaster.forecast(scene.now);
	expect(nodes.map(({name, verdict}) => `${name} ${verdict}`)).toEqual([
		'a0 Tainted',
		...['a1', 'a2', 'b0', 'b1', 'b2'].map((name) => `${name} Unsure`),
	]);
	const short = pods.find(({name}) => name === 'short');
	expect(short?.verdict).toBe('Scheduled');
	const future = scene.future();
	expect(isWithin(future.get('delete default/short'), {at: short?.eviction ?? null})).toBe(true);
	expect(future.has('delete default/well')).toBe(false);
});

test('without leases a watch calls no node silent, however old its status is', () => {
	const ready = aCondition('Ready', 'True', {
		lastHeartbeatTime: -7 * minute,
		lastTransitionTime: -60 * minute,
	});
	const node = aNode('n1', {conditions: [ready]});
	const pod = aPod('web', {nodeName: 'n1', tolerations: [tolerates('node.kubernetes.io/unreachable', 300)]});
	const forecaster = new Forecaster(settingsFor('v1.36.3'));
	feed(
		forecaster,
		[
			{type: 'nodeApplied', node},
			{type: 'podApplied', pod},
		],
		0,
	);
	const {nodes, pods} = forecaster.forecast(30 * second);
	expect([nodes[0]?.verdict, pods[0]?.verdict]).toEqual(['Unsure', 'Safe']);
});

test('without leases a node that has posted nothing yet is not ready', () => {
	const forecaster = new Forecaster(settingsFor('v1.36.3'));
	const nodes = [aNode('n1', {conditions: []}), aNode('n2')];
	feed(
		forecaster,
		nodes.map((node) => ({type: 'nodeApplied', node})),
		second,
	);
	expect(forecaster.forecast(2 * second).nodes.map(({verdict}) => verdict)).toEqual(['NotReady', 'Unsure']);
});

test('where the leases of other nodes are seen, a missing one leaves the status to judge by', () => {
	const ready = aCondition('Ready', 'True', {
		lastHeartbeatTime: -7 * minute,
		lastTransitionTime: -60 * minute,
	});
	const nodes = ['n1', 'n2'].map((name) => aNode(name, {conditions: [ready]}));
	const leases = [aLease('n2', 0)];
	const forecaster = aForecaster(settingsFor('v1.36.3'), {observedAt: 0, nodes, leases});
	expect(forecaster.forecast(second).nodes.map(({verdict}) => verdict)).toEqual(['Silent', 'Healthy']);
});
