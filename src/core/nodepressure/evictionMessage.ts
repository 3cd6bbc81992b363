import type {TextMap} from '../../text/textMap.ts';
import {nameOf} from '../model/objectName.ts';
import type {NodePod} from './nodePod.ts';
import {hasPodLevelResources} from './podResources.ts';
import {formatQuantity} from './quantities/formatQuantity.ts';
import {compareQuantities, newQuantity, type Quantity} from './quantities/quantity.ts';
import type {ContainerStats, PodStats} from './summary.ts';
import {availableQuantity, type Observations} from './thresholds/observations.ts';
import {resourceOf, type StarvedResource} from './thresholds/signal.ts';
import {type Threshold, thresholdQuantity} from './thresholds/threshold.ts';

/** Texts of the eviction's event and of the pod's status. */
type EvictionMessage = {
	readonly message: string;
	/** Annotations of the event; none if the kubelet has no statistics of the pod. */
	readonly annotations: TextMap;
};

/**
 * Builds the message of an eviction for node pressure.
 *
 * @param thresholds those that drive this pass, the one chosen for reclaim first
 * @quirk containers are blamed by rootfs and logs together, whichever file system runs short
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/helpers.go evictionMessage
 */
export function evictionMessage(
	resource: StarvedResource,
	pod: NodePod,
	stats: PodStats | undefined,
	thresholds: readonly Threshold[],
	observations: Observations,
): EvictionMessage {
	const low = `The node was low on resource: ${resource}. ${thresholdMessage(resource, thresholds, observations)}`;
	if (!stats) return {message: low, annotations: {}};
	const ofPod = resource === 'memory' ? podMessage(pod, stats) : undefined;
	const offenders = offendersAmong(pod, stats, resource);
	return {
		message: low + (ofPod?.message ?? '') + offenders.map(({message}) => message).join(''),
		annotations: {
			...ofPod?.annotations,
			offending_containers: offenders.map(nameOf).join(','),
			offending_containers_usage: offenders.map(({usage}) => usage).join(','),
			starved_resource: resource,
		},
	};
}

/**
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/helpers.go getThresholdMetInfo
 */
function thresholdMessage(
	resource: StarvedResource,
	thresholds: readonly Threshold[],
	observations: Observations,
): string {
	const threshold = thresholds.find(
		({signal}) => resourceOf(signal) === resource && observations.has(signal),
	);
	const observed = threshold && observations.get(threshold.signal);
	if (!threshold || !observed) return '';
	const quantity = formatQuantity(thresholdQuantity(threshold.value, observed.capacity));
	const available = formatQuantity(availableQuantity(threshold.signal, observed));
	return `Threshold quantity: ${quantity}, available: ${available}. `;
}

function podMessage(pod: NodePod, stats: PodStats): EvictionMessage | undefined {
	const request = hasPodLevelResources(pod) ? pod.resources?.requests['memory'] : undefined;
	if (!request || !stats.memory) return undefined;
	const usage = formatQuantity(bytes(stats.memory.workingSetBytes ?? 0n));
	return {
		message: `Pod ${pod.name} was using ${usage}, request is ${formatQuantity(request)}, has larger consumption of memory. `,
		annotations: {offending_pod: pod.name, offending_pod_usage: usage},
	};
}

function offendersAmong(pod: NodePod, stats: PodStats, resource: StarvedResource) {
	const containers = [...pod.containers, ...pod.initContainers];
	return stats.containers.flatMap((ofContainer) => {
		const container = containers.find(({name}) => name === ofContainer.name);
		const usage = container && usageOf(ofContainer, resource);
		if (!container || !usage) return [];
		const request = container.requests[resource] ?? nothing;
		if (compareQuantities(usage, request) <= 0) return [];
		const [name, used] = [container.name, formatQuantity(usage)];
		const message = `Container ${name} was using ${used}, request is ${formatQuantity(request)}, has larger consumption of ${resource}. `;
		return [{name, usage: used, message}];
	});
}

function usageOf({memory, rootfs, logs}: ContainerStats, resource: StarvedResource): Quantity | undefined {
	if (resource === 'memory')
		return memory?.workingSetBytes === undefined ? undefined : bytes(memory.workingSetBytes);
	if (resource !== 'ephemeral-storage') return undefined;
	if (rootfs?.usedBytes === undefined || logs?.usedBytes === undefined) return undefined;
	return bytes(rootfs.usedBytes + logs.usedBytes);
}

const bytes = (amount: bigint): Quantity => newQuantity(BigInt.asIntN(64, amount), 'BinarySI');
const nothing = newQuantity(0n, 'BinarySI');
