import type {V1Pod, V1PodStatus} from '@kubernetes/client-node';
import {maxOf} from '../../core/collections/extremes.ts';
import type {KubeletConfig} from '../../core/model/kubeletConfig.ts';
import {isPodTerminal} from '../../core/model/pod.ts';
import type {EvictedPod, PressureLook} from '../../core/nodepressure/pressureLook.ts';
import type {Summary} from '../../core/nodepressure/summary.ts';
import type {EvictionConfig} from '../../core/nodepressure/thresholds/evictionSettings.ts';
import {type Instant, second} from '../../core/time/instant.ts';
import {redactedHead} from '../../text/redact.ts';
import type {ReportFlaw} from '../codec/decodeNode.ts';
import {isKubeletEviction} from '../codec/decodePod.ts';
import {countOf, ifObject, objectOf} from '../codec/objectOf.ts';
import {
	decodeDuration,
	decodeTime,
	eachOf,
	entriesOf,
	type Fields,
	fieldsOf,
	itemsOf,
	numberOf,
	parseExactJson,
	partsOf,
	textIn,
	textMapOf,
	textOf,
} from '../codec/rawJson.ts';
import {RequestError} from '../transport/requestError.ts';
import type {Transport} from '../transport/transport.ts';
import {decodeNodePod} from './decodeNodePod.ts';
import {decodeSummary, nodeNameIn} from './decodeSummary.ts';
import type {KubeletClient} from './kubelets.ts';

/** The most letters that a node's name can have. */
const longestName = 253;

/** Reads a kubelet's statistics. @throws RequestError if it is not answered */
export const readNodeSummary = (
	kubelets: KubeletClient,
	node: string,
	signal?: AbortSignal,
): Promise<Summary> =>
	kubelets.ask(
		node,
		'/stats/summary',
		async (transport, path) => {
			const bytes = await transport.bytes(path, {}, 'application/json', 'statistics', signal);
			const named = namedSummary(bytes);
			if (!named) throw transport.notUnderstood(path);
			const {name, summary} = named;
			// The API server finds the kubelet of a node itself; some that are none name themselves otherwise.
			if (!kubelets.areAskedDirectly || name === node || name === '') return summary;
			throw new RequestError(
				`the kubelet that is asked at ${transport.server.host} is that of node ${redactedHead(name, longestName)}, not of ${node}`,
				'check which InternalIP the node reports: kubectl get nodes -o wide',
			);
		},
		signal,
	);

/** The statistics that a kubelet sent, and of which node; undefined if they are none. */
function namedSummary(bytes: Buffer): {name: string; summary: Summary} | undefined {
	try {
		const value = parseExactJson(bytes.toString('utf8'));
		return {name: nodeNameIn(value), summary: decodeSummary(value)};
	} catch {
		return undefined;
	}
}

/** Reads a kubelet's eviction settings. @throws RequestError if it is not answered */
export async function readEvictionConfig(
	kubelets: KubeletClient,
	node: string,
	signal?: AbortSignal,
): Promise<EvictionConfig> {
	return decodeEvictionConfig(await readConfigz(kubelets, node, signal));
}

async function readConfigz(kubelets: KubeletClient, node: string, signal?: AbortSignal): Promise<unknown> {
	const answer = await kubelets.ask(
		node,
		'/configz',
		(transport, path) => transport.json(path, {}, signal),
		signal,
	);
	return fieldsOf<{kubeletconfig: unknown}>(answer).kubeletconfig;
}

const statementsOf = ifObject(textMapOf);
const booleanOf = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);

function periodsOf(value: unknown): EvictionConfig['shutdownGracePeriodByPodPriority'] {
	const periods = eachOf(value, (entry) => {
		const fields = fieldsOf<Record<'priority' | 'shutdownGracePeriodSeconds', unknown>>(entry);
		const [priority, seconds] = [numberOf(fields.priority), numberOf(fields.shutdownGracePeriodSeconds)];
		return priority === undefined || seconds === undefined
			? undefined
			: {priority, shutdownGracePeriodSeconds: seconds};
	});
	return periods.length > 0 ? periods : undefined;
}

