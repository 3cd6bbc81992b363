import {expect, test} from 'vitest';
import {minute, second} from '../../../src/core/time/instant.ts';
import {encodeLease} from '../../../src/demo/encode/encodeLease.ts';
import {encodeMicroTime, encodeTime} from '../../../src/demo/encode/encodeMeta.ts';
import {encodeNode} from '../../../src/demo/encode/encodeNode.ts';
import {encodeEvent} from '../../../src/demo/encode/encodeOthers.ts';
import {encodePod} from '../../../src/demo/encode/encodePod.ts';
import {aLease, aNode, aPod, now} from '../fixtures.ts';

test('Time cuts off below the second, MicroTime below the microsecond', () => {
	expect(encodeTime(now + 999.9)).toBe('2026-01-02T03:04:05Z');
	expect(encodeMicroTime(now + 1.25)).toBe('2026-01-02T03:04:05.001250Z');
	expect(encodeMicroTime(now)).toBe('2026-01-02T03:04:05.000000Z');
});

test("a node's taint has whole seconds and no empty value, and tells who wrote it", () => {
	const taint = {
		key: 'node.kubernetes.io/unreachable',
		value: '',
		effect: 'NoExecute',
		timeAdded: now + 1500,
	} as const;
	const node = encodeNode(aNode('a1', {taints: [taint]}), 'v1.35.1');
	expect(node['spec']).toEqual({
		taints: [{key: 'node.kubernetes.io/unreachable', effect: 'NoExecute', timeAdded: '2026-01-02T03:04:06Z'}],
	});
	expect(node).toHaveProperty('status.nodeInfo.kubeletVersion', 'v1.35.1');
	expect(node.metadata.managedFields).toContainEqual({
		manager: 'kube-controller-manager',
		operation: 'Update',
		apiVersion: 'v1',
		time: '2026-01-02T03:04:06Z',
		fieldsType: 'FieldsV1',
		fieldsV1: {'f:spec': {'f:taints': {}}},
	});
});

test('who wrote the taints is as the model says, where it says so', () => {
	const write = {manager: 'kubectl-taint', operation: 'Update', time: now};
	const taint = {key: 'maintenance', value: 'yes', effect: 'NoExecute'} as const;
	const {metadata} = encodeNode(aNode('a1', {taints: [taint], taintWrites: [write], conditions: []}));
	expect(metadata.managedFields?.map(({manager}) => manager)).toEqual(['kubectl-taint']);
});

test('an unlabelled lost node reads as the node lifecycle controller leaves it', () => {
	const ready = {
		type: 'Ready',
		status: 'Unknown',
		lastHeartbeatTime: now - minute,
		lastTransitionTime: now,
	} as const;
	expect(encodeNode(aNode('a1', {conditions: [ready]}))).toHaveProperty('status.conditions', [
		{
			type: 'Ready',
			status: 'Unknown',
			lastHeartbeatTime: '2026-01-02T03:03:05Z',
			lastTransitionTime: '2026-01-02T03:04:05Z',
			reason: 'NodeStatusUnknown',
			message: 'Kubelet stopped posting node status.',
		},
	]);
});

test("a kubelet's lease tells its renewal in microseconds and the server's time of the write in seconds", () => {
	const lease = encodeLease(aLease('a1', {renewTime: now + 250.5}), now - minute);
	expect(lease['spec']).toEqual({
		holderIdentity: 'a1',
		leaseDurationSeconds: 40,
		renewTime: '2026-01-02T03:04:05.250500Z',
	});
	expect(lease.metadata.creationTimestamp).toBe('2026-01-02T03:03:05Z');
	expect(lease.metadata.managedFields).toEqual([
		expect.objectContaining({manager: 'kubelet', time: '2026-01-02T03:04:05Z'}),
	]);
});

test("a kubelet's clock may be off while the server's is right", () => {
	const writes = [{manager: 'kubelet', operation: 'Update', time: now}];
	const {metadata, spec} = encodeLease(aLease('a1', {renewTime: now - 90 * second, writes}));
	expect(spec).toMatchObject({renewTime: '2026-01-02T03:02:35.000000Z'});
	expect(metadata.managedFields?.[0]?.time).toBe('2026-01-02T03:04:05Z');
});

test('a pod brings its tolerations without what is empty, its owner and its deletion', () => {
	const toleration = {key: '', operator: 'Exists', value: '', effect: 'NoExecute', tolerationSeconds: 0};
	const pod = encodePod(
		aPod('cart-0', {
			tolerations: [toleration],
			owner: {kind: 'StatefulSet', name: 'cart', uid: 'uid-of-cart'},
			deletionTimestamp: now + 30 * second,
			deletionGracePeriodSeconds: 30,
			priority: 1000,
		}),
	);
	expect(pod).toHaveProperty('spec.tolerations', [
		{operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 0},
	]);
	expect(pod).toHaveProperty('spec.priority', 1000);
	expect(pod.metadata).toMatchObject({
		deletionTimestamp: '2026-01-02T03:04:35Z',
		deletionGracePeriodSeconds: 30,
		ownerReferences: [
			{apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'cart', uid: 'uid-of-cart', controller: true},
		],
	});
});

test('a mirror pod is known by its annotations, and may show its command', () => {
	const command = ['kube-controller-manager', '--node-monitor-grace-period=40s'];
	const pod = encodePod(aPod('kube-controller-manager-cp', {isMirror: true}), {
		containers: [
			{name: 'kube-controller-manager', image: 'registry.k8s.io/kube-controller-manager:v1.36.3', command},
		],
	});
	expect(Object.keys(pod.metadata.annotations ?? {})).toContain('kubernetes.io/config.mirror');
	expect(pod).toHaveProperty('spec.containers.0.command', command);
});

test('a pod that is bound to no node has no address and is not scheduled', () => {
	const pod = encodePod(aPod('cart-0', {nodeName: '', phase: 'Pending'}));
	expect(pod).not.toHaveProperty('spec.nodeName');
	expect(pod).not.toHaveProperty('status.podIP');
	expect(pod).toHaveProperty(
		'status.conditions.0',
		expect.objectContaining({type: 'PodScheduled', status: 'False'}),
	);
});

test('events of cluster-wide objects lie in the default namespace, two of one instant under two names', () => {
	const event = {
		involvedObject: {kind: 'Node', name: 'a1', uid: 'a1'},
		type: 'Normal',
		message: '',
		component: 'node-controller',
		at: now,
		lastAt: now,
		postedAt: now,
		count: 1,
	} as const;
	const [first, second] = ['NodeNotReady', 'RegisteredNode'].map((reason) => encodeEvent({...event, reason}));
	expect(first?.metadata.namespace).toBe('default');
	expect(first?.metadata.name).not.toBe(second?.metadata.name);
});
