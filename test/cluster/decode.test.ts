import fc from 'fast-check';
import {expect, test} from 'vitest';
import {Decoder} from '../../src/cluster/codec/decoder.ts';
import {decodeTime} from '../../src/cluster/codec/rawJson.ts';
import {isEvictedByKubelet} from '../../src/core/model/pod.ts';

const decode = (value: unknown) => {
	const decoder = new Decoder();
	return {
		node: decoder.node.decode(value),
		pod: decoder.pod.decode(value),
		lease: decoder.lease.decode(value),
	};
};

test.for([
	{name: 'a Time has whole seconds', value: '2026-01-02T03:04:05Z', want: 1767323045000},
	{name: 'a MicroTime keeps its microseconds', value: '2026-01-02T03:04:05.123456Z', want: 1767323045123.456},
	{name: 'an offset is honoured', value: '2026-01-02T05:04:05+02:00', want: 1767323045000},
	{name: 'a date alone is no time', value: '2026-01-02', want: undefined},
	{name: 'a month that does not exist is no time', value: '2026-13-02T03:04:05Z', want: undefined},
	{name: 'a number is no time', value: 1767323045000, want: undefined},
	{name: 'null is no time', value: null, want: undefined},
])('$name', ({value, want}) => {
	const at = decodeTime(value);
	expect(at === undefined ? at : at - 1767323045000).toEqual(
		want === undefined ? want : expect.closeTo(want - 1767323045000, 3),
	);
});

const fullNode = {
	metadata: {
		name: 'n1',
		uid: 'u1',
		creationTimestamp: '2026-01-02T03:04:05Z',
		labels: {'topology.kubernetes.io/zone': 'a'},
		managedFields: [
			{
				manager: 'kube-controller-manager',
				operation: 'Update',
				time: '2026-01-02T03:05:05Z',
				fieldsV1: {'f:spec': {'f:taints': {}}},
			},
			{manager: 'kubelet', operation: 'Update', time: '2026-01-02T03:06:05Z', fieldsV1: {'f:status': {}}},
		],
	},
	spec: {
		providerID: 'aws:///eu-west-1a/i-0123',
		unschedulable: true,
		taints: [
			{key: 'node.kubernetes.io/unreachable', effect: 'NoExecute', timeAdded: '2026-01-02T03:05:05Z'},
			{key: 'example.com/new', value: 'x', effect: 'NoBreathe'},
			{effect: 'NoExecute'},
		],
	},
	status: {
		conditions: [
			{
				type: 'Ready',
				status: 'Unknown',
				reason: 'NodeStatusUnknown',
				lastHeartbeatTime: '2026-01-02T03:04:05Z',
				lastTransitionTime: '2026-01-02T03:05:05Z',
			},
			{type: 'Odd', status: 'Maybe'},
		],
	},
};

test('a node keeps what the controllers look at, its unknown taint effects too', () => {
	const decoder = new Decoder();
	expect(decoder.node.decode(fullNode)).toEqual({
		name: 'n1',
		uid: 'u1',
		createdAt: 1767323045000,
		labels: {'topology.kubernetes.io/zone': 'a'},
		unschedulable: true,
		providerId: 'aws:///eu-west-1a/i-0123',
		taints: [
			{key: 'node.kubernetes.io/unreachable', value: '', effect: 'NoExecute', timeAdded: 1767323105000},
			{key: 'example.com/new', value: 'x', effect: 'NoBreathe'},
		],
		conditions: [
			{
				type: 'Ready',
				status: 'Unknown',
				reason: 'NodeStatusUnknown',
				lastHeartbeatTime: 1767323045000,
				lastTransitionTime: 1767323105000,
			},
			{type: 'Odd', status: 'Unknown', lastHeartbeatTime: 0, lastTransitionTime: 0},
		],
		taintWrites: [{manager: 'kube-controller-manager', operation: 'Update', time: 1767323105000}],
	});
	expect(decoder.problem?.message).toContain('Node taint without a key (1)');
});

const fullPod = {
	metadata: {
		namespace: 'shop',
		name: 'cart-0',
		uid: 'p1',
		creationTimestamp: '2026-01-02T03:04:05Z',
		labels: {app: 'cart'},
		annotations: {'kubernetes.io/config.mirror': 'hash'},
		deletionTimestamp: '2026-01-02T03:05:35Z',
		deletionGracePeriodSeconds: 30,
		ownerReferences: [
			{kind: 'Backup', name: 'b', uid: 'o0'},
			{kind: 'StatefulSet', name: 'cart', uid: 'o1', controller: true},
		],
	},
	spec: {
		nodeName: 'n1',
		priority: 0,
		tolerations: [
			{operator: 'Exists'},
			{key: 'a', operator: 'Gt', value: '3', effect: 'NoExecute', tolerationSeconds: 0},
		],
	},
	status: {
		phase: 'Running',
		conditions: [
			{
				type: 'Ready',
				status: 'False',
				reason: 'ContainersNotReady',
				lastTransitionTime: '2026-01-02T03:05:00Z',
			},
			{type: 'PodScheduled', status: 'True', lastTransitionTime: '2026-01-02T03:04:06Z'},
			{
				type: 'DisruptionTarget',
				status: 'True',
				reason: 'DeletionByTaintManager',
				lastTransitionTime: '2026-01-02T03:05:05Z',
			},
		],
	},
};

