import type {Instant} from '../../core/time/instant.ts';
import type {ApiObject, ObjectMeta, ResourceName} from './apiObject.ts';
import {encodeTime} from './encodeMeta.ts';
import {encodeOwner} from './encodePod.ts';
import {type DemoWorkload, ownerOf, replicaSetName, uidOf} from './workload.ts';

type PodCounts = {readonly total: number; readonly ready: number};

type ResourceObject = {readonly resource: ResourceName; readonly object: ApiObject};

/** The owners of a workload's pods, and its disruption budget. */
export function encodeWorkload(
	workload: DemoWorkload,
	counts: PodCounts,
	createdAt: Instant,
): readonly ResourceObject[] {
	const budget = workload.minAvailable === undefined ? [] : [encodeBudget(workload, counts, createdAt)];
	switch (workload.kind) {
		case 'Deployment':
			return [...encodeDeployment(workload, counts, createdAt), ...budget];
		case 'StatefulSet':
			return [encodeStatefulSet(workload, counts, createdAt), ...budget];
		case 'DaemonSet':
			return [encodeDaemonSet(workload, counts, createdAt), ...budget];
		default:
			return budget;
	}
}

function encodeDeployment(
	workload: DemoWorkload,
	counts: PodCounts,
	createdAt: Instant,
): readonly ResourceObject[] {
	const {namespace, name, replicas} = workload;
	const uid = uidOf('Deployment', namespace, name);
	const spec = {replicas, ...selectorOf(workload)};
	const status = replicaStatus(counts);
	const replicaSet = {
		...metadataOf(workload, replicaSetName(name), ownerOf(workload)?.uid ?? '', createdAt),
		ownerReferences: [encodeOwner({kind: 'Deployment', name, uid})],
	};
	return [
		placed('deployments', 'Deployment', metadataOf(workload, name, uid, createdAt), spec, {
			...status,
			updatedReplicas: counts.total,
		}),
		placed('replicasets', 'ReplicaSet', replicaSet, spec, status),
	];
}

function encodeStatefulSet(workload: DemoWorkload, counts: PodCounts, createdAt: Instant): ResourceObject {
	const {namespace, name, replicas} = workload;
	const metadata = metadataOf(workload, name, uidOf('StatefulSet', namespace, name), createdAt);
	const spec = {replicas, serviceName: name, ...selectorOf(workload)};
	return placed('statefulsets', 'StatefulSet', metadata, spec, replicaStatus(counts));
}

function encodeDaemonSet(
	workload: DemoWorkload,
	{total, ready}: PodCounts,
	createdAt: Instant,
): ResourceObject {
	const {namespace, name} = workload;
	const metadata = metadataOf(workload, name, uidOf('DaemonSet', namespace, name), createdAt);
	return placed('daemonsets', 'DaemonSet', metadata, selectorOf(workload), {
		desiredNumberScheduled: total,
		currentNumberScheduled: total,
		numberReady: ready,
		numberAvailable: ready,
	});
}

function encodeBudget(workload: DemoWorkload, {ready}: PodCounts, createdAt: Instant): ResourceObject {
	const {namespace, name, minAvailable = 0, replicas} = workload;
	const metadata = metadataOf(workload, name, uidOf('PodDisruptionBudget', namespace, name), createdAt);
	const spec = {minAvailable, selector: {matchLabels: {app: name}}};
	return {
		resource: 'poddisruptionbudgets',
		object: {
			apiVersion: 'policy/v1',
			kind: 'PodDisruptionBudget',
			metadata,
			spec,
			status: {
				currentHealthy: ready,
				desiredHealthy: minAvailable,
				disruptionsAllowed: Math.max(0, ready - minAvailable),
				expectedPods: replicas,
			},
		},
	};
}

const replicaStatus = ({total, ready}: PodCounts) => ({
	replicas: total,
	readyReplicas: ready,
	availableReplicas: ready,
});

const selectorOf = ({name}: DemoWorkload) => ({
	selector: {matchLabels: {app: name}},
	template: {metadata: {labels: {app: name}}},
});

const metadataOf = (
	{namespace, name: app}: DemoWorkload,
	name: string,
	uid: string,
	createdAt: Instant,
): ObjectMeta => ({
	name,
	namespace,
	uid,
	creationTimestamp: encodeTime(createdAt),
	labels: {app},
});

const placed = (
	resource: ResourceName,
	kind: string,
	metadata: ObjectMeta,
	spec: object,
	status: object,
): ResourceObject => ({
	resource,
	object: {apiVersion: 'apps/v1', kind, metadata, spec, status},
});
