import {type ApiObject, valueAt} from '../encode/apiObject.ts';
import type {ResourceName} from '../encode/resources.ts';
import {
	ageColumn,
	countColumn,
	formatAge,
	nameColumn,
	pathColumn,
	type ServerColumn,
	textColumn,
	wide,
} from './column.ts';
import {nodeColumns} from './nodeColumns.ts';
import {podColumns} from './podColumns.ts';

const involvedObject = (event: ApiObject) =>
	`${String(valueAt(event, 'involvedObject.kind')).toLowerCase()}/${valueAt(event, 'involvedObject.name')}`;

const readyOfDesired = (object: ApiObject) =>
	`${valueAt(object, 'status.readyReplicas') ?? 0}/${valueAt(object, 'spec.replicas') ?? 0}`;

const columns: Partial<Readonly<Record<ResourceName, readonly ServerColumn[]>>> = {
	nodes: nodeColumns,
	pods: podColumns,
	namespaces: [nameColumn, pathColumn('Status', 'status.phase'), ageColumn],
	leases: [nameColumn, pathColumn('Holder', 'spec.holderIdentity'), ageColumn],
	events: [
		textColumn('Last Seen', (event, now) => formatAge(event['lastTimestamp'], now)),
		pathColumn('Type', 'type'),
		pathColumn('Reason', 'reason'),
		textColumn('Object', involvedObject),
		wide(pathColumn('Source', 'source.component')),
		pathColumn('Message', 'message'),
	],
	deployments: [
		nameColumn,
		textColumn('Ready', readyOfDesired),
		countColumn('Up-to-date', 'status.updatedReplicas'),
		countColumn('Available', 'status.availableReplicas'),
		ageColumn,
	],
	replicasets: [
		nameColumn,
		countColumn('Desired', 'spec.replicas'),
		countColumn('Current', 'status.replicas'),
		countColumn('Ready', 'status.readyReplicas'),
		ageColumn,
	],
	statefulsets: [nameColumn, textColumn('Ready', readyOfDesired), ageColumn],
	daemonsets: [
		nameColumn,
		countColumn('Desired', 'status.desiredNumberScheduled'),
		countColumn('Current', 'status.currentNumberScheduled'),
		countColumn('Ready', 'status.numberReady'),
		ageColumn,
	],
};

/** The columns of a resource; name and age where it has none of its own. */
export const columnsOf = (resource: ResourceName): readonly ServerColumn[] =>
	columns[resource] ?? [nameColumn, ageColumn];
