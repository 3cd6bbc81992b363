import {setTimeout as sleep} from 'node:timers/promises';
import {type ApiClient, mergePatch, unless} from '../apiClient.ts';
import {createBound} from '../boundVolume.ts';
import {deadZone, namespace} from './names.ts';
import {claimedVolumes} from './volumes.ts';

/** A workload, and what must become of the pods that it loses: the test would prove nothing if none were decided. */
export type Workload = {
	readonly kind: 'Deployment' | 'StatefulSet' | 'DaemonSet' | 'Job' | 'Pod';
	readonly name: string;
	readonly outcome: 'Replaced' | 'Blocked' | 'Stays' | 'Lost';
	readonly placement?: 'Fits' | 'None' | 'Unknown';
	/** The same where a zone has 200 nodes, if it is otherwise there. */
	readonly placementOfMany?: 'Fits' | 'Unknown';
	readonly path: string;
	readonly spec: object;
};

const zoneLabel = 'topology.kubernetes.io/zone';
const labelOf = (app: string) => ({matchLabels: {app}});

function template(app: string, cpu: string, spec: object = {}, restartPolicy = 'Always'): object {
	const containers = [{name: 'main', image: 'registry.example/none', resources: {requests: {cpu}}}];
	const fixed = {terminationGracePeriodSeconds: 5, automountServiceAccountToken: false, restartPolicy};
	return {metadata: {labels: {app}}, spec: {...fixed, containers, ...spec}};
}

const zones = (...values: string[]) => ({
	affinity: {
		nodeAffinity: {
			requiredDuringSchedulingIgnoredDuringExecution: {
				nodeSelectorTerms: [{matchExpressions: [{key: zoneLabel, operator: 'In', values}]}],
			},
		},
	},
});

const nodeNamed = (name: string) => ({
	affinity: {
		nodeAffinity: {
			requiredDuringSchedulingIgnoredDuringExecution: {
				nodeSelectorTerms: [{matchFields: [{key: 'metadata.name', operator: 'In', values: [name]}]}],
			},
		},
	},
});

/** The scheduler spreads the pods of most owners by itself, but not those of Jobs. */
const spread = {
	topologySpreadConstraints: [
		{
			...{maxSkew: 1, topologyKey: zoneLabel, whenUnsatisfiable: 'ScheduleAnyway'},
			labelSelector: labelOf('batch'),
		},
	],
};

const withClaim = (claimName: string) => ({
	volumes: [{name: 'data', persistentVolumeClaim: {claimName}}],
});

const apps = (kind: string) => `/apis/apps/v1/namespaces/${namespace}/${kind}`;
const deployment = (
	name: string,
	replicas: number,
	placement: 'Fits' | 'None',
	cpu: string,
	spec?: object,
): Workload => ({
	...{kind: 'Deployment', name, outcome: 'Replaced', placement, path: apps('deployments')},
	spec: {replicas, selector: labelOf(name), template: template(name, cpu, spec)},
});

