import {expect, test} from 'vitest';
import type {Node} from '../../../src/core/model/node.ts';
import type {Pod} from '../../../src/core/model/pod.ts';
import type {Taint} from '../../../src/core/model/taint.ts';
import {findGarbage, isOutOfService} from '../../../src/core/podgc/garbage.ts';
import {aCondition, aNode, aPod, aTaint, longAgo} from '../../support/builders.ts';

const outOfService = (fields: Partial<Taint> = {}) => aTaint('node.kubernetes.io/out-of-service', fields);
const notReady = [aCondition('Ready', 'False')];

test.for<{name: string; node: Partial<Node>; want: boolean}>([
	{
		name: 'a node that is not ready and has the taint is out of service',
		node: {conditions: notReady, taints: [outOfService()]},
		want: true,
	},
	{
		name: 'so is one that is Unknown',
		node: {conditions: [aCondition('Ready', 'Unknown')], taints: [outOfService()]},
		want: true,
	},
	{
		name: 'so is one that never had a Ready condition',
		node: {conditions: [], taints: [outOfService()]},
		want: true,
	},
	{name: 'a node that is ready is not', node: {taints: [outOfService()]}, want: false},
	{name: 'a node that is only not ready is not', node: {conditions: notReady}, want: false},
])('$name', ({node, want}) => {
	expect(isOutOfService(aNode('n1', node))).toBe(want);
});

test.for<Partial<Taint>>([
	{effect: 'NoExecute'},
	{effect: 'NoSchedule'},
	{effect: 'PreferNoSchedule'},
	{effect: 'NoExecute', value: 'any-value'},
])('the out-of-service taint counts with any effect and value: %o', (fields) => {
	expect(isOutOfService(aNode('n1', {conditions: notReady, taints: [outOfService(fields)]}))).toBe(true);
});

const nodes = new Map(
	[
		aNode('ready'),
		aNode('broken', {conditions: notReady}),
		aNode('fenced', {conditions: notReady, taints: [outOfService()]}),
		aNode('back', {taints: [outOfService()]}),
	].map((node) => [node.name, node]),
);

const rules = {nodeOutOfServiceVolumeDetach: true};

const kindOf = (pod: Pod): string => {
	const garbage = findGarbage([pod], (name) => nodes.get(name), rules);
	const kinds = Object.entries(garbage).filter(([, pods]) => pods.length > 0);
	return kinds.map(([kind]) => kind).join() || 'none';
};

const going = {deletionTimestamp: 30_000};

test.for<{name: string; pod: Partial<Pod>; want: string}>([
	{name: 'a pod of a node that is there is none', pod: {nodeName: 'ready'}, want: 'none'},
	{name: 'a Terminating one of a ready node neither', pod: {nodeName: 'ready', ...going}, want: 'none'},
	{name: 'nor one of a node that is not ready', pod: {nodeName: 'broken', ...going}, want: 'none'},
	{name: 'nor one of a node that is back', pod: {nodeName: 'back', ...going}, want: 'none'},
	{
		name: 'a Terminating pod of a node out of service is',
		pod: {nodeName: 'fenced', ...going},
		want: 'terminating',
	},
	{name: 'a running pod there is not', pod: {nodeName: 'fenced'}, want: 'none'},
	{name: 'a pod of a node that is gone is an orphan', pod: {nodeName: 'gone'}, want: 'orphans'},
	{name: 'a Terminating one too', pod: {nodeName: 'gone', ...going}, want: 'orphans'},
	{name: 'a finished one too', pod: {nodeName: 'gone', phase: 'Succeeded'}, want: 'orphans'},
	{name: 'a Terminating pod of no node is', pod: {nodeName: '', ...going}, want: 'unscheduled'},
	{name: 'a pod that waits for a node is not', pod: {nodeName: '', phase: 'Pending'}, want: 'none'},
	{name: 'a finished pod of no node is not', pod: {nodeName: '', phase: 'Failed'}, want: 'none'},
])('$name', ({pod, want}) => {
	expect(kindOf(aPod('web', pod))).toBe(want);
});

test('a pod that tolerates everything is an orphan like any other', () => {
	const tolerations = [{key: '', operator: 'Exists', value: '', effect: ''}];
	expect(kindOf(aPod('agent', {nodeName: 'gone', tolerations}))).toBe('orphans');
	const owner = {kind: 'DaemonSet', name: 'agent', uid: 'uid-of-agent'};
	expect(kindOf(aPod('agent', {nodeName: 'gone', tolerations, owner}))).toBe('orphans');
});

test('the oldest Terminating pods come first, then the names decide', () => {
	const pods = [
		aPod('c', {nodeName: 'fenced', ...going}),
		aPod('b', {nodeName: 'fenced', ...going}),
		aPod('a', {nodeName: 'fenced', ...going, createdAt: longAgo + 1}),
	];
	const {terminating} = findGarbage(pods, (name) => nodes.get(name), rules);
	expect(terminating.map(({name}) => name)).toEqual(['b', 'c', 'a']);
});

test('until the gate NodeOutOfServiceVolumeDetach is on, such a taint removes no pod by force', () => {
	const pods = [aPod('web', {nodeName: 'fenced', ...going})];
	const removed = (nodeOutOfServiceVolumeDetach: boolean) =>
		findGarbage(pods, (name) => nodes.get(name), {nodeOutOfServiceVolumeDetach}).terminating.length;
	expect([removed(true), removed(false)]).toEqual([1, 0]);
});
