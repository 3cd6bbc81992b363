import {taintNotReady, taintUnreachable} from '../../core/model/taint.ts';
import type {Toleration} from '../../core/model/toleration.ts';
import {ofEveryDaemon} from '../../core/workloads/daemonSet.ts';
import type {DemoWorkload} from '../encode/workload.ts';

const noExecute = (key: string, tolerationSeconds?: number): Toleration => ({
	key,
	operator: 'Exists',
	value: '',
	effect: 'NoExecute',
	...(tolerationSeconds !== undefined && {tolerationSeconds}),
});

/** Tolerations of a lost node, for some seconds or, if not given, forever. */
const lostNodeFor = (seconds?: number): readonly Toleration[] => [
	noExecute(taintNotReady, seconds),
	noExecute(taintUnreachable, seconds),
];

/** The tolerations that the admission plugin DefaultTolerationSeconds adds to pods without their own. */
const byDefault = lostNodeFor(300);

const ofDaemonSets: readonly Toleration[] = [
	...ofEveryDaemon,
	{key: 'node-role.kubernetes.io/control-plane', operator: 'Exists', value: '', effect: 'NoSchedule'},
];

const ofStaticPods: readonly Toleration[] = [noExecute('')];

const [clusterCritical, nodeCritical] = [2_000_000_000, 2_000_001_000];

/** The pods of a plausible shop, with every kind of reaction to a lost node. */
export const shopWorkloads: readonly DemoWorkload[] = [
	{...deployment('shop', 'storefront', 6), tolerations: lostNodeFor(30), memory: {request: '1Gi'}},
	{...deployment('shop', 'checkout', 4), tolerations: lostNodeFor(60), minAvailable: 3},
	{...deployment('shop', 'search', 3), memory: {request: '512Mi'}},
	{...statefulSet('shop', 'cart', 3), memory: {request: '768Mi'}},
	{...deployment('shop', 'import-prices', 1), kind: 'Bare'},
	// No toleration at all: evicted as soon as the taint is added.
	{...deployment('shop', 'session-cache', 3), tolerations: []},
	{...deployment('payments', 'gateway', 4), tolerations: lostNodeFor(10), minAvailable: 3},
	{
		...deployment('payments', 'fraud-check', 3),
		tolerations: [noExecute(taintNotReady, 300), noExecute(taintUnreachable, 120)],
	},
	{...statefulSet('payments', 'ledger', 3), tolerations: lostNodeFor(600), minAvailable: 2},
	statefulSet('monitoring', 'prometheus', 2),
	{...deployment('monitoring', 'alertmanager', 2), tolerations: lostNodeFor()},
	{...daemonSet('monitoring', 'node-exporter'), memory: {request: '64Mi', limit: '1Gi'}},
	{...deployment('kube-system', 'coredns', 2), priority: clusterCritical},
	{...daemonSet('kube-system', 'kube-proxy'), priority: nodeCritical},
];

/** A control plane component as the static pod that kubeadm creates. */
export const controlPlanePod = (name: string, flags: readonly string[]): DemoWorkload => ({
	kind: 'Static',
	namespace: 'kube-system',
	name,
	replicas: 1,
	tolerations: ofStaticPods,
	priority: nodeCritical,
	command: [name, ...flags],
});

function deployment(namespace: string, name: string, replicas: number): DemoWorkload {
	return {kind: 'Deployment', namespace, name, replicas, tolerations: byDefault};
}

function statefulSet(namespace: string, name: string, replicas: number): DemoWorkload {
	return {kind: 'StatefulSet', namespace, name, replicas, tolerations: byDefault};
}

function daemonSet(namespace: string, name: string): DemoWorkload {
	return {kind: 'DaemonSet', namespace, name, replicas: 0, tolerations: ofDaemonSets};
}
