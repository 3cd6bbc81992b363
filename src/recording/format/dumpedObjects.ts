import {decodeRepair, repairGroups, repairKinds} from '../../cluster/codec/decodeRepair.ts';
import {entriesOf, type Fields, fieldsOf, isObject, textOf} from '../../cluster/codec/rawJson.ts';
import {type DeviceKind, isDeviceKind} from '../../core/model/device.ts';
import type {RepairObject} from '../../core/model/repairObject.ts';

/** An object of a dump, not yet read, and its kind. */
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

/** What belongs to pods, by the API groups of its kinds. */
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

/**
 * The objects of a document that are of interest: a List, a list of one kind, or an object alone. Objects of other kinds are
 * passed over; what is no object is reported.
 */
export function objectsOf(document: unknown, report: (flaw: string) => void): readonly DumpedObject[] {
	// A `---` with nothing behind it makes an empty document.
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
		// In a NodeList as the API server sends it, the items do not say what they are.
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
	// Other API groups have kinds of the same names.
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

/** Whether objects of a kind tell of who repairs nodes. */
export const isRepairKind = (kind: string): kind is RepairObject['kind'] => allRepairKinds.has(kind);

/** Reads an object that tells of who repairs nodes; undefined for any other. */
export function repairObjectOf({kind, object}: DumpedObject): RepairObject | undefined {
	const [group = ''] = textOf(fieldsOf<DumpDocument>(object).apiVersion).split('/');
	return isRepairKind(kind) ? decodeRepair(kind, group, object) : undefined;
}

/**
 * Which of two versions of one object is the newer, where the API server's word for it can be compared: greater than zero
 * for the first, below for the second; zero where it cannot be told.
 */
export function compareVersions(one: unknown, other: unknown): number {
	const [a, b] = [versionOf(one), versionOf(other)];
	return a === undefined || b === undefined || a === b ? 0 : a > b ? 1 : -1;
}

function versionOf(object: unknown): bigint | undefined {
	const {metadata} = fieldsOf<{metadata: unknown}>(object);
	const version = textOf(fieldsOf<{resourceVersion: string}>(metadata).resourceVersion);
	return /^\d{1,20}$/.test(version) ? BigInt(version) : undefined;
}
