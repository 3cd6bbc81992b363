import {setTimeout as sleep} from 'node:timers/promises';
import type {ApiClient} from './apiClient.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** The kinds of what repairs nodes, taints them, or asks for evictions. */
const kinds = [
	['karpenter.sh', 'v1', 'NodeClaim', 'Cluster'],
	['machine.openshift.io', 'v1beta1', 'Machine', 'Namespaced'],
	['machine.openshift.io', 'v1beta1', 'MachineHealthCheck', 'Namespaced'],
	['cluster.x-k8s.io', 'v1beta1', 'Machine', 'Namespaced'],
	['cluster.x-k8s.io', 'v1beta1', 'MachineHealthCheck', 'Namespaced'],
	['remediation.medik8s.io', 'v1alpha1', 'NodeHealthCheck', 'Cluster'],
	['readiness.node.x-k8s.io', 'v1alpha1', 'NodeReadinessRule', 'Cluster'],
	['lifecycle.k8s.io', 'v1alpha1', 'EvictionRequest', 'Namespaced'],
] as const;

/** How long the API server may take until it serves a new kind, in milliseconds. */
const patience = 60_000;

/** Installs the kinds of all node repairers under their real names; their objects may have any fields. */
export async function serveRepairKinds(api: ApiClient): Promise<void> {
	for (const [group, version, kind, scope] of kinds) {
		const [singular, plural] = [kind.toLowerCase(), `${kind.toLowerCase()}s`];
		const schema = {openAPIV3Schema: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true}};
		await api.request('POST', definitions, {
			metadata: {
				name: `${plural}.${group}`,
				// API groups of Kubernetes need this annotation.
				annotations: {'api-approved.kubernetes.io': 'unapproved, for a test'},
			},
			spec: {
				...{group, scope, names: {kind, plural, singular, listKind: `${kind}List`}},
				versions: [{name: version, served: true, storage: true, schema}],
			},
		});
	}
	for (const [group, version, kind] of kinds)
		await untilServed(api, `/apis/${group}/${version}/${kind.toLowerCase()}s`);
}

async function untilServed(api: ApiClient, path: string): Promise<void> {
	for (const deadline = Date.now() + patience; ; await sleep(200)) {
		try {
			await api.request('GET', path);
			return;
		} catch (error) {
			if (Date.now() > deadline) throw error;
		}
	}
}

const machines = '/apis/machine.openshift.io/v1beta1/namespaces/default';

/** Creates a node's Machine, as a MachineSet would, and its MachineHealthCheck. @param timeout in seconds */
export async function checkMachine(
	api: ApiClient,
	node: string,
	check: string,
	timeout: number,
): Promise<void> {
	const labels = {role: 'worker'};
	const owner = {
		apiVersion: 'machine.openshift.io/v1beta1',
		kind: 'MachineSet',
		name: 'workers',
		uid: 'workers',
	};
	await api.request('POST', `${machines}/machines`, {
		apiVersion: 'machine.openshift.io/v1beta1',
		kind: 'Machine',
		metadata: {name: `${node}-machine`, labels, ownerReferences: [{...owner, controller: true}]},
		status: {nodeRef: {kind: 'Node', name: node}},
	});
	await api.request('POST', `${machines}/machinehealthchecks`, {
		apiVersion: 'machine.openshift.io/v1beta1',
		kind: 'MachineHealthCheck',
		metadata: {name: check},
		spec: {
			selector: {matchLabels: labels},
			unhealthyConditions: [{type: 'Ready', status: 'Unknown', timeout: `${timeout}s`}],
			maxUnhealthy: '100%',
		},
	});
}
