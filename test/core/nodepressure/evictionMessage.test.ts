import {expect, test} from 'vitest';
import {evictionMessage} from '../../../src/core/nodepressure/evictionMessage.ts';
import type {PodStats} from '../../../src/core/nodepressure/summary.ts';
import {observeSignals} from '../../../src/core/nodepressure/thresholds/observations.ts';
import {parseThresholds} from '../../../src/core/nodepressure/thresholds/parseThresholds.ts';
import {amounts, aNodePod, bytes, memoryLeft, memoryStats, nodeFs} from '../../support/pressure.ts';

const memory = parseThresholds({evictionHard: {'memory.available': '500Mi'}});
const low = observeSignals(memoryLeft('300Mi'));

test('a container over its request is named, one within is not', () => {
	const pod = aNodePod('cart', {requests: {memory: '100Mi'}});
	const say = (used: string) => evictionMessage('memory', pod, memoryStats('cart', used), memory, low);
	expect(say('700Mi')).toEqual({
		message:
			'The node was low on resource: memory. Threshold quantity: 500Mi, available: 300Mi. ' +
			'Container app was using 700Mi, request is 100Mi, has larger consumption of memory. ',
		annotations: {
			offending_containers: 'app',
			offending_containers_usage: '700Mi',
			starved_resource: 'memory',
		},
	});
	expect(say('100Mi').annotations).toEqual({
		offending_containers: '',
		offending_containers_usage: '',
		starved_resource: 'memory',
	});
});

test('a pod with a request of its own is named before its containers', () => {
	const resources = {requests: amounts({memory: '1Gi'}), limits: {}};
	const pod = aNodePod('cart', {}, {resources});
	const {message, annotations} = evictionMessage('memory', pod, memoryStats('cart', '2Gi'), memory, low);
	expect(message).toContain(
		'Pod cart was using 2Gi, request is 1Gi, has larger consumption of memory. Container app was using 2Gi, request is 0, ',
	);
	expect(annotations).toMatchObject({offending_pod: 'cart', offending_pod_usage: '2Gi'});
});

test('without statistics nobody is blamed', () => {
	expect(evictionMessage('memory', aNodePod('cart'), undefined, memory, low)).toEqual({
		message: 'The node was low on resource: memory. Threshold quantity: 500Mi, available: 300Mi. ',
		annotations: {},
	});
});

test('a threshold that is no longer observed is not told', () => {
	const {message} = evictionMessage('memory', aNodePod('cart'), undefined, memory, new Map());
	expect(message).toBe('The node was low on resource: memory. ');
});

test('containers are blamed by rootfs and logs together, whichever file system runs short', () => {
	const thresholds = parseThresholds({evictionHard: {'nodefs.available': '10%'}});
	const observations = observeSignals({node: nodeFs('5Gi'), pods: []});
	const stats = (logs: bigint | undefined): PodStats => ({
		uid: 'uid-cart',
		containers: [
			{
				name: 'app',
				rootfs: {usedBytes: bytes('1Gi')},
				logs: logs === undefined ? {} : {usedBytes: logs},
			},
		],
		volumes: [],
	});
	const say = (logs: bigint | undefined) =>
		evictionMessage('ephemeral-storage', aNodePod('cart'), stats(logs), thresholds, observations).message;
	expect(say(bytes('1Mi'))).toContain(
		'Threshold quantity: 10737418400, available: 5Gi. Container app was using 1025Mi',
	);
	expect(say(undefined)).not.toContain('Container');
});

test('inodes and processes blame no container', () => {
	const {message} = evictionMessage('pids', aNodePod('cart'), memoryStats('cart', '1Gi'), [], new Map());
	expect(message).toBe('The node was low on resource: pids. ');
});
