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
import type {Observation, Provenance} from '../../core/model/observation.ts';
import {podKey} from '../../core/model/pod.ts';
import {repairKey} from '../../core/model/repairObject.ts';
import type {Instant} from '../../core/time/instant.ts';
import {pressureEncoder} from './encodePressure.ts';
import type {RecordingEntry} from './entry.ts';
import {relatedEncoder} from './relatedChanges.ts';

/** Larger batches announce their number of objects. */
const maxUncounted = 100;

/** Encodes entries as lines. Tracks the existing objects: the first line of each is ADDED. */
export class EntryEncoder {
	readonly #known = new Map<WrittenKind, Map<string, object | undefined>>();
	readonly #related = relatedEncoder();
	readonly #pressure = pressureEncoder();
	#lastBatchAt: Instant | undefined;
	#isFirst = true;

	readonly #shown: (line: object) => object;

	/** @param shown changes a line before it is written */
	constructor(shown: (line: object) => object = (line) => line) {
		this.#shown = shown;
	}

	/** The lines of an entry, one by one: a first look at a large cluster has many. */
	*lines(entry: RecordingEntry): Generator<string> {
		const at = recordedTime(entry.at);
		if (entry.type === 'batch') yield* this.#batch(entry, at);
		else {
			for (const meta of this.#metas(entry)) yield this.#line({at, type: 'META', meta});
			this.#lastBatchAt = undefined;
		}
	}

	#metas(entry: Exclude<RecordingEntry, {type: 'batch'}>): Iterable<object> {
		switch (entry.type) {
			case 'header':
				return [{kind: 'Recording', ...entry.header}];
			case 'problems':
				return [{kind: 'Problems', problems: entry.problems}];
			case 'related':
				return this.#related(entry.related);
			case 'pressure':
				return this.#pressure(entry.news);
			case 'clock':
				return [{kind: 'Clock', offset: entry.offset}];
			case 'tick':
				return [{kind: 'Tick'}];
			case 'end':
				return [{kind: 'End'}];
		}
	}

	*#batch(
		{at, observations, provenance}: Extract<RecordingEntry, {type: 'batch'}>,
		time: string | undefined,
	) {
		// Lines of one instant form a batch unless it is announced. First looks and similar batches have a count, as half of one
		// would show a wrong cluster.
		const isApart = at === this.#lastBatchAt || observations.length > maxUncounted;
		if (provenance || isApart || observations.length === 0 || this.#isFirst)
			yield this.#line({
				at: time,
				type: 'META',
				meta: {kind: 'Batch', ...(provenance && provenanceMeta(provenance)), objects: observations.length},
			});
		this.#lastBatchAt = at;
		this.#isFirst = false;
		for (const observation of observations) yield this.#line({at: time, ...this.#encoded(observation)});
	}

	#encoded(observation: Observation): {readonly type: string; readonly object: object} {
		const {kind, key, object} = writtenOf(observation);
		const known = this.#keysOf(kind);
		if (!object) {
			const last = known.get(key);
			known.delete(key);
			return {type: 'DELETED', object: kind === 'Repair' ? (last ?? {}) : encodeKey(kind, key)};
		}
		const type = known.has(key) ? 'MODIFIED' : 'ADDED';
		known.set(key, kind === 'Repair' ? object : undefined);
		return {type, object};
	}

	count(kind: EncodedKind): number {
		return this.#keysOf(kind).size;
	}

	#keysOf(kind: WrittenKind) {
		return kept(this.#known, kind, () => new Map<string, object | undefined>());
	}

	#line(value: object): string {
		return `${JSON.stringify(this.#shown(value))}\n`;
	}
}

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

/** The provenance of a batch; its field is called `sight` since the first version. */
const provenanceMeta = (provenance: Provenance) => ({
	sight: provenance.type,
	...('since' in provenance && {since: recordedTime(provenance.since) ?? null}),
});
