import {type ApiClient, mergePatch} from './apiClient.ts';
import type {Metadata} from './objects.ts';

/** A claim and its bound volume, which have the same name. */
export type ClaimedVolume = {
	readonly name: string;
	readonly source: object;
	readonly mode: 'ReadWriteOnce' | 'ReadWriteMany';
	/** The nodes that can reach it; absent for all. */
	readonly nodes?: readonly string[];
};

/** Creates both as if the volume controller, which does not run here, had bound them. */
export async function createBound(
	api: ApiClient,
	namespace: string,
	{name, source, mode, nodes}: ClaimedVolume,
): Promise<void> {
	const spec = {accessModes: [mode], storageClassName: 'none'};
	const terms = [{matchExpressions: [{key: 'kubernetes.io/hostname', operator: 'In', values: nodes}]}];
	const claims = `/api/v1/namespaces/${namespace}/persistentvolumeclaims`;
	const {
		metadata: {uid},
	} = await api.request<{metadata: Metadata}>('POST', claims, {
		metadata: {name, annotations: {'pv.kubernetes.io/bind-completed': 'yes'}},
		spec: {...spec, volumeName: name, resources: {requests: {storage: '1Gi'}}},
	});
	await api.request('POST', '/api/v1/persistentvolumes', {
		metadata: {name},
		spec: {
			...{...spec, ...source, capacity: {storage: '1Gi'}, claimRef: {namespace, name, uid}},
			...(nodes && {nodeAffinity: {required: {nodeSelectorTerms: terms}}}),
		},
	});
	await api.request('PATCH', `${claims}/${name}/status`, {status: {phase: 'Bound'}}, mergePatch);
}
