import {repairGroups, repairKinds} from '../../cluster/codec/decodeRepair.ts';
import {type Decoder, type ObservedKind, observedRepair} from '../../cluster/codec/decoder.ts';
import {entriesOf, type Fields, fieldsOf, isObject, textOf, valueAt} from '../../cluster/codec/rawJson.ts';
import {type DeviceKind, deviceKinds} from '../../core/model/device.ts';
import type {Observation} from '../../core/model/observation.ts';
import type {RepairObject} from '../../core/model/repairObject.ts';

/** The API groups of the kinds that are read: other groups have kinds of the same names. */
const groupsOf = {
	Node: [''],
	Pod: [''],
	Endpoints: [''],
	Event: ['', 'events.k8s.io'],
	// A list need not say its apiVersion.
	Lease: ['', 'coordination.k8s.io'],
	// Until v1.15 kubectl asked for those of `extensions`.
	ReplicaSet: ['apps', 'extensions'],
	Deployment: ['apps', 'extensions'],
	StatefulSet: ['apps'],
	DaemonSet: ['apps', 'extensions'],
	ReplicationController: [''],
	Job: ['batch'],
	PodDisruptionBudget: ['policy'],
	Service: [''],
	PersistentVolume: [''],
	PersistentVolumeClaim: [''],
	EndpointSlice: ['discovery.k8s.io'],
	VolumeAttachment: ['storage.k8s.io'],
	KubeControllerManager: ['operator.openshift.io'],
};

/** A kind of object. The configuration of OpenShift's nodes has the kind of a node. */
type DumpedKind = keyof typeof groupsOf | DeviceKind | RepairObject['kind'] | 'NodeConfig';

export type DumpedObject = Readonly<{
	kind: DumpedKind;
	group: string;
	object: unknown;
	/** Whether a watch told that it is gone. */
	isDeleted?: boolean;
}>;

/** The kinds by their group and name. */
const kindsRead: ReadonlyMap<string, DumpedKind> = new Map(
	[
		...Object.entries(groupsOf).flatMap(([kind, groups]) => groups.map((group) => [group, kind] as const)),
		...deviceKinds.map((kind) => ['resource.k8s.io', kind] as const),
		...repairGroups.flatMap((group) => repairKinds[group].map((kind) => [group, kind] as const)),
	].map(([group, kind]) => [`${group}/${kind}`, kind as DumpedKind] as const),
).set('config.openshift.io/Node', 'NodeConfig');

type DumpDocument = {kind: string; apiVersion: string; items: unknown; type: unknown; object: unknown};

/**
 * The relevant objects of a document: a List, a list of one kind, one object, or one that a watch told. What is no object is
 * reported.
 *
 * @param list the list that it is an item of
 */
export function objectsOf(
	document: unknown,
	report: (flaw: string) => void,
	list?: Fields<DumpDocument>,
): readonly DumpedObject[] {
	// `---` with nothing after it makes an empty document.
	if (document === null && !list) return [];
	// jq writes the items of a list alone, and lists as items of another.
	if (Array.isArray(document)) return objectsOf({kind: 'List', items: document}, report);
	if (!isObject(document)) report(`${list ? 'list item' : 'document'} that is no object`);
	const fields = fieldsOf<DumpDocument>(document);
	// Items of the API server's NodeList have no kind of their own.
	const itemKind = textOf(list?.kind).slice(0, -'List'.length);
	const kind = textOf(fields.kind) || itemKind;
	// With --output-watch-events kubectl says what happened to the object.
	if (kind === '' && isObject(fields.object)) {
		const isDeleted = fields.type === 'DELETED';
		return objectsOf(fields.object, report).map((one) => ({...one, isDeleted}));
	}
	if (kind === '' && list && isObject(document)) report('list item without a kind');
	// Other kinds may be named so too: they have no items.
	if (kind.endsWith('List') && (!list || Array.isArray(fields.items)))
		return itemsOf(fields, report).flatMap((item) => objectsOf(item, report, fields));
	return objectOf(document, kind, textOf(fields.apiVersion) || (itemKind && textOf(list?.apiVersion)));
}

function itemsOf({items}: Fields<DumpDocument>, report: (flaw: string) => void): readonly unknown[] {
	// Go writes an empty list as null.
	if (!Array.isArray(items) && items !== null) report('list without items');
	return entriesOf(items);
}

function objectOf(object: unknown, name: string, apiVersion: string): readonly DumpedObject[] {
	const [group = ''] = apiVersion.includes('/') ? apiVersion.split('/') : [];
	const kind = kindsRead.get(`${group}/${name}`);
	return kind === undefined ? [] : [{kind, group, object}];
}

const anyKind = new RegExp(
	`["']?kind["']?:\\s*["']?(?:List|${[...kindsRead.keys()].map((key) => key.split('/')[1]).join('|')})`,
);

/** Whether a text may hold objects of a kind that is read: most files of a must-gather need not be parsed. */
export const mayHoldObjects = (text: string) => anyKind.test(text);

/** How an object of node repair is read; undefined for any other. */
export function repairKindOf({kind, group}: DumpedObject): ObservedKind<RepairObject> | undefined {
	const repaired = repairGroups.find((known) => known === group);
	return repaired && observedRepair(kind as RepairObject['kind'], repaired);
}

/** How objects are read that change a cluster; undefined for any other. The leader is a lease, also if it is kept in Endpoints. */
export function observedKinds(decoder: Decoder) {
	const kinds = new Map<string, ObservedKind<unknown>>([
		['Node', decoder.node],
		['Pod', decoder.pod],
		['Lease', decoder.lease],
		['Event', decoder.event],
		...deviceKinds.map((kind) => [kind, decoder.device(kind)] as const),
	]);
	return (dumped: DumpedObject) => repairKindOf(dumped) ?? kinds.get(dumped.kind);
}

/** The newest version of each object, observed. If versions are not comparable, the last one wins. */
export function newestOf(objects: readonly DumpedObject[], decoder: Decoder): readonly Observation[] {
	const kindOf = observedKinds(decoder);
	const byKey = new Map<string, {readonly observation: Observation; readonly object: unknown}>();
	for (const dumped of objects) {
		const observed = kindOf(dumped);
		const decoded = observed?.decode(dumped.object);
		if (!observed || decoded === undefined) continue;
		const own = observed.keyOf(decoded);
		const key = `${dumped.kind} ${own}`;
		const {object, isDeleted} = dumped;
		const observation = isDeleted ? observed.deleted(own) : observed.applied(decoded);
		const before = byKey.get(key);
		if (!before || compareVersions(before.object, object) <= 0) byKey.set(key, {observation, object});
	}
	return [...byKey.values()].map(({observation}) => observation);
}

/** Compares two versions of an object: positive if the first is newer, negative if the second is, zero if unknown. */
export function compareVersions(one: unknown, other: unknown): number {
	const [a, b] = [versionOf(one), versionOf(other)];
	return a === undefined || b === undefined || a === b ? 0 : a > b ? 1 : -1;
}

function versionOf(object: unknown): bigint | undefined {
	const version = textOf(valueAt(object, 'metadata.resourceVersion'));
	return /^\d{1,20}$/.test(version) ? BigInt(version) : undefined;
}
