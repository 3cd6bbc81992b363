import {expect, test} from 'vitest';
import type {Node} from '../../../../src/core/model/node.ts';
import {second} from '../../../../src/core/time/instant.ts';
import {
	heartbeatsAtFirstLook,
	isRegular,
	unwatchedHeartbeats,
	withHeartbeat,
} from '../../../../src/forecast/observe/nodes/statusHeartbeats.ts';
import {aCondition, aNode} from '../../../support/builders.ts';

const heartbeatAt = (seconds: number): Node =>
	aNode('n1', {conditions: [aCondition('Ready', 'True', {lastHeartbeatTime: seconds * second})]});

/** The evidence after posts at these seconds. */
const after = (...times: readonly number[]) => {
	let before: Node | undefined;
	let heartbeats = unwatchedHeartbeats;
	for (const time of times) {
		const node = heartbeatAt(time);
		heartbeats = withHeartbeat(heartbeats, before, node);
		before = node;
	}
	return heartbeats;
};

test('three posts on end show how often a kubelet posts; before that ten seconds are taken', () => {
	expect(after(0, 60, 120).interval).toEqual({lo: 10 * second, hi: 10 * second});
	expect(after(0, 60, 120, 180).interval).toEqual({lo: 60 * second, hi: 61 * second});
});

test('a post that got lost, and one for a change, do not count', () => {
	expect(after(0, 10, 30, 40).interval.lo).toBe(10 * second);
	expect(after(0, 10, 12, 22).interval.lo).toBe(10 * second);
});

test.for([
	{name: 'every ten seconds', times: [0, 10, 20, 30], regular: true},
	{name: 'every five minutes, and for a change between', times: [0, 300, 310, 610], regular: false},
	{name: 'every ten seconds but for a pause', times: [0, 10, 20, 60], regular: false},
	{name: 'twice', times: [0, 10, 20], regular: false},
])('who posts $name is regular: $regular', ({times, regular}) => {
	expect(isRegular(after(...times))).toBe(regular);
});

test('one look goes by the kubelets together', () => {
	const nodes = (...ages: readonly number[]) => ages.map((age) => heartbeatAt(100 - age));
	expect(heartbeatsAtFirstLook(nodes(2, 5, 9, 80), 100 * second).interval.hi).toBe(10 * second);
	expect(heartbeatsAtFirstLook(nodes(20, 30, 55), 100 * second).interval.hi).toBe(58 * second);
	expect(heartbeatsAtFirstLook([], 0).interval.hi).toBe(10 * second);
});