test('a pod keeps what decides its eviction', () => {
	expect(decode(fullPod).pod).toEqual({
		namespace: 'shop',
		name: 'cart-0',
		uid: 'p1',
		nodeName: 'n1',
		createdAt: 1767323045000,
		labels: {app: 'cart'},
		tolerations: [
			{key: '', operator: 'Exists', value: '', effect: ''},
			{key: 'a', operator: 'Gt', value: '3', effect: 'NoExecute', tolerationSeconds: 0},
		],
		isMirror: true,
		phase: 'Running',
		ready: 'False',
		readyChangedAt: 1767323100000,
		scheduledAt: 1767323046000,
		isDisruptionTarget: true,
		evictedAt: 1767323105000,
		deletionTimestamp: 1767323135000,
		deletionGracePeriodSeconds: 30,
		owner: {kind: 'StatefulSet', name: 'cart', uid: 'o1'},
		priority: 0,
	});
});

test('a pod that waits for a node has neither node nor binding time', () => {
	const status = {phase: 'Pending', conditions: [{type: 'PodScheduled', status: 'False'}]};
	const {pod} = decode({metadata: {namespace: 'a', name: 'b'}, spec: {}, status});
	expect(pod).toMatchObject({nodeName: '', phase: 'Pending', tolerations: [], labels: {}});
	expect(pod).not.toHaveProperty('scheduledAt');
	expect(pod).not.toHaveProperty('owner');
});

test('a pod that is not ready without a reason was marked so by the node controller', () => {
	const ready = {type: 'Ready', status: 'False', lastTransitionTime: '2026-01-02T03:05:00Z'};
	const {pod} = decode({metadata: {namespace: 'a', name: 'b'}, status: {conditions: [ready]}});
	expect(pod).toMatchObject({ready: 'False', markedNotReadyAt: 1767323100000});
});

test('a pod that is ready has nothing to say of when it stopped', () => {
	const ready = {type: 'Ready', status: 'True', lastTransitionTime: '2026-01-02T03:05:00Z'};
	const {pod} = decode({metadata: {namespace: 'a', name: 'b'}, status: {conditions: [ready]}});
	expect(pod).toMatchObject({ready: 'True'});
	expect(pod).not.toHaveProperty('readyChangedAt');
});

test('a pod that goes for its device says when that was announced', () => {
	const disruption = {
		...{type: 'DisruptionTarget', status: 'True', reason: 'DeletionByDeviceTaintManager'},
		lastTransitionTime: '2026-01-02T03:05:05Z',
	};
	const {pod} = decode({metadata: {namespace: 'a', name: 'b'}, status: {conditions: [disruption]}});
	expect(pod).toMatchObject({isDisruptionTarget: true, deviceEvictedAt: 1767323105000});
	expect(pod).not.toHaveProperty('evictedAt');
});

test('a pod that others disrupt was not evicted for a taint', () => {
	const disruption = {type: 'DisruptionTarget', status: 'True', reason: 'PreemptionByScheduler'};
	const {pod} = decode({metadata: {namespace: 'a', name: 'b'}, status: {conditions: [disruption]}});
	expect(pod).toMatchObject({isDisruptionTarget: true});
	expect(pod).not.toHaveProperty('evictedAt');
});

test('a pod is told that its node is lost in the reason of its status', () => {
	const pod = (reason: string) => decode({metadata: {namespace: 'a', name: 'b'}, status: {reason}}).pod;
	expect(pod('NodeLost')).toMatchObject({isNodeLost: true});
	expect(pod('Evicted')).not.toHaveProperty('isNodeLost');
});

test.for([
	{phase: 'Failed', reason: 'Evicted', by: 'TerminationByKubelet'},
	{phase: 'Running', reason: 'Evicted', by: undefined},
	{phase: 'Failed', reason: 'DeadlineExceeded', by: undefined},
])('a $phase pod with the reason $reason alone was ended by $by', ({by, ...status}) => {
	const {pod} = decode({metadata: {namespace: 'a', name: 'b'}, status});
	expect(pod?.disruptedBy).toBe(by);
	expect(pod).not.toHaveProperty('isDisruptionTarget');
});

test('a pod that its kubelet ended to admit a critical one was not evicted for want of a resource', () => {
	const conditions = [{type: 'DisruptionTarget', status: 'True', reason: 'TerminationByKubelet'}];
	const status = {phase: 'Failed', reason: 'Preempting', conditions};
	const {pod} = decode({metadata: {namespace: 'a', name: 'b'}, status});
	expect(pod).toMatchObject({isDisruptionTarget: true});
	expect(pod && isEvictedByKubelet(pod)).toBe(false);
});

