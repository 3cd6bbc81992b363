import type {CoreV1Event, V1ObjectReference} from '@kubernetes/client-node';
import type {KubeletReport} from '../../core/nodepressure/pressureLook.ts';
import {decodeTime, entriesOf, fieldsOf, present, textOf} from '../codec/rawJson.ts';
import type {Transport} from '../transport/transport.ts';

/** What a kubelet says of its node where something runs short. */
const nodeReasons: ReadonlySet<string> = new Set([
	'EvictionThresholdMet',
	'FreeDiskSpaceFailed',
	'ImageGCFailed',
	'ContainerGCFailed',
	'SystemOOM',
]);

/** Where thousands of pods are evicted, some of them tell enough: they only say which nodes are worth a look, and date it. */
const mostEvents = '1000';

/**
 * What kubelets reported of pressure within the hour for which events are kept. The server picks out warnings about nodes
 * and evictions of pods: all others stay where they are.
 *
 * @throws RequestError where they may not be read
 */
export async function readKubeletReports(
	transport: Transport,
	signal?: AbortSignal,
): Promise<readonly KubeletReport[]> {
	const [ofNodes, ofPods] = await Promise.all([
		transport.json(
			'/api/v1/namespaces/default/events',
			{fieldSelector: 'involvedObject.kind=Node,type=Warning', limit: mostEvents},
			signal,
		),
		transport.json('/api/v1/events', {fieldSelector: 'reason=Evicted', limit: mostEvents}, signal),
	]);
	const reportsIn = (list: unknown) =>
		entriesOf(fieldsOf<{items: unknown}>(list).items).flatMap((event) => reportOf(event) ?? []);
	return [
		...reportsIn(ofNodes).filter(({pod}) => pod === undefined),
		...reportsIn(ofPods).filter(({pod}) => pod !== undefined),
	];
}

/** Reads a core/v1 Event; undefined for all that tells nothing of pressure. */
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
