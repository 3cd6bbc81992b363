import type {TextMap} from '../../text/textMap.ts';

export {valueAt} from '../../cluster/codec/rawJson.ts';

export type ObjectMeta = Readonly<{
	name: string;
	namespace?: string;
	uid?: string;
	resourceVersion?: string;
	creationTimestamp?: string;
	deletionTimestamp?: string;
	deletionGracePeriodSeconds?: number;
	labels?: TextMap;
	annotations?: TextMap;
	ownerReferences?: readonly object[];
}>;

/** A raw API object: the JSON that clients get. The server reads only its metadata and selectable fields. */
export type ApiObject = Readonly<{
	apiVersion: string;
	kind: string;
	metadata: ObjectMeta;
	[field: string]: unknown;
}>;

/** An object with more fields in some of its parts: metadata, spec and status. */
export function withMore(object: object, more: Readonly<Record<string, object>>): ApiObject {
	const parts = object as Readonly<Record<string, object>>;
	const entries = Object.entries(more).map(([part, fields]) => [part, {...parts[part], ...fields}]);
	return {...object, ...Object.fromEntries(entries)} as ApiObject;
}

/** The plural names of the served resources. */
export type ResourceName =
	| 'nodes'
	| 'pods'
	| 'namespaces'
	| 'events'
	| 'leases'
	| 'deployments'
	| 'replicasets'
	| 'statefulsets'
	| 'daemonsets'
	| 'poddisruptionbudgets'
	| 'replicationcontrollers'
	| 'services';

/** The properties of a resource for discovery, routing and selection. */
export type ApiResource = Readonly<{
	name: ResourceName;
	singularName: string;
	kind: string;
	/** Empty for the core group. */
	group: string;
	isNamespaced: boolean;
	shortNames: readonly string[];
	categories: readonly string[];
	/** Field selectors besides metadata.name and metadata.namespace, with the value of an absent field. */
	selectableFields: TextMap;
}>;

const absentIsEmpty = (...paths: readonly string[]) => Object.fromEntries(paths.map((path) => [path, '']));

const resource = (kind: string, shortName?: string, more: Partial<ApiResource> = {}): ApiResource => ({
	name: `${kind.toLowerCase()}s` as ResourceName,
	singularName: kind.toLowerCase(),
	kind,
	group: '',
	isNamespaced: true,
	shortNames: shortName === undefined ? [] : [shortName],
	categories: [],
	selectableFields: {},
	...more,
});

const workload = {group: 'apps', categories: ['all']} as const;

/** Every served resource, in the order of discovery. */
export const resources: Readonly<Record<ResourceName, ApiResource>> = {
	events: resource('Event', 'ev', {
		selectableFields: absentIsEmpty(
			...['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map(
				(field) => `involvedObject.${field}`,
			),
			...['reason', 'reportingComponent', 'source', 'type'],
		),
	}),
	namespaces: resource('Namespace', 'ns', {
		isNamespaced: false,
		selectableFields: absentIsEmpty('status.phase'),
	}),
	nodes: resource('Node', 'no', {isNamespaced: false, selectableFields: {'spec.unschedulable': 'false'}}),
	pods: resource('Pod', 'po', {
		categories: ['all'],
		selectableFields: {
			...absentIsEmpty(
				...['nodeName', 'restartPolicy', 'schedulerName', 'serviceAccountName'].map((name) => `spec.${name}`),
				...['phase', 'podIP', 'nominatedNodeName'].map((name) => `status.${name}`),
			),
			'spec.hostNetwork': 'false',
		},
	}),
	daemonsets: resource('DaemonSet', 'ds', workload),
	deployments: resource('Deployment', 'deploy', workload),
	replicasets: resource('ReplicaSet', 'rs', {...workload, selectableFields: {'status.replicas': '0'}}),
	statefulsets: resource('StatefulSet', 'sts', workload),
	leases: resource('Lease', undefined, {group: 'coordination.k8s.io'}),
	poddisruptionbudgets: resource('PodDisruptionBudget', 'pdb', {group: 'policy'}),
	// The demo has no objects of these two, but `kubectl cluster-info dump` fails if they cannot be listed.
	replicationcontrollers: resource('ReplicationController', 'rc', {categories: ['all']}),
	services: resource('Service', 'svc', {categories: ['all']}),
};

/** The served groups, with the core group (empty) first. */
export const groups: readonly string[] = [
	...new Set(Object.values(resources).map(({group}) => group)),
].toSorted();

export const resourcesOf = (group: string): readonly ApiResource[] =>
	Object.values(resources).filter((resource) => resource.group === group);

/** The apiVersion of a group's objects; its version is always v1: `v1`, `apps/v1`. */
export const apiVersionOf = (group: string) => (group === '' ? 'v1' : `${group}/v1`);
