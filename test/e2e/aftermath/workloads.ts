import {setTimeout as sleep} from 'node:timers/promises';
import {type ApiClient, mergePatch, unless} from '../apiClient.ts';
import {createBound} from '../boundVolume.ts';
import {deadZone, namespace} from './names.ts';
import {claimedVolumes} from './volumes.ts';

/** A workload, and the required outcome for the pods that it loses: without decided outcomes the test would prove nothing. */
export type Workload = {
	readonly kind: 'Deployment' | 'StatefulSet' | 'DaemonSet' | 'Job' | 'Pod';
	readonly name: string;
	readonly outcome: 'Replaced' | 'Blocked' | 'Stays' | 'Lost';
	readonly placement?: 'Fits' | 'None' | 'Unknown';
	/** The placement if a zone has 200 nodes and it differs then. */
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

/** By default the scheduler spreads the pods of most owners, but not those of Jobs. */
const spread = {
	topologySpreadConstraints: [
		{
			...{maxSkew: 1, topologyKey: zoneLabel, whenUnsatisfiable: 'ScheduleAnyway'},
			labelSelector: labelOf('batch'),
		},
	],
};

const withClaim = (claimName: string) => ({volumes: [{name: 'data', persistentVolumeClaim: {claimName}}]});

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

/** Each kind of outcome for pods of a failed zone. Nodes have eight cores each. */
export const workloads: readonly Workload[] = [
	deployment('web', 6, 'Fits', '100m'),
	deployment('at-home', 2, 'None', '100m', zones(deadZone)),
	// Each node without a taint has one, and none has room for a second.
	{...deployment('huge', 8, 'None', '5'), placementOfMany: 'Fits'},
	// The only node with the label outside the failed zone also has a taint.
	deployment('picky', 2, 'None', '100m', {nodeSelector: {disk: 'ssd'}}),
	deployment('two-zones', 4, 'Fits', '50m', zones(deadZone, 'c')),
	// With many nodes the pods of `huge` fit as well, and may fill the only node that these could use.
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

/** The failing zone's node that has a pod without an owner. */
const barePod = `${deadZone}-2`;

/** Creates all workloads, and waits until all pods run; returns the number of ready pods. */
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
	// The largest first, so that the others use what is left.
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

/** Waits until the number of ready pods has not changed for some seconds, and none is missing. */
async function untilSteady(readyCount: () => number): Promise<number> {
	let [last, since] = [-1, Date.now()];
	for (const deadline = Date.now() + patience; Date.now() < deadline; await sleep(500)) {
		const count = readyCount();
		if (count !== last) [last, since] = [count, Date.now()];
		if (count > 0 && Date.now() - since > 6000) return count;
	}
	throw new Error('the pods did not become ready in time');
}