/** Decodes the eviction manager's settings of a KubeletConfiguration. */
export const decodeEvictionConfig = objectOf<Omit<EvictionConfig, 'monitoringInterval'>>({
	evictionHard: statementsOf,
	evictionSoft: statementsOf,
	evictionSoftGracePeriod: statementsOf,
	evictionMinimumReclaim: statementsOf,
	evictionMaxPodGracePeriod: numberOf,
	evictionPressureTransitionPeriod: textIn,
	nodeStatusUpdateFrequency: textIn,
	volumeStatsAggPeriod: textIn,
	enforceNodeAllocatable: (value) => (Array.isArray(value) ? value.map(textOf) : undefined),
	localStorageCapacityIsolation: booleanOf,
	kernelMemcgNotification: booleanOf,
	shutdownGracePeriod: textIn,
	shutdownGracePeriodCriticalPods: textIn,
	shutdownGracePeriodByPodPriority: periodsOf,
});

/** Lists a node's active pods, as its eviction manager knows them, and its evicted ones. @throws RequestError if it cannot */
export async function readNodePods(
	transport: Transport,
	node: string,
	report: ReportFlaw,
	signal?: AbortSignal,
): Promise<Pick<PressureLook, 'pods' | 'evicted'>> {
	const answer = await transport.json(
		'/api/v1/pods',
		{fieldSelector: `spec.nodeName=${node}`},
		signal,
		'list',
	);
	return nodePodsIn(itemsOf(answer), report);
}

/** A node's active pods, as its eviction manager knows them, and its evicted ones, of all its pods. */
export const nodePodsIn = (
	pods: readonly unknown[],
	report: ReportFlaw,
): Pick<PressureLook, 'pods' | 'evicted'> => ({
	pods: pods.filter(isActive).map((pod) => decodeNodePod(pod, (flaw) => report(`${nameOf(pod)}: ${flaw}`))),
	evicted: pods.flatMap((pod) => evictedPodOf(pod) ?? []),
});

function nameOf(pod: unknown): string {
	const {namespace, name} = partsOf(pod).metadata;
	return `Pod ${textOf(namespace)}/${textOf(name)}`;
}

const isActive = (pod: unknown) => !isPodTerminal({phase: textOf(partsOf<V1Pod>(pod).status.phase)});

/** Prefix of each pressure eviction's message; a node's shutdown sets the same condition with another message. */
const lowMessage = 'The node was low on resource: ';

/**
 * The eviction that a core/v1 Pod shows; undefined if its kubelet did not evict it.
 *
 * @quirk a pod whose containers end with 0 is Succeeded, without reason or message: only its condition tells
 * @upstream kubernetes v1.36.3 pkg/kubelet/kubelet_pods.go getPhase
 */
export function evictedPodOf(value: unknown): EvictedPod | undefined {
	if (isActive(value)) return undefined;
	const {metadata, status} = partsOf<V1Pod>(value);
	const disruption = disruptionOf(status);
	const conditionMessage = textOf(disruption?.message);
	const isEvicted = isKubeletEviction(status);
	if (!isEvicted && !conditionMessage.startsWith(lowMessage)) return undefined;
	return {
		namespace: textOf(metadata.namespace),
		name: textOf(metadata.name),
		uid: textOf(metadata.uid),
		at: evictedAt(status),
		message: isEvicted ? textOf(status.message) : conditionMessage,
	};
}

const disruptionOf = (status: Fields<V1PodStatus>) =>
	entriesOf(status.conditions).find(
		(condition) => condition?.type === 'DisruptionTarget' && condition.reason === 'TerminationByKubelet',
	);

/** Since v1.26 a condition has the time; local storage limits set none, so the containers' end is used. */
function evictedAt(status: Fields<V1PodStatus>): Instant | undefined {
	const announced = decodeTime(disruptionOf(status)?.lastTransitionTime);
	if (announced !== undefined) return announced;
	const ends = eachOf(status.containerStatuses, (container) =>
		decodeTime(container?.state?.terminated?.finishedAt),
	);
	return ends.length > 0 ? maxOf(ends) : undefined;
}

/** Reads a kubelet's configuration. @throws RequestError if it is not answered */
export async function readKubeletConfig(kubelets: KubeletClient, node: string): Promise<KubeletConfig> {
	const config = fieldsOf<
		Record<'nodeLeaseDurationSeconds' | 'nodeStatusUpdateFrequency' | 'nodeStatusReportFrequency', unknown>
	>(await readConfigz(kubelets, node));
	const seconds = countOf(config.nodeLeaseDurationSeconds);
	return {
		node,
		leaseDuration: seconds > 0 ? seconds * second : undefined,
		statusUpdateFrequency: decodeDuration(config.nodeStatusUpdateFrequency),
		statusReportFrequency: decodeDuration(config.nodeStatusReportFrequency),
	};
}
