import {isRefusal, kubeletEvictionReason} from '../../core/model/pod.ts';
import type {KubeletReport} from '../../core/nodepressure/pressureLook.ts';
import {type RawEvent, subjectOf} from '../codec/decodeEvent.ts';
import {decodeTime, type Fields, fieldsOf, itemsOf, textIn, textOf} from '../codec/rawJson.ts';
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
			'statistics',
		),
		transport.json(
			'/api/v1/events',
			{fieldSelector: 'reason=Evicted', limit: maxEvents},
			signal,
			'statistics',
		),
	]);
	const reportsIn = (list: unknown) => itemsOf(list).flatMap((event) => reportOf(event) ?? []);
	return [
		...reportsIn(ofNodes).filter(({pod}) => pod === undefined),
		...reportsIn(ofPods).filter(({pod}) => pod !== undefined),
	];
}

/** Decodes an Event of core/v1 or events.k8s.io/v1; undefined unless it is about pressure. */
export function reportOf(value: unknown): KubeletReport | undefined {
	const event = fieldsOf<RawEvent>(value);
	const {source, about, kind, name, pod, message} = subjectOf(event);
	const reason = textOf(event.reason);
	const at = lastOf(event);
	if (source !== 'kubelet' || name === '' || at === undefined) return undefined;
	const isOfPod = kind === 'Pod' && reason === kubeletEvictionReason && !isRefusal(message);
	if (!isOfPod && !(kind === 'Node' && nodeReasons.has(reason))) return undefined;
	const {host} = event.source ?? event.deprecatedSource ?? {};
	const node = isOfPod ? textOf(host) || textOf(event.reportingInstance) : name;
	if (node === '') return undefined;
	const ofPod = isOfPod ? {pod, uid: textIn(about.uid)} : {};
	return {node, reason, at, message, ...ofPod};
}

const lastOf = (event: Fields<RawEvent>): number | undefined =>
	decodeTime(event.series?.lastObservedTime) ??
	decodeTime(event.lastTimestamp ?? event.deprecatedLastTimestamp) ??
	decodeTime(event.eventTime) ??
	decodeTime(event.firstTimestamp ?? event.deprecatedFirstTimestamp);
