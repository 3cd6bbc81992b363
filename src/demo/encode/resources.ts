/** The plural names of the resources served. */
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

/** What discovery, routing and selection need to know of a resource. */
export type ApiResource = {
	readonly name: ResourceName;
	readonly singularName: string;
	readonly kind: string;
	/** Empty for the core group. */
	readonly group: string;
	readonly version: 'v1';
	readonly isNamespaced: boolean;
	readonly shortNames: readonly string[];
	readonly categories: readonly string[];
	/** Field selectors besides metadata.name and metadata.namespace, with the value of an absent field. */
	readonly selectableFields: Readonly<Record<string, string>>;
};

const absentIsEmpty = (...paths: readonly string[]) => Object.fromEntries(paths.map((path) => [path, '']));

const defaults = {
	group: '',
	version: 'v1',
	isNamespaced: true,
	shortNames: [],
	categories: [],
	selectableFields: {},
} as const;

const workload = {...defaults, group: 'apps', categories: ['all']} as const;

/** Every resource served, in the order in which discovery lists them. */
export const resources: Readonly<Record<ResourceName, ApiResource>> = {
	events: {
		...defaults,
		name: 'events',
		singularName: 'event',
		kind: 'Event',
		shortNames: ['ev'],
		selectableFields: absentIsEmpty(
			'involvedObject.kind',
			'involvedObject.namespace',
			'involvedObject.name',
			'involvedObject.uid',
			'involvedObject.apiVersion',
			'involvedObject.resourceVersion',
			'involvedObject.fieldPath',
			'reason',
			'reportingComponent',
			'source',
			'type',
		),
	},
	namespaces: {
		...defaults,
		name: 'namespaces',
		singularName: 'namespace',
		kind: 'Namespace',
		isNamespaced: false,
		shortNames: ['ns'],
		selectableFields: absentIsEmpty('status.phase'),
	},
	nodes: {
		...defaults,
		name: 'nodes',
		singularName: 'node',
		kind: 'Node',
		isNamespaced: false,
		shortNames: ['no'],
		selectableFields: {'spec.unschedulable': 'false'},
	},
	pods: {
		...defaults,
		name: 'pods',
		singularName: 'pod',
		kind: 'Pod',
		shortNames: ['po'],
		categories: ['all'],
		selectableFields: {
			...absentIsEmpty(
				'spec.nodeName',
				'spec.restartPolicy',
				'spec.schedulerName',
				'spec.serviceAccountName',
			),
			...absentIsEmpty('status.phase', 'status.podIP', 'status.nominatedNodeName'),
			'spec.hostNetwork': 'false',
		},
	},
	daemonsets: {
		...workload,
		name: 'daemonsets',
		singularName: 'daemonset',
		kind: 'DaemonSet',
		shortNames: ['ds'],
	},
	deployments: {
		...workload,
		name: 'deployments',
		singularName: 'deployment',
		kind: 'Deployment',
		shortNames: ['deploy'],
	},
	replicasets: {
		...workload,
		name: 'replicasets',
		singularName: 'replicaset',
		kind: 'ReplicaSet',
		shortNames: ['rs'],
		selectableFields: {'status.replicas': '0'},
	},
	statefulsets: {
		...workload,
		name: 'statefulsets',
		singularName: 'statefulset',
		kind: 'StatefulSet',
		shortNames: ['sts'],
	},
	leases: {
		...defaults,
		name: 'leases',
		singularName: 'lease',
		kind: 'Lease',
		group: 'coordination.k8s.io',
	},
	poddisruptionbudgets: {
		...defaults,
		name: 'poddisruptionbudgets',
		singularName: 'poddisruptionbudget',
		kind: 'PodDisruptionBudget',
		group: 'policy',
		shortNames: ['pdb'],
	},
	// The demo has none of these two, but `kubectl cluster-info dump` gives up where they cannot be listed.
	replicationcontrollers: {
		...defaults,
		name: 'replicationcontrollers',
		singularName: 'replicationcontroller',
		kind: 'ReplicationController',
		shortNames: ['rc'],
		categories: ['all'],
	},
	services: {
		...defaults,
		name: 'services',
		singularName: 'service',
		kind: 'Service',
		shortNames: ['svc'],
		categories: ['all'],
	},
};

/** The groups served, the core group (empty) first. */
export const groups: readonly string[] = [
	...new Set(Object.values(resources).map(({group}) => group)),
].toSorted();

/** The resources of one group. */
export const resourcesOf = (group: string): readonly ApiResource[] =>
	Object.values(resources).filter((resource) => resource.group === group);

/** How objects name their group and version: `v1`, `apps/v1`. */
export const apiVersionOf = ({group, version}: Pick<ApiResource, 'group' | 'version'>): string =>
	group === '' ? version : `${group}/${version}`;
