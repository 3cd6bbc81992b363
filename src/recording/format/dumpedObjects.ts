import {decodeRepair, repairGroups, repairKinds} from '../../cluster/codec/decodeRepair.ts';
import {entriesOf, type Fields, fieldsOf, isObject, textOf} from '../../cluster/codec/rawJson.ts';
import {type DeviceKind, isDeviceKind} from '../../core/model/device.ts';
import type {RepairObject} from '../../core/model/repairObject.ts';

export type DumpedObject = {
	readonly kind:
		| 'Node'
		| 'Pod'
		| 'Lease'
		| 'Endpoints'
		| 'Event'
		| DeviceKind
		| RelatedKind
		| RepairObject['kind'];
	readonly object: unknown;
};

/** The kinds of related objects with their API groups. */
const relatedGroups = {
	ReplicaSet: 'apps',
	Deployment: 'apps',
	StatefulSet: 'apps',
	DaemonSet: 'apps',
	ReplicationController: '',
	Job: 'batch',
	PodDisruptionBudget: 'policy',
	Service: '',
	PersistentVolume: '',
	PersistentVolumeClaim: '',
	EndpointSlice: 'discovery.k8s.io',
	VolumeAttachment: 'storage.k8s.io',
} as const;

type RelatedKind = keyof typeof relatedGroups;

const isRelated = (kind: string): kind is RelatedKind => Object.hasOwn(relatedGroups, kind);

type DumpDocument = {kind: string; apiVersion: string; items: unknown};

/** The relevant objects of a document: a List, a list of one kind, or one object. What is no object is reported. */
export function objectsOf(document: unknown, report: (flaw: string) => void): readonly DumpedObject[] {
	// `---` with nothing after it makes an empty document.
	if (document === null) return [];
	if (!isObject(document)) report('document that is no object');
	const fields = fieldsOf<DumpDocument>(document);
	const listKind = textOf(fields.kind);
	if (!listKind.endsWith('List')) return objectOf(document, listKind, textOf(fields.apiVersion));
	return itemsOf(fields, report).flatMap((item) => {
		if (!isObject(item)) {
			report('list item that is no object');
			return [];
		}
		const own = fieldsOf<DumpDocument>(item);
		// Items of the API server's NodeList have no kind of their own.
		const itemKind = listKind.slice(0, -'List'.length);
		const kind = textOf(own.kind) || itemKind;
		if (kind === '') report('list item without a kind');
		return objectOf(item, kind, textOf(own.apiVersion) || (itemKind === '' ? '' : textOf(fields.apiVersion)));
	});
}

function itemsOf({items}: Fields<DumpDocument>, report: (flaw: string) => void): readonly unknown[] {
	// Go writes an empty list as null.
	if (!Array.isArray(items) && items !== null) report('list without items');
	return entriesOf(items);
}

function objectOf(object: unknown, kind: string, apiVersion: string): readonly DumpedObject[] {
	// Other API groups have kinds with the same names.
	const group = apiVersion.includes('/') ? apiVersion.split('/')[0] : '';
	const repaired = repairGroups.find((one) => one === group);
	if (repaired) return isRepairKind(kind) && repairKinds[repaired][kind] ? [{kind, object}] : [];
	if (isRelated(kind)) return group === relatedGroups[kind] ? [{kind, object}] : [];
	if (isDeviceKind(kind)) return group === 'resource.k8s.io' ? [{kind, object}] : [];
	const isCore = kind === 'Node' || kind === 'Pod' || kind === 'Endpoints';
	if (isCore && group === '') return [{kind, object}];
	if (kind === 'Event' && (group === '' || group === 'events.k8s.io')) return [{kind, object}];
	return kind === 'Lease' && (group === 'coordination.k8s.io' || apiVersion === '') ? [{kind, object}] : [];
}

const allRepairKinds: ReadonlySet<string> = new Set(
	Object.values(repairKinds).flatMap((one) => Object.keys(one)),
);

export const isRepairKind = (kind: string): kind is RepairObject['kind'] => allRepairKinds.has(kind);

/** Decodes an object of node repair; undefined for any other. */
export function repairObjectOf({kind, object}: DumpedObject): RepairObject | undefined {
	const [group = ''] = textOf(fieldsOf<DumpDocument>(object).apiVersion).split('/');
	return isRepairKind(kind) ? decodeRepair(kind, group, object) : undefined;
}

/** Compares two versions of an object: positive if the first is newer, negative if the second is, zero if unknown. */
export function compareVersions(one: unknown, other: unknown): number {
	const [a, b] = [versionOf(one), versionOf(other)];
	return a === undefined || b === undefined || a === b ? 0 : a > b ? 1 : -1;
}

function versionOf(object: unknown): bigint | undefined {
	const {metadata} = fieldsOf<{metadata: unknown}>(object);
	const version = textOf(fieldsOf<{resourceVersion: string}>(metadata).resourceVersion);
	return /^\d{1,20}$/.test(version) ? BigInt(version) : undefined;
}
