import {expect, test} from 'vitest';
import {podKey} from '../../src/core/model/pod.ts';
import {PodIndex} from '../../src/store/podIndex.ts';
import {aPod} from '../support/builders.ts';

test('the list of a node stays the same until one of its pods changes', () => {
	const index = new PodIndex();
	const pod = aPod('a', {nodeName: 'n1'});
	index.set(podKey(pod), pod);
	const list = index.onNode('n1');
	expect(list).toEqual([pod]);
	index.set(podKey(aPod('b', {nodeName: 'n2'})), aPod('b', {nodeName: 'n2'}));
	expect(index.onNode('n1')).toBe(list);
	index.set(podKey(pod), {...pod, uid: 'other'});
	expect(index.onNode('n1')).not.toBe(list);
	expect(index.onNode('gone')).toBe(index.onNode('gone'));
});

test('of a node nothing is kept after its last pod', () => {
	const index = new PodIndex();
	const pod = aPod('a', {nodeName: 'n1'});
	index.set(podKey(pod), pod);
	index.set(podKey(pod), {...pod, nodeName: 'n2'});
	expect([...index.nodes()]).toEqual(['n2']);
	index.delete(podKey(pod));
	expect([...index.nodes()]).toEqual([]);
	expect(index.onNode('n2')).toEqual([]);
	index.set(podKey(pod), pod);
	expect([index.onNode('n1'), [...index.mapOfNode('n1').values()]]).toEqual([[pod], [pod]]);
});

test('names of nodes that never had pods are not kept, however many are asked for', () => {
	const index = new PodIndex();
	const lists = Array.from({length: 1000}, (_, each) => index.onNode(`never-${each}`));
	// All share one empty list: none is stored by name.
	expect(new Set(lists).size).toBe(1);
});
