import {setTimeout as sleep} from 'node:timers/promises';
import {Random} from '../../../src/core/time/random.ts';
import {type ApiClient, mergePatch, unless} from '../apiClient.ts';
import type {Fleet} from '../fleet.ts';
import {type NodeObject, type PodObject, time} from '../objects.ts';
import type {Recorder} from '../recorder.ts';
import {kubeletEnds, type PodEnd} from './kubeletEnds.ts';
import {createPreempted, createWorkload, preempts, scaleDown} from './workloads.ts';

/** Those who delete pods of one node. */
export const nodeDeeds = [
	...(['drain', 'descheduler', 'person', 'force', 'cloud', 'nodeDeletion'] as const),
	...(['autoscaler', 'karpenter', 'outOfService', 'taint', 'pressure', 'shutdown'] as const),
] as const;
/** Those who make a workload smaller, or make room for another. */
export const workloadDeeds = ['ReplicaSet', 'Job', 'preemption'] as const;

export type DeedName = (typeof nodeDeeds)[number] | (typeof workloadDeeds)[number];

/** What somebody does to the pods of a node, or to a workload; `at` in milliseconds since the outage's start. */
export type Deed = {
	readonly name: DeedName;
	readonly at: number;
	readonly node: string;
	/** Seeds what else chance decides of it. */
	readonly random: number;
};

/** What deeds act on, and what they note. */
export type Stage = {
	/** A client that may do everything, under a name. */
	readonly as: (userAgent: string) => ApiClient;
	readonly fleet: Fleet;
	readonly recorder: Recorder;
	/** Ends the machine of a node in its cloud. */
	readonly endMachine: (node: string) => void;
	/** Notes that from now on the API shows that a node's pods are ended, though not when. */
	readonly announce: (node: string, by: DeedName) => void;
	/** Notes what changes other nodes' forecasts. */
	readonly disturb: (node: string) => void;
	/** Notes how a kubelet ended a pod without a deletion. */
	readonly ended: (end: PodEnd) => void;
};

type Play = (stage: Stage, node: string, random: Random) => Promise<void>;

const unreachable = '+node.kubernetes.io/unreachable:NoExecute';
const podPath = ({metadata: {namespace, name}}: PodObject) => `/api/v1/namespaces/${namespace}/pods/${name}`;

/** The pods of a node that nobody has ended. */
async function podsOn(api: ApiClient, node: string): Promise<readonly PodObject[]> {
	const path = `/api/v1/pods?fieldSelector=spec.nodeName=${node}`;
	const {items} = await api.request<{items: readonly PodObject[]}>('GET', path);
	return items.filter(
		({metadata, status}) => !metadata.deletionTimestamp && !/Failed|Succeeded/.test(status?.phase ?? ''),
	);
}

/** Evicts pods one after the other by the Eviction API. */
async function evict(
	api: ApiClient,
	node: string,
	random: Random,
	isEvicted: (pod: PodObject) => boolean = () => true,
) {
	for (const pod of (await podsOn(api, node)).filter(isEvicted)) {
		const {name, namespace} = pod.metadata;
		const body = {apiVersion: 'policy/v1', kind: 'Eviction', metadata: {name, namespace}};
		await unless(404, api.request('POST', `${podPath(pod)}/eviction`, body));
		await sleep(1500 * random.next());
	}
}

async function patchNode(api: ApiClient, node: string, patch: object): Promise<void> {
	await api.request('PATCH', `/api/v1/nodes/${node}`, patch, mergePatch);
}

/** Adds a taint: a write replaces the list. */
async function taint(api: ApiClient, node: string, key: string, effect: string, value = ''): Promise<void> {
	const {spec} = await api.request<NodeObject>('GET', `/api/v1/nodes/${node}`);
	await patchNode(api, node, {spec: {taints: [...(spec?.taints ?? []), {key, effect, value}]}});
}

/** What is not evicted from a node that goes: stands for the pods of DaemonSets. */
const isMoved = ({metadata: {name}}: PodObject) => !name.endsWith('-patient');

async function deleteSome({as}: Stage, node: string, random: Random, options: object): Promise<void> {
	const api = as('kubectl/v1.36.3');
	for (const pod of await podsOn(api, node)) {
		if (random.next() < 0.3) continue;
		await unless(404, api.request('DELETE', podPath(pod), options));
		await sleep(2000 * random.next());
	}
}

async function deleteNode({as, fleet, disturb}: Stage, node: string, userAgent: string): Promise<void> {
	fleet.stop([node]);
	await unless(404, as(userAgent).request('DELETE', `/api/v1/nodes/${node}`));
	disturb(node);
}

