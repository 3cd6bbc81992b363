import type {CoreV1Event, V1ObjectReference} from '@kubernetes/client-node';
import type {KubeletReport} from '../../core/nodepressure/pressureLook.ts';
import {decodeTime, entriesOf, fieldsOf, present, textOf} from '../codec/rawJson.ts';
import type {Transport} from '../transport/transport.ts';

/** Reasons of a kubelet's events about resource pressure of its node. */
const nodeReasons: ReadonlySet<string> = new Set([
	'EvictionThresholdMet',
	'FreeDiskSpaceFailed',
	'ImageGCFailed',
	'ContainerGCFailed',
	'SystemOOM',
]);

/** Limit of each list. Some of thousands of evictions suffice: they only select and date the nodes to look at. */
const maxEvents = '1000';

/** Reads kubelets' events about pressure, kept for an hour, filtered by the server. @throws RequestError if they cannot be read */
export async function readKubeletReports(
	transport: Transport,
	signal?: AbortSignal,
): Promise<readonly KubeletReport[]> {
	const [ofNodes, ofPods] = await Promise.all([
		transport.json(
			'/api/v1/namespaces/default/events',
			{fieldSelector: 'involvedObject.kind=Node,type=Warning', limit: maxEvents},
			signal,
		),
		transport.json('/api/v1/events', {fieldSelector: 'reason=Evicted', limit: maxEvents}, signal),
	]);
	const reportsIn = (list: unknown) =>
		entriesOf(fieldsOf<{items: unknown}>(list).items).flatMap((event) => reportOf(event) ?? []);
	return [
		...reportsIn(ofNodes).filter(({pod}) => pod === undefined),
		...reportsIn(ofPods).filter(({pod}) => pod !== undefined),
	];
}

/** Decodes a core/v1 Event; undefined unless it is about pressure. */
export function reportOf(value: unknown): KubeletReport | undefined {
	const event = fieldsOf<CoreV1Event>(value);
	const about = fieldsOf<V1ObjectReference>(event.involvedObject);
	const {component, host} = fieldsOf<{component: unknown; host: unknown}>(event.source);
	const source = textOf(component) || textOf(event.reportingComponent);
	const [reason, name] = [textOf(event.reason), textOf(about.name)];
	const at = lastOf(value);
	if (source !== 'kubelet' || name === '' || at === undefined) return undefined;
	const isOfPod = about.kind === 'Pod' && reason === 'Evicted';
	if (!isOfPod && !(about.kind === 'Node' && nodeReasons.has(reason))) return undefined;
	const node = isOfPod ? textOf(host) || textOf(event.reportingInstance) : name;
	if (node === '') return undefined;
	const pod = isOfPod ? `${textOf(about.namespace)}/${name}` : undefined;
	const uid = isOfPod && textOf(about.uid) !== '' ? textOf(about.uid) : undefined;
	return {node, reason, at, message: textOf(event.message), ...present('pod', pod), ...present('uid', uid)};
}

function lastOf(value: unknown): number | undefined {
	const event = fieldsOf<CoreV1Event>(value);
	const {lastObservedTime} = fieldsOf<{lastObservedTime: unknown}>(event.series);
	return (
		decodeTime(lastObservedTime) ??
		decodeTime(event.lastTimestamp) ??
		decodeTime(event.eventTime) ??
		decodeTime(event.firstTimestamp)
	);
}
