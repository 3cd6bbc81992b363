import {type ApiClient, mergePatch} from '../apiClient.ts';

const namespace = 'shop';
const paths = {
	ReplicaSet: `/apis/apps/v1/namespaces/${namespace}/replicasets`,
	Job: `/apis/batch/v1/namespaces/${namespace}/jobs`,
};
const size = 5;
const left = 2;

const podSpec = (cpu: string, rest: object = {}) => ({
	terminationGracePeriodSeconds: 5,
	automountServiceAccountToken: false,
	containers: [{name: 'main', image: 'registry.example/none', resources: {requests: {cpu}}}],
	...rest,
});

/** Creates a workload whose pods the scheduler spreads. */
export async function createWorkload(api: ApiClient, kind: keyof typeof paths): Promise<void> {
	const labels = {app: 'web'};
	const template = {metadata: {labels}, spec: podSpec('50m', {restartPolicy: 'Always'})};
	const spec =
		kind === 'ReplicaSet'
			? {replicas: size, selector: {matchLabels: labels}, template}
			: {
					...{parallelism: size, completions: size, backoffLimit: 20},
					template: {...template, spec: {...template.spec, restartPolicy: 'Never'}},
				};
	await api.request('POST', paths[kind], {metadata: {name: 'web'}, spec});
}

export async function scaleDown(api: ApiClient, kind: keyof typeof paths): Promise<void> {
	const spec = kind === 'ReplicaSet' ? {replicas: left} : {parallelism: left};
	await api.request('PATCH', `${paths[kind]}/web`, {spec}, mergePatch);
}

const onNode = (node: string) => ({nodeSelector: {'kubernetes.io/hostname': node}});
const pods = `/api/v1/namespaces/${namespace}/pods`;

/** Creates pods that leave no room on their node for a large one. */
export async function createPreempted(api: ApiClient, node: string): Promise<void> {
	for (const name of ['small-1', 'small-2'])
		await api.request('POST', pods, {metadata: {name}, spec: podSpec('3', onNode(node))});
}

/** Creates a pod that is worth more than these, for the same node. */
export async function preempts(api: ApiClient, node: string): Promise<void> {
	const classes = '/apis/scheduling.k8s.io/v1/priorityclasses';
	await api.request('POST', classes, {metadata: {name: 'urgent'}, value: 1000});
	const spec = podSpec('6', {...onNode(node), priorityClassName: 'urgent'});
	await api.request('POST', pods, {metadata: {name: 'large'}, spec});
}
