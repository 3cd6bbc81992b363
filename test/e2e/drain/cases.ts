import type {Random} from '../../../src/core/time/random.ts';
import {type ApiClient, mergePatch} from '../apiClient.ts';

/** A namespace of its own with pods on one node, which is drained, and elsewhere. */
export type DrainCase = {
	readonly node: string;
	readonly namespace: string;
	readonly objects: readonly Made[];
	readonly pods: readonly DrawnPod[];
	readonly budgets: number;
};

/** An object to create, by the path of its collection. */
type Made = {readonly path: string; readonly body: object};

type DrawnPod = {
	readonly name: string;
	readonly labels: Readonly<Record<string, string>>;
	readonly owner: {readonly kind: string; readonly name: string} | undefined;
	readonly node: string;
	readonly isStatic: boolean;
	readonly hasEmptyDir: boolean;
	readonly phase: string;
	readonly isReady: boolean;
};

/** The node of the pods that stay. */
export const otherNode = 'other';

/** Draws workloads, their pods and budgets. */
export function drawCase(number: number, random: Random): DrainCase {
	const [node, namespace] = [`drained-${number}`, `case-${number}`];
	const upTo = (most: number) => Math.floor(random.next() * (most + 1));
	const chance = (share: number) => random.next() < share;
	const pick = <T>(...values: readonly [T, ...T[]]): T => values[upTo(values.length - 1)] ?? values[0];
	const objects: Made[] = [];
	const pods: DrawnPod[] = [];
	let budgets = 0;
	const addBudget = (app: string) => {
		budgets += 1;
		const metadata = {name: `budget-${budgets}`, namespace};
		const limit = pick<object>(
			{minAvailable: upTo(4)},
			{minAvailable: `${25 * upTo(4)}%`},
			{maxUnavailable: upTo(2)},
			{maxUnavailable: `${25 * upTo(4)}%`},
		);
		const selector = pick<object>(
			{matchLabels: {app}},
			{matchExpressions: [{key: 'app', operator: 'In', values: [app, 'none']}]},
		);
		const policy = pick<object>(
			{},
			{unhealthyPodEvictionPolicy: 'AlwaysAllow'},
			{unhealthyPodEvictionPolicy: 'IfHealthyBudget'},
		);
		const path = `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`;
		objects.push({path, body: {metadata, spec: {...limit, selector, ...policy}}});
	};
	for (let index = 0; index <= 2 + upTo(2); index += 1) {
		const app = `app-${index}`;
		const kind = pick('ReplicaSet', 'ReplicaSet', 'ReplicaSet', 'DaemonSet', 'Pod');
		const places = [
			...Array.from({length: 1 + upTo(3)}, () => node),
			...Array.from({length: upTo(3)}, () => otherNode),
		];
		const labels = {app};
		const needsFlags = chance(0.3);
		if (kind !== 'Pod') objects.push(ownerOf(kind, app, namespace, places.length));
		for (const [place, on] of places.entries()) {
			const phase = chance(0.8) ? 'Running' : pick('Pending', 'Succeeded', 'Failed');
			pods.push({
				...{name: `${app}-${place}`, labels, node: on, phase},
				owner: kind === 'Pod' ? undefined : {kind, name: app},
				isStatic: kind === 'Pod' && chance(0.2),
				hasEmptyDir: needsFlags && chance(0.5),
				isReady: phase === 'Running' && chance(0.75),
			});
		}
		if (chance(0.7)) addBudget(app);
		if (chance(0.12)) addBudget(app);
	}
	return {node, namespace, objects, pods, budgets};
}

function ownerOf(kind: 'ReplicaSet' | 'DaemonSet', app: string, namespace: string, replicas: number): Made {
	const labels = {app};
	const containers = [{name: 'main', image: 'registry.example/none'}];
	const template = {metadata: {labels}, spec: {containers}};
	const spec = {selector: {matchLabels: labels}, template, ...(kind === 'ReplicaSet' && {replicas})};
	const path = `/apis/apps/v1/namespaces/${namespace}/${kind.toLowerCase()}s`;
	return {path, body: {metadata: {name: app, namespace}, spec}};
}

/** Creates a case; no controller makes or ends its pods, and no kubelet writes their status. */
export async function createCase(api: ApiClient, {namespace, objects, pods}: DrainCase): Promise<void> {
	await api.request('POST', '/api/v1/namespaces', {metadata: {name: namespace}});
	const uids = new Map<string, string>();
	for (const {path, body} of objects) {
		const {kind, metadata} = await api.request<{kind: string; metadata: {name: string; uid: string}}>(
			'POST',
			path,
			body,
		);
		uids.set(`${kind} ${metadata.name}`, metadata.uid);
	}
	await Promise.all(pods.map((pod) => createPod(api, namespace, pod, uids)));
}

async function createPod(
	api: ApiClient,
	namespace: string,
	pod: DrawnPod,
	uids: ReadonlyMap<string, string>,
) {
	const {name, labels, owner, node, isStatic, hasEmptyDir, phase, isReady} = pod;
	const path = `/api/v1/namespaces/${namespace}/pods`;
	const reference = owner && {
		apiVersion: 'apps/v1',
		controller: true,
		...owner,
		uid: uids.get(`${owner.kind} ${owner.name}`),
	};
	await api.request('POST', path, {
		metadata: {
			...{name, labels},
			...(reference && {ownerReferences: [reference]}),
			...(isStatic && {annotations: {'kubernetes.io/config.mirror': 'hash'}}),
		},
		spec: {
			nodeName: node,
			automountServiceAccountToken: false,
			containers: [{name: 'main', image: 'registry.example/none'}],
			...(hasEmptyDir && {volumes: [{name: 'scratch', emptyDir: {}}]}),
		},
	});
	const conditions = [
		{type: 'Ready', status: isReady ? 'True' : 'False', ...(!isReady && {reason: 'ContainersNotReady'})},
	];
	await api.request('PATCH', `${path}/${name}/status`, {status: {phase, conditions}}, mergePatch);
}
