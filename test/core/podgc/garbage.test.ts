import {expect, test} from 'vitest';
import type {Pod} from '../../../src/core/model/pod.ts';
import type {Taint} from '../../../src/core/model/taint.ts';
import {isOutOfService} from '../../../src/core/podgc/garbage.ts';
import {aCondition, aNode, aPod, aTaint} from '../../support/builders.ts';
import {findGarbage} from '../../support/podgc/garbage.ts';

const outOfService = (fields: Partial<Taint> = {}) => aTaint('node.kubernetes.io/out-of-service', fields);
const notReady = [aCondition('Ready', 'False')];

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

test('a pod that tolerates everything is an orphan like any other', () => {
	const tolerations = [{key: '', operator: 'Exists', value: '', effect: ''}];
	expect(kindOf(aPod('agent', {nodeName: 'gone', tolerations}))).toBe('orphans');
	const owner = {kind: 'DaemonSet', name: 'agent', uid: 'uid-of-agent'};
	expect(kindOf(aPod('agent', {nodeName: 'gone', tolerations, owner}))).toBe('orphans');
});
