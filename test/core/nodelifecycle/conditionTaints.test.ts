import {expect, test} from 'vitest';
import {noScheduleTaintChange} from '../../../src/core/nodelifecycle/nodeProcessing.ts';
import {aCondition, aNode, aTaint} from '../../support/builders.ts';

const noSchedule = (key: string) => aTaint(`node.kubernetes.io/${key}`, {effect: 'NoSchedule'});
const shortKeys = (taints: readonly {key: string; effect: string}[]) =>
	taints.map(({key, effect}) => `${key.replace('node.kubernetes.io/', '')}:${effect}`);

test.for([
	{name: 'a node that is well needs no taint', node: {}, add: []},
	{
		name: 'a node that is not ready is tainted so',
		node: {conditions: [aCondition('Ready', 'False')]},
		add: ['not-ready:NoSchedule'],
	},
	{
		name: 'a node that is Unknown is tainted unreachable',
		node: {conditions: [aCondition('Ready', 'Unknown')]},
		add: ['unreachable:NoSchedule'],
	},
	{
		name: 'a network that is not there is a taint of its own',
		node: {conditions: [aCondition('Ready', 'True'), aCondition('NetworkUnavailable', 'True')]},
		add: ['network-unavailable:NoSchedule'],
	},
	{
		name: 'each pressure is a taint',
		node: {
			conditions: [
				aCondition('MemoryPressure', 'True'),
				aCondition('DiskPressure', 'True'),
				aCondition('PIDPressure', 'True'),
			],
		},
		add: ['memory-pressure:NoSchedule', 'disk-pressure:NoSchedule', 'pid-pressure:NoSchedule'],
	},
	{
		name: 'a pressure that is not known is none',
		node: {conditions: [aCondition('MemoryPressure', 'Unknown'), aCondition('DiskPressure', 'False')]},
		add: [],
	},
	{name: 'a cordoned node is unschedulable', node: {unschedulable: true}, add: ['unschedulable:NoSchedule']},
	{
		name: 'conditions that nobody knows mean nothing',
		node: {conditions: [aCondition('GPUBroken', 'True')]},
		add: [],
	},
	{
		name: 'a taint that is there already is not added again',
		node: {unschedulable: true, taints: [noSchedule('unschedulable')]},
		add: [],
	},
	{
		name: 'a taint of the same key with another effect does not count',
		node: {conditions: [aCondition('Ready', 'Unknown')], taints: [aTaint('node.kubernetes.io/unreachable')]},
		add: ['unreachable:NoSchedule'],
	},
])('$name', ({node, add}) => {
	const change = noScheduleTaintChange(aNode('n1', node), 7);
	expect([shortKeys(change.add), change.remove]).toEqual([add, []]);
	expect(change.add.every(({timeAdded}) => timeAdded === 7)).toBe(true);
});

test('taints whose condition has gone are taken off', () => {
	const taints = [noSchedule('unreachable'), noSchedule('disk-pressure'), noSchedule('unschedulable')];
	expect(noScheduleTaintChange(aNode('n1', {taints}), 0)).toEqual({add: [], remove: taints});
});

test('taints of other owners and other effects stay', () => {
	const taints = [aTaint('gpu', {effect: 'NoSchedule'}), aTaint('node.kubernetes.io/unreachable')];
	expect(noScheduleTaintChange(aNode('n1', {taints}), 0)).toEqual({add: [], remove: []});
});

test('a node that goes from not ready to Unknown swaps its taint', () => {
	const node = aNode('n1', {conditions: [aCondition('Ready', 'Unknown')], taints: [noSchedule('not-ready')]});
	const {add, remove} = noScheduleTaintChange(node, 0);
	expect([shortKeys(add), shortKeys(remove)]).toEqual([['unreachable:NoSchedule'], ['not-ready:NoSchedule']]);
});
