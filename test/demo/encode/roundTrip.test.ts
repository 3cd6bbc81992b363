import {expect, test} from 'vitest';
import {decodeLease} from '../../../src/cluster/codec/decodeLease.ts';
import {decodeNode} from '../../../src/cluster/codec/decodeNode.ts';
import {decodePod, PodParts} from '../../../src/cluster/codec/decodePod.ts';
import {defaultSettings} from '../../../src/core/model/versionProfile.ts';
import {minute, second} from '../../../src/core/time/instant.ts';
import {encodeLease} from '../../../src/demo/encode/encodeLease.ts';
import {encodeNode} from '../../../src/demo/encode/encodeNode.ts';
import {encodePod} from '../../../src/demo/encode/encodePod.ts';
import {makeInitialCluster} from '../../../src/demo/world/initialCluster.ts';
import {aLease, aNode, now} from '../fixtures.ts';

const neverReported = (flaw: string) => {
	throw new Error(flaw);
};

const overTheWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const initial = makeInitialCluster({zones: {a: 4, b: 4, c: 4}, replicaFactor: 1}, defaultSettings, now);

test('what the cluster reader makes of every pod of the initial cluster is that pod', () => {
	const parts = new PodParts();
	for (const {pod} of initial.pods) {
		expect(decodePod(overTheWire(encodePod(pod)), parts, neverReported)).toEqual(pod);
	}
});

test('a pod that is being deleted survives the wire', () => {
	const [{pod}] = initial.pods as [(typeof initial.pods)[0]];
	const deleted = {...pod, deletionTimestamp: now + 30 * second, deletionGracePeriodSeconds: 30};
	expect(decodePod(overTheWire(encodePod(deleted)), new PodParts(), neverReported)).toEqual(deleted);
});

test('a node with taints and their writer survives the wire', () => {
	const taints = [
		{key: 'node.kubernetes.io/unreachable', value: '', effect: 'NoExecute', timeAdded: now},
		{key: 'maintenance', value: 'yes', effect: 'NoSchedule'},
	] as const;
	const taintWrites = [{manager: 'kube-controller-manager', operation: 'Update', time: now}];
	const lost = {type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown'} as const;
	const conditions = [{...lost, lastHeartbeatTime: now - minute, lastTransitionTime: now}];
	const node = aNode('a1', {taints, taintWrites, conditions, unschedulable: true});
	const allocatable = {cpu: 8000, memory: 32 * 2 ** 30, pods: 110};
	const kubeletVersion = 'v1.35.1';
	const wire = overTheWire(encodeNode(node, kubeletVersion));
	expect(decodeNode(wire, neverReported)).toEqual({...node, allocatable, kubeletVersion});
});

test("a kubelet's lease survives the wire to the microsecond", () => {
	const writes = [{manager: 'kubelet', operation: 'Update', time: now}];
	const lease = aLease('a1', {
		renewTime: now + 0.125,
		acquireTime: now - minute,
		leaseTransitions: 2,
		writes,
	});
	expect(decodeLease(overTheWire(encodeLease(lease)), neverReported)).toEqual(lease);
});
