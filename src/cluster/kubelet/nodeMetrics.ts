import {unique} from '../../core/collections/unique.ts';
import {podKey} from '../../core/model/pod.ts';
import type {NodePod} from '../../core/nodepressure/nodePod.ts';
import {int64Of} from '../../core/nodepressure/quantities/quantity.ts';
import type {ContainerStats, PodStats, Summary} from '../../core/nodepressure/summary.ts';
import {decodeTime, entriesOf, fieldsOf, itemsOf, partsOf, textOf} from '../codec/rawJson.ts';
import type {Transport} from '../transport/transport.ts';
import {validQuantity} from './decodeNodePod.ts';
import {readNodeStatus} from './kubelets.ts';

/** NodeMetrics and PodMetrics of metrics.k8s.io/v1beta1; only memory is read. */
type WireMetrics = Record<'timestamp' | 'usage' | 'containers', unknown>;

const root = '/apis/metrics.k8s.io/v1beta1';
/** The pods of a node are in few namespaces; further namespaces are not read. */
const maxNamespaces = 20;

/**
 * Reads a node's metrics in the form of kubelet statistics: working sets of the node and of its pods. Metrics lack disks,
 * inodes and processes. Requires permission to get nodes and list pods of metrics.k8s.io.
 *
 * @param pods the node's pods: metrics do not name the node
 * @throws RequestError if they are refused, or no metrics server runs
 */
export async function readMetrics(
	transport: Transport,
	node: string,
	pods: readonly NodePod[],
	signal?: AbortSignal,
): Promise<Summary> {
	const namespaces = unique(pods.map(({namespace}) => namespace)).slice(0, maxNamespaces);
	// First and alone: without a metrics server, nothing else is requested.
	const ofNode = await transport.json(`${root}/nodes/${encodeURIComponent(node)}`, {}, signal);
	const [capacity, ...ofPods] = await Promise.all([
		readNodeStatus(transport, node, signal).then((status) => memoryOf(status.capacity)),
		...namespaces.map((namespace) =>
			transport.json(`${root}/namespaces/${encodeURIComponent(namespace)}/pods`, {}, signal, 'statistics'),
		),
	]);
	const metrics = new Map(
		ofPods.flatMap(itemsOf).map((one) => [nameOf(one), fieldsOf<WireMetrics>(one)] as const),
	);
	const {timestamp, usage} = fieldsOf<WireMetrics>(ofNode);
	const workingSetBytes = memoryOf(usage);
	const time = decodeTime(timestamp);
	const isWhole = workingSetBytes !== undefined && capacity !== undefined;
	return {
		node: isWhole
			? {
					memory: {
						time,
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
	const time = decodeTime(timestamp);
	const containers = entriesOf(entries).map((entry): ContainerStats => {
		const {name, usage} = fieldsOf<{name: unknown; usage: unknown}>(entry);
		return {name: textOf(name), memory: {time, workingSetBytes: memoryOf(usage)}};
	});
	const known = containers.map(({memory}) => memory?.workingSetBytes);
	const isWhole = known.length > 0 && known.every((bytes) => bytes !== undefined);
	const workingSetBytes = isWhole ? known.reduce((sum, bytes) => sum + bytes, 0n) : undefined;
	return {
		uid,
		memory: isWhole ? {time, workingSetBytes} : undefined,
		containers,
		volumes: [],
	};
}

function nameOf(value: unknown): string {
	const {namespace, name} = partsOf(value).metadata;
	return `${textOf(namespace)}/${textOf(name)}`;
}

/** The entry `memory` of a resource list, in bytes. */
function memoryOf(list: unknown): bigint | undefined {
	const quantity = validQuantity(fieldsOf<{memory: unknown}>(list).memory);
	const bytes = quantity && int64Of(quantity);
	return bytes !== undefined && bytes >= 0n ? bytes : undefined;
}