test('equal tolerations and labels of many pods are kept once', () => {
	const decoder = new Decoder();
	const first = decoder.pod.decode(structuredClone(fullPod));
	const second = decoder.pod.decode(structuredClone(fullPod));
	expect(second?.tolerations).toBe(first?.tolerations);
	expect(second?.labels).toBe(first?.labels);
	expect(second?.owner).toBe(first?.owner);
});

test('a lease keeps its times to the microsecond, its duration in milliseconds and all its writers', () => {
	const lease = {
		metadata: {
			namespace: 'kube-node-lease',
			name: 'n1',
			managedFields: [
				{manager: 'kubelet', operation: 'Update', time: '2026-01-02T03:04:05Z'},
				{manager: 'x'},
			],
		},
		spec: {
			holderIdentity: 'n1',
			leaseDurationSeconds: 40,
			renewTime: '2026-01-02T03:04:05.000001Z',
			acquireTime: '2026-01-02T03:04:05.5Z',
			leaseTransitions: 2,
		},
	};
	expect(decode(lease).lease).toEqual({
		namespace: 'kube-node-lease',
		name: 'n1',
		holderIdentity: 'n1',
		leaseDuration: 40_000,
		renewTime: expect.closeTo(1767323045000.001, 3),
		acquireTime: 1767323045500,
		leaseTransitions: 2,
		writes: [{manager: 'kubelet', operation: 'Update', time: 1767323045000}],
	});
});

test('what cannot be read is counted, by what is wrong with it', () => {
	const decoder = new Decoder();
	expect([
		decoder.node.decode(null),
		decoder.node.decode({metadata: {}}),
		decoder.pod.decode({metadata: {name: 'x'}}),
	]).toEqual([undefined, undefined, undefined]);
	expect(decoder.problem).toEqual({
		reason: 'ObjectsUnreadable',
		message: 'not understood, left out: Node without a name (2), Pod without a name or a namespace (1)',
	});
});

test('no JSON makes the decoder throw', () => {
	fc.assert(fc.property(fc.jsonValue(), (value) => void decode(value)));
});

test('nor does JSON nested deeper than the stack', () => {
	const deep = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
	const metadata = {namespace: 'a', name: 'b', labels: deep, managedFields: deep};
	expect(decode({metadata, spec: {tolerations: deep, taints: deep}}).pod).toMatchObject({name: 'b'});
});

// Arbitrary JSON rarely has the right field names, so real objects are also corrupted one field at a time.
test.for([
	{name: 'node', object: fullNode},
	{name: 'pod', object: fullPod},
])('no field of a $name makes the decoder throw, whatever it holds', ({object}) => {
	fc.assert(
		fc.property(fc.nat(200), fc.jsonValue(), (nth, junk) => {
			let seen = 0;
			const spoilt = JSON.parse(JSON.stringify(object), (_, value) => (seen++ === nth ? junk : value));
			void decode(spoilt);
		}),
	);
});

test('a lease that somebody else wrote since its renewal was touched, and not renewed, then', () => {
	const renewed = {manager: 'kubelet', operation: 'Update', fieldsV1: {'f:spec': {'f:renewTime': {}}}};
	const labelled = {manager: 'kubectl-label', operation: 'Update', fieldsV1: {'f:metadata': {}}};
	const lease = (labelledAt: string, renewal: object = renewed) =>
		new Decoder().lease.decode({
			metadata: {
				...{namespace: 'kube-node-lease', name: 'n1'},
				managedFields: [
					{...renewal, time: '2026-01-02T03:04:05Z'},
					{...labelled, time: labelledAt},
				],
			},
		});
	const [renewedAt, later] = [Date.UTC(2026, 0, 2, 3, 4, 5), Date.UTC(2026, 0, 2, 3, 4, 25)];
	expect(lease('2026-01-02T03:04:25Z')).toMatchObject({writes: [{time: renewedAt}], touchedAt: later});
	expect(lease('2026-01-02T03:04:00Z')?.touchedAt).toBeUndefined();
	// An older recording, without the renewing manager's fields.
	const {fieldsV1: _, ...untold} = renewed;
	expect(lease('2026-01-02T03:04:25Z', untold)?.writes).toHaveLength(2);
});

test.for([
	['apps/v1', 'StatefulSet', 'StatefulSet'],
	['apps.kruise.io/v1beta1', 'StatefulSet', 'StatefulSet.apps.kruise.io'],
	['batch.volcano.sh/v1alpha1', 'Job', 'Job.batch.volcano.sh'],
	['extensions/v1beta1', 'ReplicaSet', 'ReplicaSet'],
	['kubevirt.io/v1', 'VirtualMachineInstance', 'VirtualMachineInstance'],
	['v1', 'Node', 'Node'],
] as const)('an owner of %s %s is a %s', ([apiVersion, kind, want]) => {
	const ownerReferences = [{apiVersion, kind, name: 'a', uid: 'u', controller: true}];
	expect(decode({metadata: {namespace: 'a', name: 'b', ownerReferences}}).pod?.owner?.kind).toBe(want);
});
