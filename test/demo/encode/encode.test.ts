import {expect, test} from 'vitest';
import {decodeLease} from '../../../src/cluster/codec/decodeLease.ts';
import {decodeNode} from '../../../src/cluster/codec/decodeNode.ts';
import {decodePod, PodParts} from '../../../src/cluster/codec/decodePod.ts';
import type {Pod} from '../../../src/core/model/pod.ts';
import {minute, second} from '../../../src/core/time/instant.ts';
import {serverTime} from '../../../src/demo/encode/encodeMeta.ts';
import {encodeDemoNode} from '../../../src/demo/encode/encodeNode.ts';
import {encodeDemoLease} from '../../../src/demo/encode/encodeOthers.ts';
import {encodeDemoPod} from '../../../src/demo/encode/encodePod.ts';
import {eventLog} from '../../../src/demo/world/eventLog.ts';
import {makeInitialCluster} from '../../../src/demo/world/initialCluster.ts';
import {objectStore} from '../../../src/demo/world/objectStore.ts';
import {aLease, aNode, aPod, aPodObject, now} from '../fixtures.ts';

const neverReported = (flaw: string) => {
	throw new Error(flaw);
};

const overTheWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const asRead = (pod: Pod) =>
	decodePod(overTheWire(encodeDemoPod(pod, {name: 'app'})), new PodParts(), neverReported);

const initial = makeInitialCluster({zones: {a: 4, b: 4, c: 4}, replicaFactor: 1}, [], now);

test('what the cluster reader makes of every pod of the initial cluster is that pod', () => {
	for (const pod of initial.pods) expect(asRead(pod)).toEqual(pod);
});

test('a pod that is being deleted survives the wire, with the default grace period', () => {
	const [pod] = initial.pods as [Pod];
	const deleted = {...pod, deletionTimestamp: now + 30 * second};
	expect(asRead(deleted)).toEqual({...deleted, deletionGracePeriodSeconds: 30});
});

test('that the controller marked a pod not ready survives the wire, and that its kubelet did not', () => {
	expect(asRead(aPod('lost', {ready: 'False', readyChangedAt: now}))).toMatchObject({markedNotReadyAt: now});
	expect(asRead(aPod('starting', {ready: 'False'}))).not.toHaveProperty('markedNotReadyAt');
});

test('a node with taints and their writer survives the wire, in whole seconds', () => {
	const taints = [
		{key: 'node.kubernetes.io/unreachable', value: '', effect: 'NoExecute', timeAdded: now},
		{key: 'maintenance', value: 'yes', effect: 'NoSchedule'},
	] as const;
	const taintWrites = [{manager: 'kube-controller-manager', operation: 'Update', time: now}];
	const lost = {type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown'} as const;
	const conditions = [{...lost, lastHeartbeatTime: now - minute, lastTransitionTime: now}];
	const node = aNode('a1', {taints, conditions, unschedulable: true});
	const allocatable = {cpu: 8000, memory: 32 * 2 ** 30, pods: 110};
	const read = {...node, allocatable, taintWrites, kubeletVersion: 'v1.35.1'};
	expect(decodeNode(overTheWire(encodeDemoNode(node, 'v1.35.1')), neverReported)).toEqual(read);
	const later = {...node, taints: [{...taints[0], timeAdded: now + 999}, taints[1]]};
	expect(decodeNode(overTheWire(encodeDemoNode(later, 'v1.35.1')), neverReported)).toEqual(read);
});

test('a lost node reads as the node lifecycle controller leaves it', () => {
	const times = {lastHeartbeatTime: now - minute, lastTransitionTime: now};
	expect(
		encodeDemoNode(aNode('a1', {conditions: [{type: 'Ready', status: 'Unknown', ...times}]})),
	).toMatchObject({
		status: {conditions: [{reason: 'NodeStatusUnknown', message: 'Kubelet stopped posting node status.'}]},
	});
});

test("a kubelet's lease survives the wire to the microsecond", () => {
	const writes = [{manager: 'kubelet', operation: 'Update', time: now}];
	const lease = aLease('a1', {
		renewTime: now + 0.125,
		acquireTime: now - minute,
		leaseTransitions: 2,
		writes,
	});
	const object = encodeDemoLease(lease, now - minute);
	expect(decodeLease(overTheWire(object), neverReported)).toEqual(lease);
	expect(object.metadata.creationTimestamp).toBe(serverTime(now - minute));
});

test('a pod that is bound to no node has no address and is not scheduled', () => {
	const pod = aPodObject('cart-0', {nodeName: '', phase: 'Pending'});
	expect(pod).not.toHaveProperty('status.podIP');
	expect(pod).toMatchObject({status: {conditions: [{type: 'PodScheduled', status: 'False'}]}});
});

test('events of cluster-wide objects lie in the default namespace, two of one instant under two names', () => {
	const store = objectStore();
	const log = eventLog(store);
	for (const reason of ['NodeNotReady', 'RegisteredNode'] as const)
		log.post({reason, about: 'a1', recordedAt: now}, now);
	const events = store.all('events').map(({metadata}) => metadata);
	expect(events.map(({namespace}) => namespace)).toEqual(['default', 'default']);
	expect(events[0]?.name).not.toBe(events[1]?.name);
});
