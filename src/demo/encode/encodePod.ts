import type {Pod, PodOwner} from '../../core/model/pod.ts';
import type {Toleration} from '../../core/model/toleration.ts';
import type {Instant} from '../../core/time/instant.ts';
import type {ApiObject, ObjectMeta, OwnerReference} from './apiObject.ts';
import {encodeTime, hashOf} from './encodeMeta.ts';
import {nodeAddress} from './encodeNode.ts';

export type DemoContainer = {
	readonly name: string;
	readonly image: string;
	/** The flags of a static controller manager are read from here. */
	readonly command?: readonly string[];
	readonly memory?: {readonly request?: string; readonly limit?: string};
};

/** Fields of a pod that the model does not have. */
export type PodExtras = {
	/** Defaults to one container named `app`. */
	readonly containers?: readonly DemoContainer[];
	readonly restartCount?: number;
	/** Set if its kubelet evicted it. */
	readonly eviction?: {readonly at: Instant; readonly message: string};
};

const terminationGracePeriodSeconds = 30;

/** A pod as a kubelet would report it, in the phase and readiness of the model. */
export function encodePod(pod: Pod, extras: PodExtras = {}): ApiObject {
	const containers = extras.containers ?? [{name: 'app', image: 'registry.demo/app:1'}];
	return {
		apiVersion: 'v1',
		kind: 'Pod',
		metadata: metadataOf(pod),
		spec: {
			...(pod.nodeName !== '' && {nodeName: pod.nodeName}),
			containers: containers.map(({memory, ...container}) => ({
				...container,
				resources: resourcesOf(memory),
			})),
			tolerations: pod.tolerations.map(encodeToleration),
			...(pod.priority !== undefined && {priority: pod.priority}),
			restartPolicy: 'Always',
			schedulerName: 'default-scheduler',
			terminationGracePeriodSeconds,
		},
		status: statusOf(pod, containers, extras),
	};
}

// In JSON, an absent value means empty.
const encodeToleration = ({key, operator, value, effect, tolerationSeconds}: Toleration) => ({
	...(key !== '' && {key}),
	...(operator !== '' && {operator}),
	...(value !== '' && {value}),
	...(effect !== '' && {effect}),
	...(tolerationSeconds !== undefined && {tolerationSeconds}),
});

function metadataOf(pod: Pod): ObjectMeta {
	const {deletionTimestamp, deletionGracePeriodSeconds = terminationGracePeriodSeconds} = pod;
	const hash = mirrorHash(pod);
	return {
		name: pod.name,
		namespace: pod.namespace,
		uid: pod.uid,
		creationTimestamp: encodeTime(pod.createdAt),
		labels: pod.labels,
		...(pod.isMirror && {annotations: mirrorAnnotations(hash)}),
		...(pod.owner && {ownerReferences: [encodeOwner(pod.owner)]}),
		...(deletionTimestamp !== undefined && {
			deletionTimestamp: encodeTime(deletionTimestamp),
			deletionGracePeriodSeconds,
		}),
	};
}

/** The hash of a static pod's manifest, which its kubelet uses as UID. */
export const mirrorHash = ({uid}: Pod): string => hashOf(uid).toString(16).padStart(8, '0');

const mirrorAnnotations = (hash: string) => ({
	'kubernetes.io/config.hash': hash,
	'kubernetes.io/config.mirror': hash,
	'kubernetes.io/config.source': 'file',
});

const apiVersionOfKind: Readonly<Record<string, string>> = {
	Deployment: 'apps/v1',
	ReplicaSet: 'apps/v1',
	StatefulSet: 'apps/v1',
	DaemonSet: 'apps/v1',
	Job: 'batch/v1',
};

export const encodeOwner = ({kind, name, uid}: PodOwner): OwnerReference => ({
	apiVersion: apiVersionOfKind[kind] ?? 'v1',
	kind,
	name,
	uid,
	controller: true,
	// The kubelet does not set it on mirror pods.
	...(kind !== 'Node' && {blockOwnerDeletion: true}),
});

const resourcesOf = ({request, limit}: NonNullable<DemoContainer['memory']> = {}) => ({
	...(request !== undefined && {requests: {memory: request}}),
	...(limit !== undefined && {limits: {memory: limit}}),
});

function statusOf(pod: Pod, containers: readonly DemoContainer[], {restartCount = 0, eviction}: PodExtras) {
	const isBound = pod.nodeName !== '';
	const startedAt = encodeTime(pod.scheduledAt ?? pod.createdAt);
	const containerStatus = ({name, image}: DemoContainer) => ({
		name,
		image,
		ready: pod.ready === 'True',
		restartCount,
		state: containerState(pod.phase, startedAt),
	});
	return {
		phase: pod.phase,
		...(eviction && {reason: 'Evicted', message: eviction.message}),
		conditions: [...conditionsOf(pod, startedAt), ...(eviction ? [evictionCondition(eviction)] : [])],
		...(isBound && {
			...addressesOf(pod),
			startTime: startedAt,
			containerStatuses: containers.map(containerStatus),
		}),
		qosClass: containers.some(({memory}) => memory !== undefined) ? 'Burstable' : 'BestEffort',
	};
}

const evictionCondition = ({at, message}: NonNullable<PodExtras['eviction']>) => ({
	...{type: 'DisruptionTarget', status: 'True', lastTransitionTime: encodeTime(at)},
	...{reason: 'TerminationByKubelet', message},
});

/** One of waiting, running and terminated. */
function containerState(phase: string, startedAt: string) {
	switch (phase) {
		case 'Running':
			return {running: {startedAt}};
		case 'Succeeded':
			return {terminated: {reason: 'Completed', startedAt}};
		case 'Failed':
			return {terminated: {reason: 'Error', startedAt}};
		default:
			return {waiting: {reason: 'ContainerCreating'}};
	}
}

function conditionsOf(
	{nodeName, ready, readyChangedAt, readySince, isDisruptionTarget, evictedAt}: Pod,
	startedAt: string,
) {
	const condition = (type: string, status: string) => ({type, status, lastTransitionTime: startedAt});
	const knownAt = readyChangedAt ?? readySince;
	const changedAt = knownAt === undefined ? startedAt : encodeTime(knownAt);
	if (nodeName === '') return [{...condition('PodScheduled', 'False'), reason: 'Unschedulable'}];
	const disruption = {
		...condition('DisruptionTarget', 'True'),
		...(evictedAt === undefined
			? {reason: 'DeletionByPodGC', message: 'PodGC: node no longer exists'}
			: {
					lastTransitionTime: encodeTime(evictedAt),
					reason: 'DeletionByTaintManager',
					message: 'Taint manager: deleting due to NoExecute taint',
				}),
	};
	return [
		condition('PodScheduled', 'True'),
		condition('Initialized', 'True'),
		...(ready === undefined
			? []
			: [
					{...condition('Ready', ready), lastTransitionTime: changedAt},
					condition('ContainersReady', readyChangedAt === undefined ? ready : 'True'),
				]),
		...(isDisruptionTarget ? [disruption] : []),
	];
}

function addressesOf({uid, nodeName}: Pod) {
	const hash = hashOf(uid);
	const podIP = `10.244.${hash & 0xff}.${1 + ((hash >>> 8) % 254)}`;
	const hostIP = nodeAddress(nodeName);
	return {podIP, podIPs: [{ip: podIP}], hostIP, hostIPs: [{ip: hostIP}]};
}
