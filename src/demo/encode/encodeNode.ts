import type {FieldWrite} from '../../core/model/fieldWrite.ts';
import type {Node, NodeCondition} from '../../core/model/node.ts';
import type {Taint} from '../../core/model/taint.ts';
import type {ApiObject, ManagedFields} from './apiObject.ts';
import {encodeFieldWrite, encodeTime, hashOf} from './encodeMeta.ts';

const capacity = {cpu: '8', memory: '32Gi', 'ephemeral-storage': '100Gi', pods: '110'};

/** A node as its kubelet would have registered it, with the conditions and taints of the model. */
export function encodeNode(node: Node, kubeletVersion = 'v1.36.3'): ApiObject {
	return {
		apiVersion: 'v1',
		kind: 'Node',
		metadata: {
			name: node.name,
			uid: node.uid,
			creationTimestamp: encodeTime(node.createdAt),
			labels: node.labels,
			managedFields: managedFieldsOf(node),
		},
		spec: {
			...(node.taints.length > 0 && {taints: node.taints.map(encodeTaint)}),
			...(node.unschedulable && {unschedulable: true}),
		},
		status: {
			addresses: [
				{type: 'InternalIP', address: nodeAddress(node.name)},
				{type: 'Hostname', address: node.name},
			],
			capacity,
			allocatable: capacity,
			conditions: node.conditions.map(encodeCondition),
			nodeInfo: nodeInfo(node, kubeletVersion),
		},
	};
}

/** A made-up address for a node of this name. */
export function nodeAddress(name: string): string {
	const hash = hashOf(name);
	return `10.0.${hash & 0xff}.${1 + ((hash >>> 8) % 254)}`;
}

// In JSON, an absent value means empty, and times are whole seconds.
const encodeTaint = ({key, value, effect, timeAdded}: Taint) => ({
	key,
	...(value !== '' && {value}),
	effect,
	...(timeAdded !== undefined && {timeAdded: encodeTime(timeAdded)}),
});

function encodeCondition({type, status, reason, ...times}: NodeCondition) {
	// Uses the kubelet's usual reason if the model's reason has no known message.
	const isKnown = reason !== undefined && reason in messages;
	const usual = status === 'Unknown' ? 'NodeStatusUnknown' : reasons[`${type}=${status}`];
	const shown = (isKnown ? reason : usual) ?? reason ?? type;
	return {
		type,
		status,
		lastHeartbeatTime: encodeTime(times.lastHeartbeatTime),
		lastTransitionTime: encodeTime(times.lastTransitionTime),
		reason: shown,
		message: times.message ?? messages[shown] ?? '',
	};
}

const reasons: Readonly<Record<string, string>> = {
	'Ready=True': 'KubeletReady',
	'Ready=False': 'KubeletNotReady',
	'MemoryPressure=True': 'KubeletHasInsufficientMemory',
	'MemoryPressure=False': 'KubeletHasSufficientMemory',
	'DiskPressure=True': 'KubeletHasDiskPressure',
	'DiskPressure=False': 'KubeletHasNoDiskPressure',
	'PIDPressure=True': 'KubeletHasInsufficientPID',
	'PIDPressure=False': 'KubeletHasSufficientPID',
};

// Messages of the kubelet and of the node lifecycle controller.
const messages: Readonly<Record<string, string>> = {
	KubeletReady: 'kubelet is posting ready status',
	KubeletNotReady: 'container runtime network not ready',
	KubeletHasInsufficientMemory: 'kubelet has insufficient memory available',
	KubeletHasSufficientMemory: 'kubelet has sufficient memory available',
	KubeletHasDiskPressure: 'kubelet has disk pressure',
	KubeletHasNoDiskPressure: 'kubelet has no disk pressure',
	KubeletHasInsufficientPID: 'kubelet has insufficient PID available',
	KubeletHasSufficientPID: 'kubelet has sufficient PID available',
	NodeStatusUnknown: 'Kubelet stopped posting node status.',
	NodeStatusNeverUpdated: 'Kubelet never posted node status.',
};

function managedFieldsOf(node: Node): readonly ManagedFields[] {
	const taintFields = {apiVersion: 'v1', fieldsV1: {'f:spec': {'f:taints': {}}}};
	const statusFields = {
		apiVersion: 'v1',
		fieldsV1: {'f:status': {'f:conditions': {}}},
		subresource: 'status',
	};
	const heartbeats = node.conditions.map(({lastHeartbeatTime}) => lastHeartbeatTime);
	const status: FieldWrite[] =
		heartbeats.length > 0 ? [{manager: 'kubelet', operation: 'Update', time: Math.max(...heartbeats)}] : [];
	return [
		...(node.taintWrites ?? assumedTaintWrites(node)).map((write) => encodeFieldWrite(write, taintFields)),
		...status.map((write) => encodeFieldWrite(write, statusFields)),
	];
}

// Only the node lifecycle controller sets timeAdded.
function assumedTaintWrites({taints}: Node): readonly FieldWrite[] {
	const times = taints.flatMap(({timeAdded}) => timeAdded ?? []);
	if (times.length === 0) return [];
	return [{manager: 'kube-controller-manager', operation: 'Update', time: Math.max(...times)}];
}

const nodeInfo = ({name, uid}: Node, kubeletVersion: string) => ({
	architecture: 'amd64',
	bootID: uid,
	containerRuntimeVersion: 'containerd://2.1.4',
	kernelVersion: '6.12.0-demo',
	kubeProxyVersion: '',
	kubeletVersion,
	machineID: hashOf(name).toString(16).padStart(8, '0'),
	operatingSystem: 'linux',
	osImage: 'Demo Linux',
	systemUUID: uid,
});
