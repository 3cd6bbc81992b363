import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {ApiClient} from '../apiClient.ts';
import {nodeName, type RealNode} from './node.ts';

const priorities = {middle: 100, high: 1000};

/** A pod with one container for the real node. */
export type Load = {
	readonly name: string;
	/** Arguments of the program `load`, separated by spaces. */
	readonly load: string;
	/** Quantities by resource. */
	readonly requests?: Readonly<Record<string, string>>;
	readonly limits?: Readonly<Record<string, string>>;
	readonly priority?: keyof typeof priorities;
	/** The size limit of the volume at /data. */
	readonly sizeLimit?: string;
	readonly tolerations?: readonly object[];
	readonly graceSeconds?: number;
};

export async function createPriorities(api: ApiClient): Promise<void> {
	const path = '/apis/scheduling.k8s.io/v1/priorityclasses';
	for (const [name, value] of Object.entries(priorities))
		await api.request('POST', path, {metadata: {name}, value});
}

export async function createLoads(api: ApiClient, loads: readonly Load[], image: string): Promise<void> {
	const pods = loads.map((load) => podOf(load, image));
	await Promise.all(pods.map((pod) => api.request('POST', '/api/v1/namespaces/default/pods', pod)));
}

/** Makes the kubelet run a static pod, which it shows in the API server as a mirror pod. */
export function createStaticLoad(node: RealNode, load: Load): void {
	const {spec, ...rest} = podOf(load, node.image);
	const {nodeName: _, ...own} = spec;
	const pod = {apiVersion: 'v1', kind: 'Pod', ...rest, spec: own};
	writeFileSync(join(node.manifests, `${load.name}.json`), JSON.stringify(pod));
}

function podOf(load: Load, image: string) {
	const {name, requests, limits, priority, sizeLimit, tolerations, graceSeconds = 30} = load;
	return {
		metadata: {name, namespace: 'default'},
		spec: {
			nodeName,
			hostNetwork: true,
			automountServiceAccountToken: false,
			enableServiceLinks: false,
			terminationGracePeriodSeconds: graceSeconds,
			...(priority && {priorityClassName: priority}),
			...(tolerations && {tolerations}),
			containers: [
				{
					name: 'main',
					image,
					args: load.load.split(' '),
					// The suite's runc is built without libseccomp, and only a privileged pod has no seccomp profile.
					securityContext: {privileged: true},
					resources: {...(requests && {requests}), ...(limits && {limits})},
					volumeMounts: [{name: 'data', mountPath: '/data'}],
				},
			],
			volumes: [{name: 'data', emptyDir: sizeLimit === undefined ? {} : {sizeLimit}}],
		},
	};
}
