import {encodeNode} from '../../cluster/codec/encodeObject.ts';
import {maxOf} from '../../core/collections/extremes.ts';
import type {Node, NodeCondition} from '../../core/model/node.ts';
import {type ApiObject, withMore} from './apiObject.ts';
import {hashOf, serverTime} from './encodeMeta.ts';

const capacity = {cpu: '8', memory: '32Gi', 'ephemeral-storage': '100Gi', pods: '110'};

/** A node as its kubelet would have registered it, with the conditions and taints of the model. */
export function encodeDemoNode(node: Node, kubeletVersion = 'v1.36.3'): ApiObject {
	const {taints, conditions} = node;
	// Only the node lifecycle controller sets timeAdded.
	const times = taints.flatMap(({timeAdded}) => timeAdded ?? []);
	const write = {manager: 'kube-controller-manager', operation: 'Update', time: maxOf(times)};
	const taintWrites = node.taintWrites ?? (times.length > 0 ? [write] : []);
	return withMore(encodeNode({...node, taintWrites, conditions: conditions.map(withReason)}, serverTime), {
		status: {
			addresses: [
				{type: 'InternalIP', address: nodeAddress(node.name)},
				{type: 'Hostname', address: node.name},
			],
			capacity,
			allocatable: capacity,
			nodeInfo: {
				architecture: 'amd64',
				containerRuntimeVersion: 'containerd://2.1.4',
				kernelVersion: '6.12.0-demo',
				kubeletVersion,
				operatingSystem: 'linux',
				osImage: 'Demo Linux',
			},
		},
	});
}

/** A made-up address for a node of this name. */
export const nodeAddress = (name: string) => addressIn('10.0', name);

export function addressIn(network: string, name: string): string {
	const hash = hashOf(name);
	return `${network}.${hash & 0xff}.${1 + ((hash >>> 8) % 254)}`;
}

/** A kubelet's reason and message for a condition. */
const ofKubelets: Readonly<Record<string, readonly [reason: string, message: string]>> = {
	'Ready=True': ['KubeletReady', 'kubelet is posting ready status'],
	'Ready=False': ['KubeletNotReady', 'container runtime network not ready'],
	'MemoryPressure=True': ['KubeletHasInsufficientMemory', 'kubelet has insufficient memory available'],
	'MemoryPressure=False': ['KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
	'DiskPressure=True': ['KubeletHasDiskPressure', 'kubelet has disk pressure'],
	'DiskPressure=False': ['KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
	'PIDPressure=True': ['KubeletHasInsufficientPID', 'kubelet has insufficient PID available'],
	'PIDPressure=False': ['KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
};

function withReason(condition: NodeCondition): NodeCondition {
	const {type, status, reason} = condition;
	const [usual, message] =
		status === 'Unknown'
			? [reason ?? 'NodeStatusUnknown', 'Kubelet stopped posting node status.']
			: (ofKubelets[`${type}=${status}`] ?? [reason ?? type, '']);
	return {message, ...condition, reason: usual};
}
