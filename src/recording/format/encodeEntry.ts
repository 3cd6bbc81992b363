import {
	type EncodedKind,
	encodeDeviceObject,
	encodeEvent,
	encodeKey,
	encodeLease,
	encodeNode,
	encodePod,
} from '../../cluster/codec/encodeObject.ts';
import {encodeRepair} from '../../cluster/codec/encodeRepair.ts';
import {recordedTime} from '../../cluster/codec/recordedTime.ts';
import {kept} from '../../core/collections/kept.ts';
import {deviceObjectKey} from '../../core/model/device.ts';
import type {Observation} from '../../core/model/observation.ts';
import {podKey} from '../../core/model/pod.ts';
import {repairKey} from '../../core/model/repairObject.ts';
import type {Instant} from '../../core/time/instant.ts';
import {pressureEncoder} from './encodePressure.ts';
import type {RecordingEntry} from './entry.ts';
import {relatedEncoder} from './relatedChanges.ts';

/** Larger batches announce their number of objects. */
const maxUncounted = 100;

/**
 * Encodes entries as lines. Tracks the existing objects: the first line of each is ADDED.
 *
 * @param shown changes a line before it is written
 */
export function entryEncoder(shown: (line: object) => object = (line) => line) {
	const known = new Map<WrittenKind, Map<string, object | undefined>>();
	const relatedChanges = relatedEncoder();
	const pressureMetas = pressureEncoder();
	let lastBatchAt: Instant | undefined;
	let isFirst = true;

	const lineOf = (value: object) => `${JSON.stringify(shown(value))}\n`;
	const keysOf = (kind: WrittenKind) => kept(known, kind, () => new Map<string, object | undefined>());

	const metasOf = (entry: Exclude<RecordingEntry, {type: 'batch'}>): Iterable<object> => {
		switch (entry.type) {
			case 'header':
				return [{kind: 'Recording', ...entry.header}];
			case 'problems':
				return [{kind: 'Problems', problems: entry.problems}];
			case 'related':
				return relatedChanges(entry.related);
			case 'pressure':
				return pressureMetas(entry.news);
			case 'clock':
				return [{kind: 'Clock', offset: entry.offset}];
			case 'tick':
				return [{kind: 'Tick'}];
			case 'end':
				return [{kind: 'End'}];
		}
	};

	const encoded = (observation: Observation) => {
		const {kind, key, object} = writtenOf(observation);
		const keys = keysOf(kind);
		if (!object) {
			const last = keys.get(key);
			keys.delete(key);
			return {type: 'DELETED', object: kind === 'Repair' ? (last ?? {}) : encodeKey(kind, key)};
		}
		const type = keys.has(key) ? 'MODIFIED' : 'ADDED';
		keys.set(key, kind === 'Repair' ? object : undefined);
		return {type, object};
	};

	return {
		count: (kind: EncodedKind) => keysOf(kind).size,
		/** The lines of an entry, one by one: a first look at a large cluster has many. */
		*lines(entry: RecordingEntry): Generator<string> {
			const at = recordedTime(entry.at);
			if (entry.type === 'batch') {
				if (isFirst || entry.at === lastBatchAt || isAnnounced(entry))
					yield lineOf({at, type: 'META', meta: batchMeta(entry)});
				isFirst = false;
				for (const observation of entry.observations) yield lineOf({at, ...encoded(observation)});
			} else for (const meta of metasOf(entry)) yield lineOf({at, type: 'META', meta});
			lastBatchAt = entry.type === 'batch' ? entry.at : undefined;
		},
	};
}

type BatchEntry = Extract<RecordingEntry, {type: 'batch'}>;

// Lines of one instant form a batch unless it is announced. First looks and similar batches have a count, as half of one
// would show a wrong cluster.
const isAnnounced = ({provenance, observations: {length}}: BatchEntry) =>
	provenance !== undefined || length > maxUncounted || length === 0;

/** The field of the provenance is called `sight` since the first version. */
const batchMeta = ({provenance, observations}: BatchEntry) => ({
	kind: 'Batch',
	...(provenance && {sight: provenance.type}),
	...(provenance && 'since' in provenance && {since: recordedTime(provenance.since) ?? null}),
	objects: observations.length,
});

/** What shows who repairs nodes is of several kinds; the line of its deletion has all of it. */
type WrittenKind = EncodedKind | 'Repair';

/** What a line says of an observation; no object if it is deleted. */
function writtenOf(observation: Observation): {
	readonly kind: WrittenKind;
	readonly key: string;
	readonly object?: object;
} {
	switch (observation.type) {
		case 'nodeApplied':
			return {kind: 'Node', key: observation.node.name, object: encodeNode(observation.node)};
		case 'podApplied':
			return {kind: 'Pod', key: podKey(observation.pod), object: encodePod(observation.pod)};
		case 'leaseApplied':
			return {kind: 'Lease', key: podKey(observation.lease), object: encodeLease(observation.lease)};
		case 'eventApplied':
			return {kind: 'Event', key: podKey(observation.event), object: encodeEvent(observation.event)};
		case 'deviceObjectApplied': {
			const {object} = observation;
			return {kind: object.kind, key: deviceObjectKey(object), object: encodeDeviceObject(object)};
		}
		case 'repairApplied':
			return {
				kind: 'Repair',
				key: repairKey(observation.object),
				object: encodeRepair(observation.object),
			};
		case 'deviceObjectDeleted':
			return observation;
		case 'repairDeleted':
			return {kind: 'Repair', key: observation.key};
		case 'nodeDeleted':
			return {kind: 'Node', key: observation.name};
		case 'podDeleted':
			return {kind: 'Pod', key: podKey(observation)};
		case 'leaseDeleted':
			return {kind: 'Lease', key: podKey(observation)};
		case 'eventDeleted':
			return {kind: 'Event', key: podKey(observation)};
	}
}
