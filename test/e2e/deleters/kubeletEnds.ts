import {type ApiClient, mergePatch} from '../apiClient.ts';
import {type PodObject, podName, time} from '../objects.ts';

/** A pod that its kubelet ended: its object remains. */
export type PodEnd = {readonly pod: string; readonly at: number; readonly reason: 'Evicted' | 'Terminated'};

const messages = {
	Evicted: 'The node was low on resource: memory. Threshold quantity: 100Mi, available: 88304Ki. ',
	Terminated: 'Pod was terminated in response to imminent node shutdown.',
};

/** Ends a pod as a kubelet does that is short of memory, or whose machine shuts down. */
export async function kubeletEnds(
	api: ApiClient,
	pod: PodObject,
	reason: PodEnd['reason'],
	ended: (end: PodEnd) => void,
): Promise<void> {
	const {namespace, name, uid} = pod.metadata;
	const [message, now] = [messages[reason], time(Date.now())];
	const target = {type: 'DisruptionTarget', status: 'True', reason: 'TerminationByKubelet', message};
	const ready = {type: 'Ready', status: 'False', reason: 'PodFailed'};
	const conditions = [target, ready].map((one) => ({...one, lastTransitionTime: now}));
	const status = {phase: 'Failed', reason, message, conditions};
	if (reason === 'Evicted')
		await api.request('POST', `/api/v1/namespaces/${namespace}/events`, {
			metadata: {name: `${name}.${Date.now().toString(16)}`},
			involvedObject: {apiVersion: 'v1', kind: 'Pod', namespace, name, uid},
			...{type: 'Warning', reason, message, count: 1, firstTimestamp: now, lastTimestamp: now},
			source: {component: 'kubelet', host: pod.spec.nodeName},
		});
	ended({pod: podName(pod), at: Date.now(), reason});
	await api.request('PATCH', `/api/v1/namespaces/${namespace}/pods/${name}/status`, {status}, mergePatch);
}