/** One of each kind of end that pods of a dead zone come to. Nodes have eight cores each. */
export const workloads: readonly Workload[] = [
	deployment('web', 6, 'Fits', '100m'),
	deployment('at-home', 2, 'None', '100m', zones(deadZone)),
	// One on each node without a taint, and on none is room for two.
	{...deployment('huge', 8, 'None', '5'), placementOfMany: 'Fits'},
	// The one node outside of the dead zone that has the label has a taint as well.
	deployment('picky', 2, 'None', '100m', {nodeSelector: {disk: 'ssd'}}),
	deployment('two-zones', 4, 'Fits', '50m', zones(deadZone, 'c')),
	// Of many nodes those of `huge` find one as well, and may leave no room on the one that is left for these.
	{...deployment('fast', 6, 'Fits', '50m', {nodeSelector: {disk: 'fast'}}), placementOfMany: 'Unknown'},
	deployment('named', 1, 'None', '50m', nodeNamed(`${deadZone}-3`)),
	deployment('local', 1, 'None', '50m', withClaim('local')),
	deployment('shared', 6, 'Fits', '50m', withClaim('shared')),
	{
		...{kind: 'StatefulSet', name: 'db', outcome: 'Blocked', path: apps('statefulsets')},
		spec: {
			...{replicas: 6, podManagementPolicy: 'Parallel', serviceName: 'db', selector: labelOf('db')},
			template: template('db', '50m'),
		},
	},
	{
		...{kind: 'DaemonSet', name: 'agent', outcome: 'Stays', path: apps('daemonsets')},
		spec: {selector: labelOf('agent'), template: template('agent', '10m')},
	},
	{
		...{kind: 'Job', name: 'batch', outcome: 'Replaced', placement: 'Fits'},
		path: `/apis/batch/v1/namespaces/${namespace}/jobs`,
		spec: {
			...{parallelism: 6, completions: 6, backoffLimit: 20},
			template: template('batch', '10m', spread, 'Never'),
		},
	},
	{...{kind: 'Pod', name: 'alone', outcome: 'Lost'}, path: `/api/v1/namespaces/${namespace}/pods`, spec: {}},
];

/** A pod that nothing owns, on a node of the zone that dies. */
export const barePod = `${deadZone}-2`;

/** Creates all of it, and waits until all pods run. */
export async function createWorkloads(api: ApiClient, readyCount: () => number): Promise<number> {
	for (const [node, labels] of [
		[`${deadZone}-1`, {disk: 'ssd'}],
		['c-3', {disk: 'ssd'}],
		[`${deadZone}-2`, {disk: 'fast'}],
		[`${deadZone}-3`, {disk: 'fast'}],
		['a-1', {disk: 'fast'}],
	] as const)
		await api.request('PATCH', `/api/v1/nodes/${node}`, {metadata: {labels}}, mergePatch);
	const taints = [{key: 'dedicated', value: 'gpu', effect: 'NoSchedule'}];
	await api.request('PATCH', '/api/v1/nodes/c-3', {spec: {taints}}, mergePatch);
	await unless(409, api.request('POST', '/api/v1/namespaces', {metadata: {name: namespace}}));
	const budget = {metadata: {name: 'web'}, spec: {minAvailable: 5, selector: labelOf('web')}};
	await api.request('POST', `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`, budget);
	const service = {metadata: {name: 'web'}, spec: {selector: {app: 'web'}, ports: [{port: 80}]}};
	await api.request('POST', `/api/v1/namespaces/${namespace}/services`, service);
	for (const volume of claimedVolumes) await createBound(api, namespace, volume);
	// The largest first: those that come later find what is left.
	const order = [...workloads].toSorted((a, b) => Number(b.name === 'huge') - Number(a.name === 'huge'));
	for (const {path, name, spec, kind} of order)
		if (kind !== 'Pod') await api.request('POST', path, {metadata: {name}, spec});
	await api.request('POST', `/api/v1/namespaces/${namespace}/pods`, {
		metadata: {name: 'alone', labels: {app: 'alone'}},
		spec: {
			nodeName: barePod,
			terminationGracePeriodSeconds: 5,
			automountServiceAccountToken: false,
			containers: [{name: 'main', image: 'registry.example/none'}],
		},
	});
	return untilSteady(readyCount);
}

const patience = 90_000;

/** Waits until as many pods are ready as for some seconds, and none is left behind. */
async function untilSteady(readyCount: () => number): Promise<number> {
	let [last, since] = [-1, Date.now()];
	for (const deadline = Date.now() + patience; Date.now() < deadline; await sleep(500)) {
		const count = readyCount();
		if (count !== last) [last, since] = [count, Date.now()];
		if (count > 0 && Date.now() - since > 6000) return count;
	}
	throw new Error('the pods did not become ready in time');
}
