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
import {type Observation, subjectOf} from '../../core/model/observation.ts';
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
		const {kind, key, object: applied} = subjectOf(observation);
		const keys = keysOf(kind);
		if (!applied) {
			const last = keys.get(key);
			keys.delete(key);
			return {type: 'DELETED', object: kind === 'Repair' ? (last ?? {}) : encodeKey(kind, key)};
		}
		const type = keys.has(key) ? 'MODIFIED' : 'ADDED';
		const object = encoders[kind](applied);
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
	sight: provenance?.type,
	...(provenance && 'since' in provenance && {since: recordedTime(provenance.since) ?? null}),
	objects: observations.length,
});

/** What shows who repairs nodes is of several kinds; the line of its deletion has all of it. */
type WrittenKind = EncodedKind | 'Repair';

const encoders = {
	Node: encodeNode,
	Pod: encodePod,
	Lease: encodeLease,
	Event: encodeEvent,
	Repair: encodeRepair,
	ResourceSlice: encodeDeviceObject,
	ResourceClaim: encodeDeviceObject,
	DeviceTaintRule: encodeDeviceObject,
} as Readonly<Record<WrittenKind, (object: unknown) => object>>;
