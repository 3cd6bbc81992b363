import type {Instant} from '../../core/time/instant.ts';
import {type ApiObject, apiVersionOf, type ResourceName, resources} from './apiObject.ts';
import {serverTime} from './encodeMeta.ts';
import {ownerReference} from './encodePod.ts';
import {type DemoWorkload, ownerOf, replicaSetName, uidOf} from './workload.ts';

export type PodCounts = {readonly total: number; readonly ready: number};

type ResourceObject = {readonly resource: ResourceName; readonly object: ApiObject};

/** The owners of a workload's pods, and its disruption budget. */
export function encodeWorkload(
	workload: DemoWorkload,
	{total, ready}: PodCounts,
	createdAt: Instant,
): readonly ResourceObject[] {
	const {kind, namespace, name, replicas, minAvailable} = workload;
	const selector = {matchLabels: {app: name}};
	const template = {metadata: {labels: {app: name}}};
	const object = (
		resource: ResourceName,
		spec: object,
		status: object,
		more: object = {},
	): ResourceObject => {
		const its = resources[resource];
		const metadata = {
			name,
			namespace,
			uid: uidOf(its.kind, namespace, name),
			creationTimestamp: serverTime(createdAt),
			labels: {app: name},
			...more,
		};
		return {
			resource,
			object: {
				apiVersion: apiVersionOf(its.group),
				kind: its.kind,
				metadata,
				spec: {selector, ...spec},
				status,
			},
		};
	};
	const spec = {replicas, template};
	const status = {replicas: total, readyReplicas: ready, availableReplicas: ready, updatedReplicas: total};
	const objects: ResourceObject[] = [];
	if (kind === 'Deployment') {
		const owner = ownerReference({kind, name, uid: uidOf(kind, namespace, name)});
		const replicaSet = {name: replicaSetName(name), uid: ownerOf(workload)?.uid, ownerReferences: [owner]};
		objects.push(object('deployments', spec, status), object('replicasets', spec, status, replicaSet));
	}
	if (kind === 'StatefulSet') objects.push(object('statefulsets', {...spec, serviceName: name}, status));
	if (kind === 'DaemonSet') {
		const scheduled = {desiredNumberScheduled: total, currentNumberScheduled: total};
		objects.push(
			object('daemonsets', {template}, {...scheduled, numberReady: ready, numberAvailable: ready}),
		);
	}
	if (minAvailable !== undefined) {
		const disruptionsAllowed = Math.max(0, ready - minAvailable);
		const health = {currentHealthy: ready, desiredHealthy: minAvailable, expectedPods: replicas};
		objects.push(object('poddisruptionbudgets', {minAvailable}, {...health, disruptionsAllowed}));
	}
	return objects;
}
