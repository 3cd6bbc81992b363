import {ascending} from '../../core/collections/ascending.ts';
import type {Node, NodeCondition} from '../../core/model/node.ts';
import {nameOf} from '../../core/model/objectName.ts';
import type {Pod} from '../../core/model/pod.ts';
import {pressureConditions} from '../../core/nodepressure/thresholds/signal.ts';
import {type Instant, minute} from '../../core/time/instant.ts';
import {type DemoWorkload, makePod, nodeUid} from '../encode/workload.ts';
import {controlPlanePod, shopWorkloads} from './shop.ts';

export type InitialClusterSize = {
	/** The number of workers in each zone of the region eu: `{a: 4}` makes eu/a with the nodes a1 to a4. */
	readonly zones: Readonly<Record<string, number>>;
	/** Multiplies the replicas of the shop. */
	readonly replicaFactor: number;
};

const [hour, day] = [60 * minute, 24 * 60 * minute];

/** The node of the control plane, in a zone of its own. */
export const controlPlaneNode = 'cp1';

/** A cluster before anything goes wrong. The same size, flags and instant make the same, including UIDs. */
export function makeInitialCluster(
	{zones, replicaFactor}: InitialClusterSize,
	flags: readonly string[],
	now: Instant,
) {
	// Takes the zones in turn, so that consecutive replicas are in different zones.
	const workers = Object.entries(zones)
		.flatMap(([zone, length]) =>
			Array.from({length}, (_, index) => ({zone, index, name: `${zone}${index + 1}`})),
		)
		.toSorted(ascending(({index}) => index));
	const workerNames = workers.map(nameOf);
	const controlPlane = [
		controlPlanePod('etcd', []),
		controlPlanePod('kube-apiserver', []),
		controlPlanePod('kube-controller-manager', ['--leader-elect=true', ...flags]),
		controlPlanePod('kube-scheduler', []),
	];
	const workloads = [
		...shopWorkloads.map((workload) =>
			workload.kind === 'Deployment' ? {...workload, replicas: workload.replicas * replicaFactor} : workload,
		),
		...controlPlane,
	];
	return {
		nodes: [controlPlaneMachine(now), ...workers.map(({name, zone}) => worker(name, zone, now))],
		workloads,
		pods: workloads.flatMap((workload, index) => placePods(workload, workerNames, index, now)),
	};
}

/** Spreads a workload's pods; each workload starts at another node. */
function placePods(
	workload: DemoWorkload,
	workers: readonly string[],
	offset: number,
	now: Instant,
): readonly Pod[] {
	const age = (1 + (offset % 5)) * day + offset * hour;
	const place = (nodeName: string, serial: number): Pod => ({
		...makePod(workload, serial, 0, nodeName, now - age),
		phase: 'Running',
		ready: 'True',
		readySince: now - age,
	});
	switch (workload.kind) {
		case 'DaemonSet':
			return [controlPlaneNode, ...workers].map(place);
		case 'Static':
			return [place(controlPlaneNode, 0)];
		default:
			return Array.from({length: workload.replicas}, (_, serial) =>
				place(workers[(offset + serial) % workers.length] ?? '', serial),
			);
	}
}

function worker(name: string, zone: string, now: Instant): Node {
	return {
		name,
		uid: nodeUid(name),
		createdAt: now - 30 * day,
		labels: {
			'kubernetes.io/hostname': name,
			'kubernetes.io/os': 'linux',
			'node-role.kubernetes.io/worker': '',
			'topology.kubernetes.io/region': 'eu',
			'topology.kubernetes.io/zone': zone,
		},
		unschedulable: false,
		taints: [],
		conditions: healthyConditions(now - 30 * day, now),
	};
}

function controlPlaneMachine(now: Instant): Node {
	const {labels, ...machine} = worker(controlPlaneNode, 'control', now);
	const {'node-role.kubernetes.io/worker': _, ...location} = labels;
	const role = 'node-role.kubernetes.io/control-plane';
	return {
		...machine,
		labels: {...location, [role]: ''},
		taints: [{key: role, value: '', effect: 'NoSchedule'}],
	};
}

function healthyConditions(since: Instant, now: Instant): readonly NodeCondition[] {
	const times = {lastHeartbeatTime: now, lastTransitionTime: since};
	return [
		...pressureConditions.map((type): NodeCondition => ({type, status: 'False', ...times})),
		{type: 'Ready', status: 'True', ...times},
	];
}
