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
import {PressureEncoder} from './encodePressure.ts';
import type {RecordingEntry} from './entry.ts';
import {RelatedEncoder} from './relatedChanges.ts';

/** Larger batches announce their number of objects. */
const maxUncounted = 100;

/** Encodes entries as lines. Tracks the existing objects: the first line of each is ADDED. */
export class EntryEncoder {
	readonly #known = new Map<EncodedKind, Set<string>>();
	readonly #repair = new Map<string, object>();
	readonly #related = new RelatedEncoder();
	readonly #pressure = new PressureEncoder();
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
				return this.#related.changes(entry.related);
			case 'pressure':
				return this.#pressure.metas(entry.news);
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
		switch (observation.type) {
			case 'nodeApplied':
				return this.#applied('Node', observation.node.name, encodeNode(observation.node));
			case 'podApplied':
				return this.#applied('Pod', podKey(observation.pod), encodePod(observation.pod));
			case 'leaseApplied':
				return this.#applied('Lease', podKey(observation.lease), encodeLease(observation.lease));
			case 'eventApplied':
				return this.#applied('Event', podKey(observation.event), encodeEvent(observation.event));
			case 'deviceObjectApplied': {
				const {object} = observation;
				return this.#applied(object.kind, deviceObjectKey(object), encodeDeviceObject(object));
			}
			case 'deviceObjectDeleted':
				return this.#deleted(observation.kind, observation.key);
			case 'nodeDeleted':
				return this.#deleted('Node', observation.name);
			case 'podDeleted':
				return this.#deleted('Pod', podKey(observation));
			case 'leaseDeleted':
				return this.#deleted('Lease', podKey(observation));
			case 'eventDeleted':
				return this.#deleted('Event', podKey(observation));
			case 'repairApplied': {
				const [key, object] = [repairKey(observation.object), encodeRepair(observation.object)];
				const type = this.#repair.has(key) ? 'MODIFIED' : 'ADDED';
				this.#repair.set(key, object);
				return {type, object};
			}
			case 'repairDeleted': {
				const object = this.#repair.get(observation.key) ?? {};
				this.#repair.delete(observation.key);
				return {type: 'DELETED', object};
			}
		}
	}

	count(kind: EncodedKind): number {
		return this.#keysOf(kind).size;
	}

	#keysOf(kind: EncodedKind): Set<string> {
		return kept(this.#known, kind, () => new Set());
	}

	#applied(kind: EncodedKind, key: string, object: object) {
		const known = this.#keysOf(kind);
		const type = known.has(key) ? 'MODIFIED' : 'ADDED';
		known.add(key);
		return {type, object};
	}

	#line(value: object): string {
		return `${JSON.stringify(this.#shown(value))}\n`;
	}

	#deleted(kind: EncodedKind, key: string) {
		this.#keysOf(kind).delete(key);
		return {type: 'DELETED', object: encodeKey(kind, key)};
	}
}

/** The provenance of a batch; its field is called `sight` since the first version. */
const provenanceMeta = (provenance: Provenance) => ({
	sight: provenance.type,
	...('since' in provenance && {since: recordedTime(provenance.since) ?? null}),
});
