import type {Instant} from '../../core/time/instant.ts';
import {type ApiObject, type ResourceName, valueAt} from '../encode/apiObject.ts';
import {humanDuration} from './humanDuration.ts';

export type ServerColumn = {
	readonly name: string;
	/** Only shown with `-o wide`. */
	readonly isWide: boolean;
	readonly cell: (object: ApiObject, now: Instant) => string;
};

const textColumn = (name: string, cell: ServerColumn['cell']): ServerColumn => ({
	name,
	isWide: false,
	cell,
});

/** The same column, only shown with `-o wide`. */
const wide = (column: ServerColumn): ServerColumn => ({...column, isWide: true});

/** The value at a path, or a filler if it is absent. */
const pathColumn = (name: string, path: string, filler = ''): ServerColumn =>
	textColumn(name, (object) => String(valueAt(object, path) || filler));

const nameColumn: ServerColumn = pathColumn('Name', 'metadata.name');

const ageColumn: ServerColumn = textColumn('Age', ({metadata}, now) =>
	formatAge(metadata.creationTimestamp, now),
);

/** The age of an RFC 3339 time, as kubectl writes it. */
function formatAge(time: unknown, now: Instant): string {
	const at = typeof time === 'string' ? Date.parse(time) : Number.NaN;
	return Number.isNaN(at) ? '<unknown>' : humanDuration(now - at);
}

type ContainerStatus = {
	readonly ready: boolean;
	readonly state?: Readonly<Record<string, {readonly reason?: string}>>;
};

// Every field is optional, because the store accepts any object.
const textAt = (object: ApiObject, path: string) => valueAt(object, path) as string | undefined;
const listAt = <T>(object: ApiObject, path: string) => (valueAt(object, path) ?? []) as readonly T[];

const involvedObject = (event: ApiObject) =>
	`${String(valueAt(event, 'involvedObject.kind')).toLowerCase()}/${valueAt(event, 'involvedObject.name')}`;

const roleLabel = 'node-role.kubernetes.io/';

/** The columns of `kubectl get nodes`. @upstream kubernetes v1.36.3 pkg/printers/internalversion/printers.go */
const nodeColumns: readonly ServerColumn[] = [
	nameColumn,
	textColumn('Status', nodeStatus),
	textColumn('Roles', rolesOf),
	ageColumn,
	pathColumn('Version', 'status.nodeInfo.kubeletVersion'),
	wide(textColumn('Internal-IP', (node) => addressOf(node, 'InternalIP'))),
	wide(textColumn('External-IP', (node) => addressOf(node, 'ExternalIP'))),
	wide(pathColumn('OS-Image', 'status.nodeInfo.osImage', '<unknown>')),
	wide(pathColumn('Kernel-Version', 'status.nodeInfo.kernelVersion', '<unknown>')),
	wide(pathColumn('Container-Runtime', 'status.nodeInfo.containerRuntimeVersion', '<unknown>')),
];

function nodeStatus(object: ApiObject): string {
	const conditions = listAt<{type: string; status: string}>(object, 'status.conditions');
	const ready = conditions.find(({type}) => type === 'Ready');
	const health = !ready ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
	return valueAt(object, 'spec.unschedulable') ? `${health},SchedulingDisabled` : health;
}

function rolesOf({metadata}: ApiObject): string {
	const roles = Object.keys(metadata.labels ?? {})
		.filter((label) => label.startsWith(roleLabel))
		.map((label) => label.slice(roleLabel.length));
	return roles.toSorted().join(',') || '<none>';
}

function addressOf(object: ApiObject, wanted: string): string {
	const addresses = listAt<{type: string; address: string}>(object, 'status.addresses');
	return addresses.find(({type}) => type === wanted)?.address ?? '<none>';
}

/** The columns of `kubectl get pods`. @upstream kubernetes v1.36.3 pkg/printers/internalversion/printers.go */
const podColumns: readonly ServerColumn[] = [
	nameColumn,
	textColumn('Ready', readyOf),
	textColumn('Status', podStatus),
	textColumn('Restarts', () => '0'),
	ageColumn,
	wide(pathColumn('IP', 'status.podIP', '<none>')),
	wide(pathColumn('Node', 'spec.nodeName', '<none>')),
	wide(pathColumn('Nominated Node', 'status.nominatedNodeName', '<none>')),
	wide(textColumn('Readiness Gates', () => '<none>')),
];

const containersOf = (object: ApiObject) => listAt<ContainerStatus>(object, 'status.containerStatuses');

function readyOf(object: ApiObject): string {
	const ready = containersOf(object).filter((container) => container.ready);
	return `${ready.length}/${listAt(object, 'spec.containers').length}`;
}

function podStatus(object: ApiObject): string {
	const own = textAt(object, 'status.reason');
	if (object.metadata.deletionTimestamp !== undefined) return own === 'NodeLost' ? 'Unknown' : 'Terminating';
	// The reason of the first container that cannot run is more specific than the phase.
	const reasons = containersOf(object).map(
		({state}) => state?.['waiting']?.reason ?? state?.['terminated']?.reason,
	);
	return reasons.find((reason) => reason !== undefined) ?? own ?? textAt(object, 'status.phase') ?? 'Unknown';
}

const columns: Partial<Readonly<Record<ResourceName, readonly ServerColumn[]>>> = {
	nodes: nodeColumns,
	pods: podColumns,
	events: [
		textColumn('Last Seen', (event, now) => formatAge(event['lastTimestamp'], now)),
		pathColumn('Type', 'type'),
		pathColumn('Reason', 'reason'),
		textColumn('Object', involvedObject),
		wide(pathColumn('Source', 'source.component')),
		pathColumn('Message', 'message'),
	],
};

/** The columns of a resource; name and age if it has none of its own. */
export const columnsOf = (resource: ResourceName): readonly ServerColumn[] =>
	columns[resource] ?? [nameColumn, ageColumn];
