import type {V1Node, V1NodeStatus, V1ObjectMeta} from '@kubernetes/client-node';
import {podKey} from '../../core/model/pod.ts';
import type {NodePod} from '../../core/nodepressure/nodePod.ts';
import {int64Of} from '../../core/nodepressure/quantities/quantity.ts';
import type {ContainerStats, PodStats, Summary} from '../../core/nodepressure/summary.ts';
import {decodeTime, entriesOf, fieldsOf, present, textOf} from '../codec/rawJson.ts';
import type {Transport} from '../transport/transport.ts';
import {saneQuantity} from './decodeNodePod.ts';

/** NodeMetrics and PodMetrics of metrics.k8s.io/v1beta1, as far as memory goes. */
type WireMetrics = Record<'metadata' | 'timestamp' | 'usage' | 'containers', unknown>;

const root = '/apis/metrics.k8s.io/v1beta1';
/** A node has the pods of a few namespaces; where there are more, the rest is not seen. */
const mostNamespaces = 20;

/**
 * What the metrics API tells of a node, in the form of its kubelet's statistics: the working sets of the node and of its
 * pods. Of disks, inodes and processes it knows nothing. It takes the right to get nodes and to list pods of metrics.k8s.io.
 *
 * @param pods of the node: metrics do not say whose they are
 * @throws RequestError where they are refused, or no metrics server runs
 */
export async function readMetrics(
	transport: Transport,
	node: string,
	pods: readonly NodePod[],
	signal?: AbortSignal,
): Promise<Summary> {
	const namespaces = [...new Set(pods.map(({namespace}) => namespace))].slice(0, mostNamespaces);
	// First, and alone: where nobody measures, nothing else is asked.
	const ofNode = await transport.json(`${root}/nodes/${encodeURIComponent(node)}`, {}, signal);
	const [capacity, ...ofPods] = await Promise.all([
		readMemoryCapacity(transport, node, signal),
		...namespaces.map((namespace) =>
			transport.json(`${root}/namespaces/${encodeURIComponent(namespace)}/pods`, {}, signal),
		),
	]);
	const metrics = new Map(
		ofPods
			.flatMap((list) => entriesOf(fieldsOf<{items: unknown}>(list).items))
			.map((one) => [nameOf(one), fieldsOf<WireMetrics>(one)] as const),
	);
	const {timestamp, usage} = fieldsOf<WireMetrics>(ofNode);
	const workingSetBytes = memoryOf(usage);
	const time = present('time', decodeTime(timestamp));
	const isWhole = workingSetBytes !== undefined && capacity !== undefined;
	return {
		node: isWhole
			? {
					memory: {
						...time,
						workingSetBytes,
						availableBytes: BigInt.asUintN(64, capacity - workingSetBytes),
					},
				}
			: {},
		pods: pods.flatMap((pod) => {
			const found = metrics.get(podKey(pod));
			return found ? [podStats(pod.uid, found)] : [];
		}),
	};
}

function podStats(uid: string, {timestamp, containers: entries}: Partial<WireMetrics>): PodStats {
	const time = present('time', decodeTime(timestamp));
	const containers = entriesOf(entries).map((entry): ContainerStats => {
		const {name, usage} = fieldsOf<{name: unknown; usage: unknown}>(entry);
		return {name: textOf(name), memory: {...time, ...present('workingSetBytes', memoryOf(usage))}};
	});
	const known = containers.map(({memory}) => memory?.workingSetBytes);
	const isWhole = known.length > 0 && known.every((bytes) => bytes !== undefined);
	return {
		uid,
		...(isWhole && {memory: {...time, workingSetBytes: known.reduce((sum, bytes) => sum + bytes, 0n)}}),
		containers,
		volumes: [],
	};
}

/** What the node has in all, as its kubelet told the API server. */
async function readMemoryCapacity(
	transport: Transport,
	node: string,
	signal?: AbortSignal,
): Promise<bigint | undefined> {
	const list = await transport.json('/api/v1/nodes', {fieldSelector: `metadata.name=${node}`}, signal);
	const [found] = entriesOf(fieldsOf<{items: unknown}>(list).items);
	const {capacity} = fieldsOf<V1NodeStatus>(fieldsOf<V1Node>(found).status);
	return memoryOf(capacity);
}

function nameOf(value: unknown): string {
	const {namespace, name} = fieldsOf<V1ObjectMeta>(fieldsOf<WireMetrics>(value).metadata);
	return `${textOf(namespace)}/${textOf(name)}`;
}

/** The entry `memory` of a list of quantities, in bytes. */
function memoryOf(list: unknown): bigint | undefined {
	const quantity = saneQuantity(fieldsOf<{memory: unknown}>(list).memory);
	const bytes = quantity && int64Of(quantity);
	return bytes !== undefined && bytes >= 0n ? bytes : undefined;
}
