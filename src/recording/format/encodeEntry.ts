import {type DeviceKind, deviceObjectKey} from '../../core/model/device.ts';
import type {Observation, Provenance} from '../../core/model/observation.ts';
import {podKey} from '../../core/model/pod.ts';
import {repairKey} from '../../core/model/repairObject.ts';
import type {Instant} from '../../core/time/instant.ts';
import {prunedEvent, prunedKey, prunedLease, prunedNode} from '../pruned/pruned.ts';
import {prunedDeviceObject} from '../pruned/prunedDevices.ts';
import {prunedPod} from '../pruned/prunedPod.ts';
import {prunedRepair} from '../pruned/prunedRepair.ts';
import {recordedTime} from '../pruned/recordedTime.ts';
import {PressureEncoder} from './encodePressure.ts';
import {RelatedEncoder} from './encodeRelated.ts';
import type {RecordingEntry} from './entry.ts';

const groups = {
	Node: 'v1',
	Pod: 'v1',
	Event: 'v1',
	Lease: 'coordination.k8s.io/v1',
	ResourceSlice: 'resource.k8s.io/v1',
	ResourceClaim: 'resource.k8s.io/v1',
	DeviceTaintRule: 'resource.k8s.io/v1beta2',
} as const;

type RecordedKind = keyof typeof groups;

/** Larger batches announce their number of objects. */
const maxUncounted = 100;

/** Encodes entries as lines. Tracks the existing objects: the first line of each is ADDED. */
export class EntryEncoder {
	readonly #known: Readonly<Record<RecordedKind, Set<string>>> = {
		...{Node: new Set(), Pod: new Set(), Lease: new Set(), Event: new Set()},
		...{ResourceSlice: new Set(), ResourceClaim: new Set(), DeviceTaintRule: new Set()},
	};
	readonly #repair = new Map<string, object>();
	readonly #related = new RelatedEncoder();
	readonly #pressure = new PressureEncoder();
	#lastBatchAt: Instant | undefined;
	#isFirst = true;

	/** The lines of an entry, one by one: a first look at a large cluster has many. */
	*lines(entry: RecordingEntry): Generator<string> {
		const at = recordedTime(entry.at);
		switch (entry.type) {
			case 'batch':
				yield* this.#batch(entry, at);
				break;
			case 'header':
				yield line({at, type: 'META', meta: {kind: 'Recording', ...entry.header}});
				break;
			case 'problems':
				yield line({at, type: 'META', meta: {kind: 'Problems', problems: entry.problems}});
				break;
			case 'related':
				for (const meta of this.#related.changes(entry.related)) yield line({at, type: 'META', meta});
				break;
			case 'pressure': {
				const meta = this.#pressure.meta(entry.news);
				if (meta) yield line({at, type: 'META', meta});
				break;
			}
			case 'clock':
				yield line({at, type: 'META', meta: {kind: 'Clock', offset: entry.offset}});
				break;
			case 'tick':
				yield line({at, type: 'META', meta: {kind: 'Tick'}});
				break;
			case 'end':
				yield line({at, type: 'META', meta: {kind: 'End'}});
				break;
		}
		if (entry.type !== 'batch') this.#lastBatchAt = undefined;
	}

	*#batch(
		{at, observations, provenance}: Extract<RecordingEntry, {type: 'batch'}>,
		time: string | undefined,
	) {
		// Lines of one instant form a batch unless it is announced. First looks and similar batches have a count, as half of one
		// would show a wrong cluster.
		const isApart = at === this.#lastBatchAt || observations.length > maxUncounted;
		if (provenance || isApart || observations.length === 0 || this.#isFirst)
			yield line({
				at: time,
				type: 'META',
				meta: {kind: 'Batch', ...provenanceMeta(provenance), objects: observations.length},
			});
		this.#lastBatchAt = at;
		this.#isFirst = false;
		for (const observation of observations) yield line({at: time, ...this.#encoded(observation)});
	}

	#encoded(observation: Observation): {readonly type: string; readonly object: object} {
		switch (observation.type) {
			case 'nodeApplied':
				return this.#applied('Node', observation.node.name, prunedNode(observation.node));
			case 'podApplied':
				return this.#applied('Pod', podKey(observation.pod), prunedPod(observation.pod));
			case 'leaseApplied':
				return this.#applied('Lease', podKey(observation.lease), prunedLease(observation.lease));
			case 'eventApplied':
				return this.#applied('Event', podKey(observation.event), prunedEvent(observation.event));
			case 'deviceObjectApplied': {
				const {object} = observation;
				return this.#applied(object.kind, deviceObjectKey(object), prunedDeviceObject(object));
			}
			case 'deviceObjectDeleted':
				return this.#deletedDevice(observation.kind, observation.key);
			case 'nodeDeleted':
				return this.#deleted('Node', observation.name);
			case 'podDeleted':
				return this.#deleted('Pod', observation.name, observation.namespace);
			case 'leaseDeleted':
				return this.#deleted('Lease', observation.name, observation.namespace);
			case 'eventDeleted':
				return this.#deleted('Event', observation.name, observation.namespace);
			case 'repairApplied': {
				const [key, object] = [repairKey(observation.object), prunedRepair(observation.object)];
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

	count(kind: RecordedKind): number {
		return this.#known[kind].size;
	}

	#applied(kind: RecordedKind, key: string, object: object) {
		const known = this.#known[kind];
		const isKnown = known.has(key);
		if (!isKnown) known.add(key);
		return {type: isKnown ? 'MODIFIED' : 'ADDED', object};
	}

	#deletedDevice(kind: DeviceKind, key: string) {
		const [namespace, name] = key.split('/');
		return name === undefined ? this.#deleted(kind, key) : this.#deleted(kind, name, namespace);
	}

	#deleted(kind: RecordedKind, name: string, namespace?: string) {
		this.#known[kind].delete(namespace === undefined ? name : podKey({namespace, name}));
		return {type: 'DELETED', object: prunedKey(groups[kind], kind, name, namespace)};
	}
}

const line = (value: object): string => `${JSON.stringify(value)}\n`;

/** The provenance of a batch; its field is called `sight` since the first version. */
function provenanceMeta(provenance: Provenance | undefined) {
	if (!provenance) return {};
	if (provenance.type === 'firstLook' || provenance.type === 'confirmed') return {sight: provenance.type};
	const {type, since} = provenance;
	// Null if it has no start, or has ended.
	return {sight: type, since: (since === undefined ? undefined : recordedTime(since)) ?? null};
}
