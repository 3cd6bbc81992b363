import {type ApiClient, unless} from './apiClient.ts';
import type {Metadata} from './objects.ts';

const resource = '/apis/resource.k8s.io/v1';
const driver = 'gpu.example.com';
/** The names of its pods do not contain a node, because a device may evict them while the node is healthy. */
export const deviceNamespace = 'devices';
/** The only pod there, whose claim tolerates the taint for a while. */
export const devicePod = `${deviceNamespace}/trainer`;
/** In seconds; the API takes whole ones. */
const tolerated = 30;

const slice = (node: string, taints: readonly object[] = []) => ({
	metadata: {name: `${node}-gpus`},
	spec: {
		driver,
		nodeName: node,
		pool: {name: node, generation: 1, resourceSliceCount: 1},
		devices: [{name: 'gpu-0', ...(taints.length > 0 && {taints})}],
	},
});

/** Publishes a device of a node, as its driver does. */
export async function publishDevice(api: ApiClient, node: string): Promise<void> {
	await unless(409, api.request('POST', `${resource}/resourceslices`, slice(node)));
}

/** Runs a pod that uses the device, as if the scheduler had bound it: its claim is allocated and reserved for it. */
export async function usesDevice(api: ApiClient, node: string): Promise<void> {
	const [namespace, name] = devicePod.split('/');
	await unless(409, api.request('POST', '/api/v1/namespaces', {metadata: {name: namespace}}));
	const claims = `${resource}/namespaces/${namespace}/resourceclaims`;
	const requests = [{name: 'gpu', exactly: {deviceClassName: driver}}];
	const claim = await api.request<{readonly metadata: Metadata}>('POST', claims, {
		metadata: {name},
		spec: {devices: {requests}},
	});
	const pod = await api.request<{readonly metadata: Metadata}>(
		'POST',
		`/api/v1/namespaces/${namespace}/pods`,
		{
			metadata: {name},
			spec: {
				nodeName: node,
				terminationGracePeriodSeconds: 5,
				automountServiceAccountToken: false,
				resourceClaims: [{name: 'gpu', resourceClaimName: name}],
				containers: [{name: 'main', image: 'registry.example/none', resources: {claims: [{name: 'gpu'}]}}],
			},
		},
	);
	const toleration = {key: 'example.com/broken', operator: 'Exists', effect: 'NoExecute'};
	const tolerations = [{...toleration, tolerationSeconds: tolerated}];
	const results = [{request: 'gpu', driver, pool: node, device: 'gpu-0', tolerations}];
	await api.request('PUT', `${claims}/${name}/status`, {
		...claim,
		status: {
			allocation: {devices: {results}},
			reservedFor: [{resource: 'pods', name, uid: pod.metadata.uid}],
		},
	});
}

/** Taints the device as broken, as its driver would; the API server sets the time. */
export async function taintDevice(api: ApiClient, node: string): Promise<void> {
	const path = `${resource}/resourceslices/${node}-gpus`;
	const {metadata} = await api.request<{readonly metadata: Metadata}>('GET', path);
	await api.request('PUT', path, {
		...slice(node, [{key: 'example.com/broken', effect: 'NoExecute'}]),
		metadata,
	});
}
