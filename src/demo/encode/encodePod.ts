import {encodePod} from '../../cluster/codec/encodeObject.ts';
import type {Pod, PodOwner} from '../../core/model/pod.ts';
import type {Instant} from '../../core/time/instant.ts';
import {type ApiObject, valueAt, withMore} from './apiObject.ts';
import {hashOf, serverTime} from './encodeMeta.ts';
import {addressIn, nodeAddress} from './encodeNode.ts';
import type {DemoWorkload} from './workload.ts';

const terminationGracePeriodSeconds = 30;

/** That a kubelet evicted a pod. */
export type DemoEviction = {readonly at: Instant; readonly message: string};

/** A pod of a workload as a kubelet would report it, in the phase and readiness of the model. */
export function encodeDemoPod(
	pod: Pod,
	{name, command, memory}: Pick<DemoWorkload, 'name' | 'command' | 'memory'>,
	eviction?: DemoEviction,
): ApiObject {
	const container = {name, image: `registry.demo/${name}:1`};
	const startedAt = serverTime(pod.scheduledAt ?? pod.createdAt);
	const object = encodePod(shownPod(pod), serverTime);
	const conditions = valueAt(object as ApiObject, 'status.conditions') as readonly object[] | undefined;
	return withMore(object, {
		metadata: {
			...(pod.isMirror && {
				annotations: {
					'kubernetes.io/config.hash': mirrorHash(pod),
					'kubernetes.io/config.mirror': mirrorHash(pod),
					'kubernetes.io/config.source': 'file',
				},
			}),
			...(pod.owner && {ownerReferences: [ownerReference(pod.owner)]}),
		},
		spec: {
			containers: [
				{
					...container,
					command,
					resources: {requests: amount(memory?.request), limits: amount(memory?.limit)},
				},
			],
			restartPolicy: 'Always',
			schedulerName: 'default-scheduler',
			terminationGracePeriodSeconds,
		},
		status: {
			qosClass: memory === undefined ? 'BestEffort' : 'Burstable',
			...(eviction && {
				reason: 'Evicted',
				message: eviction.message,
				conditions: [
					...(conditions ?? []),
					{
						type: 'DisruptionTarget',
						status: 'True',
						lastTransitionTime: serverTime(eviction.at),
						reason: 'TerminationByKubelet',
						message: eviction.message,
					},
				],
			}),
			...(pod.nodeName === ''
				? {conditions: [unscheduled]}
				: {
						...addressesOf(pod),
						startTime: startedAt,
						containerStatuses: [
							{
								...container,
								ready: pod.ready === 'True',
								restartCount: 0,
								state: containerState(pod.phase, startedAt),
							},
						],
					}),
		},
	});
}

/** The pod with the times that the model leaves out. */
function shownPod(pod: Pod): Pod {
	const {ready, readyChangedAt, deletionTimestamp, deletionGracePeriodSeconds} = pod;
	const since = pod.scheduledAt ?? pod.createdAt;
	return {
		...pod,
		...(pod.nodeName !== '' && {scheduledAt: since}),
		...(ready === 'True' ? {readySince: pod.readySince ?? since} : {readyChangedAt: readyChangedAt ?? since}),
		// In the simulation, only the node lifecycle controller says when a pod stopped being ready.
		...(readyChangedAt !== undefined && {markedNotReadyAt: readyChangedAt}),
		...(deletionTimestamp !== undefined && {
			deletionGracePeriodSeconds: deletionGracePeriodSeconds ?? terminationGracePeriodSeconds,
		}),
	};
}

const unscheduled = {type: 'PodScheduled', status: 'False', reason: 'Unschedulable'};

/** The hash of a static pod's manifest, which its kubelet uses as UID. */
export const mirrorHash = ({uid}: Pod) => hashOf(uid).toString(16).padStart(8, '0');

export const ownerReference = (owner: PodOwner): object => ({
	apiVersion: owner.kind === 'Node' ? 'v1' : 'apps/v1',
	...owner,
	controller: true,
});

const amount = (memory: string | undefined) => (memory === undefined ? undefined : {memory});

/** One of waiting, running and terminated. */
function containerState(phase: string, startedAt: string) {
	if (phase === 'Running') return {running: {startedAt}};
	const reason = {Succeeded: 'Completed', Failed: 'Error'}[phase];
	return reason ? {terminated: {reason, startedAt}} : {waiting: {reason: 'ContainerCreating'}};
}

function addressesOf({uid, nodeName}: Pod) {
	const podIP = addressIn('10.244', uid);
	const hostIP = nodeAddress(nodeName);
	return {podIP, podIPs: [{ip: podIP}], hostIP, hostIPs: [{ip: hostIP}]};
}
