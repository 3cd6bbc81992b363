import type {ApiClient} from '../apiClient.ts';
import {deadZone, namespace} from './names.ts';

/** A claim and the volume that it is bound to, which have one name. */
type ClaimedVolume = {
	readonly name: string;
	readonly source: object;
	readonly mode: 'ReadWriteOnce' | 'ReadWriteMany';
	/** From which nodes it can be reached; absent where from all. */
	readonly nodes?: readonly string[];
};

/** One that lies on a dead node, and one that can be reached from everywhere. */
export const claimedVolumes: readonly ClaimedVolume[] = [
	{name: 'local', source: {local: {path: '/data'}}, mode: 'ReadWriteOnce', nodes: [`${deadZone}-3`]},
	{name: 'shared', source: {nfs: {server: 'nfs.example', path: '/'}}, mode: 'ReadWriteMany'},
];

/** Creates both as they are once the volume controller has bound them: it does not run here. */
export async function createBound(api: ApiClient, {name, source, mode, nodes}: ClaimedVolume): Promise<void> {
	const spec = {accessModes: [mode], storageClassName: 'none'};
	const terms = [{matchExpressions: [{key: 'kubernetes.io/hostname', operator: 'In', values: nodes}]}];
	await api.request('POST', '/api/v1/persistentvolumes', {
		metadata: {name},
		spec: {
			...{...spec, ...source, capacity: {storage: '1Gi'}, claimRef: {namespace, name}},
			...(nodes && {nodeAffinity: {required: {nodeSelectorTerms: terms}}}),
		},
	});
	await api.request('POST', `/api/v1/namespaces/${namespace}/persistentvolumeclaims`, {
		metadata: {name, annotations: {'pv.kubernetes.io/bind-completed': 'yes'}},
		spec: {...spec, volumeName: name, resources: {requests: {storage: '1Gi'}}},
	});
}
