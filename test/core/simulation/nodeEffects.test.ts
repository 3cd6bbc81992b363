import {expect, test} from 'vitest';
import type {Node} from '../../../src/core/model/node.ts';
import {nodeEffects} from '../../../src/core/simulation/effect.ts';
import {withCondition, withHealthyStatus} from '../../../src/core/simulation/nodeConditions.ts';
import {aCondition, aNode, aTaint, longAgo} from '../../support/builders.ts';
import {textOf} from '../../support/simulations.ts';

test.for<{name: string; before: Partial<Node>; after: Partial<Node>; want: readonly string[]}>([
	{
		name: 'a change of labels is none of a condition or taint',
		before: {},
		after: {labels: {a: 'b'}},
		want: [],
	},
	{
		name: 'a condition counts when its status changes',
		before: {conditions: [aCondition('Ready', 'True'), aCondition('DiskPressure', 'False')]},
		after: {conditions: [aCondition('Ready', 'Unknown'), aCondition('DiskPressure', 'False')]},
		want: ['n1 Ready=Unknown'],
	},
	{
		name: 'a heartbeat is no change',
		before: {conditions: [aCondition('Ready', 'True')]},
		after: {conditions: [aCondition('Ready', 'True', {lastHeartbeatTime: 5000})]},
		want: [],
	},
	{
		name: 'a condition that was not there is new',
		before: {conditions: []},
		after: {conditions: [aCondition('Ready', 'False')]},
		want: ['n1 Ready=False'],
	},
	{
		name: 'taints come and go',
		before: {taints: [aTaint('gpu'), aTaint('disk')]},
		after: {taints: [aTaint('disk'), aTaint('net')]},
		want: ['n1 +net:NoExecute', 'n1 -gpu:NoExecute'],
	},
	{
		name: 'a taint of another value is another taint',
		before: {taints: [aTaint('gpu')]},
		after: {taints: [aTaint('gpu', {value: 'broken'})]},
		want: ['n1 +gpu=broken:NoExecute', 'n1 -gpu:NoExecute'],
	},
	{
		name: 'a taint of another time is the same',
		before: {taints: [aTaint('gpu')]},
		after: {taints: [aTaint('gpu', {timeAdded: 7})]},
		want: [],
	},
	{
		name: 'the same taint twice is one',
		before: {},
		after: {taints: [aTaint('gpu'), aTaint('gpu')]},
		want: ['n1 +gpu:NoExecute'],
	},
])('$name', ({before, after, want}) => {
	expect(nodeEffects(aNode('n1', before), aNode('n1', after)).map(textOf)).toEqual(want);
});

test('a condition keeps its transition time while its status stays', () => {
	const node = aNode('n1', {conditions: [aCondition('Ready', 'True')]});
	const times = (status: 'True' | 'False') => withCondition(node, 'Ready', status, '', 5000).conditions[0];
	expect(times('True')).toMatchObject({lastHeartbeatTime: 5000, lastTransitionTime: longAgo});
	expect(times('False')).toMatchObject({lastHeartbeatTime: 5000, lastTransitionTime: 5000});
});

test('a healthy status posts Ready and no pressure', () => {
	const node = withHealthyStatus(aNode('n1', {conditions: [aCondition('MemoryPressure', 'True')]}), 5000);
	expect(node.conditions.map(({type, status}) => `${type}=${status}`).toSorted()).toEqual([
		'DiskPressure=False',
		'MemoryPressure=False',
		'PIDPressure=False',
		'Ready=True',
	]);
});