/** Waits until a silent node is tainted, or is not. */
async function untilTainted({recorder}: Stage, node: string): Promise<void> {
	for (const deadline = Date.now() + 70_000; Date.now() < deadline; await sleep(200))
		if (recorder.find(`node/${node}`, unreachable) !== undefined) return;
}

const plays: Readonly<Record<DeedName, Play>> = {
	async drain({as}, node, random) {
		const api = as('kubectl/v1.36.3');
		await patchNode(api, node, {spec: {unschedulable: true}});
		await evict(api, node, random);
	},
	async descheduler({as}, node, random) {
		await evict(as('descheduler'), node, random, () => random.next() < 0.7);
	},
	person: (stage, node, random) => deleteSome(stage, node, random, {}),
	force: (stage, node, random) => deleteSome(stage, node, random, {gracePeriodSeconds: 0}),
	async cloud({fleet, endMachine, disturb}, node) {
		endMachine(node);
		fleet.stop([node]);
		disturb(node);
	},
	async nodeDeletion(stage, node) {
		await deleteNode(stage, node, 'kubectl/v1.36.3');
		stage.announce(node, 'nodeDeletion');
	},
	async autoscaler(stage, node, random) {
		const api = stage.as('cluster-autoscaler');
		const since = String(Math.floor(Date.now() / 1000));
		await taint(api, node, 'ToBeDeletedByClusterAutoscaler', 'NoSchedule', since);
		stage.announce(node, 'autoscaler');
		await sleep(2000 + 5000 * random.next());
		await evict(api, node, random, isMoved);
		await deleteNode(stage, node, 'cluster-autoscaler');
	},
	async karpenter(stage, node, random) {
		const api = stage.as('karpenter');
		await patchNode(api, node, {
			metadata: {labels: {'karpenter.sh/nodepool': 'general'}, finalizers: ['karpenter.sh/termination']},
		});
		await taint(api, node, 'karpenter.sh/disrupted', 'NoSchedule');
		stage.announce(node, 'karpenter');
		await sleep(2000 + 5000 * random.next());
		await api.request('DELETE', `/api/v1/nodes/${node}`);
		await evict(api, node, random, isMoved);
		stage.fleet.stop([node]);
		await patchNode(api, node, {
			metadata: {'$deleteFromPrimitiveList/finalizers': ['karpenter.sh/termination']},
		});
		stage.disturb(node);
	},
	async outOfService(stage, node) {
		stage.fleet.stop([node]);
		stage.disturb(node);
		await untilTainted(stage, node);
		await taint(
			stage.as('kubectl-taint'),
			node,
			'node.kubernetes.io/out-of-service',
			'NoExecute',
			'nodeshutdown',
		);
		stage.disturb(node);
	},
	taint: ({as}, node) => taint(as('kubectl-taint'), node, maintenance, 'NoExecute'),
	async pressure({as, ended}, node, random) {
		const api = as('kubelet/v1.36.3');
		for (const pod of (await podsOn(api, node)).slice(0, 2)) {
			await kubeletEnds(api, pod, 'Evicted', ended);
			await sleep(1000 + 5000 * random.next());
		}
	},
	async shutdown({as, fleet, announce, disturb, ended}, node, random) {
		const api = as('kubelet/v1.36.3');
		fleet.stop([node]);
		const reason = {reason: 'KubeletNotReady', message: 'node is shutting down'};
		const times = {lastHeartbeatTime: time(Date.now()), lastTransitionTime: time(Date.now())};
		const conditions = [{type: 'Ready', status: 'False', ...reason, ...times}];
		await api.request('PATCH', `/api/v1/nodes/${node}/status`, {status: {conditions}}, mergePatch);
		announce(node, 'shutdown');
		disturb(node);
		await sleep(2500 + 2000 * random.next());
		for (const pod of await podsOn(api, node)) {
			await kubeletEnds(api, pod, 'Terminated', ended);
			await sleep(1000 * random.next());
		}
	},
	ReplicaSet: ({as}) => scaleDown(as('kubectl/v1.36.3'), 'ReplicaSet'),
	Job: ({as}) => scaleDown(as('kubectl/v1.36.3'), 'Job'),
	preemption: ({as}, node) => preempts(as('kubectl/v1.36.3'), node),
};

/** The key of a person's taint, which some pods tolerate for a while. */
export const maintenance = 'maintenance';

/** Creates what a deed needs. */
export async function prepare({name, node}: Deed, api: ApiClient): Promise<void> {
	if (name === 'ReplicaSet' || name === 'Job') await createWorkload(api, name);
	if (name === 'preemption') await createPreempted(api, node);
}

/** Plays a deed at its time. */
export async function play({name, at, node, random}: Deed, stage: Stage, zero: number): Promise<void> {
	await sleep(Math.max(0, zero + at - Date.now()));
	await plays[name](stage, node, new Random(random));
}
