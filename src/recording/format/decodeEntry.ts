import {Decoder} from '../../cluster/codec/decoder.ts';
import {
	decodeTime,
	type Fields,
	fieldsOf,
	isObject,
	numberOf,
	parsedJson,
	textOf,
} from '../../cluster/codec/rawJson.ts';
import {type DeviceKind, deviceKinds, isDeviceKind} from '../../core/model/device.ts';
import type {Observation, Provenance} from '../../core/model/observation.ts';
import type {Problem} from '../../core/model/problem.ts';
import {repairKey} from '../../core/model/repairObject.ts';
import {beginningOfTime, type Instant} from '../../core/time/instant.ts';
import {PressureDecoder, problemsOf, type RawPressure} from './decodePressure.ts';
import {type RawRelated, RelatedDecoder} from './decodeRelated.ts';
import {type DumpedObject, isRepairKind, objectsOf, repairObjectOf} from './dumpedObjects.ts';
import type {RecordingEntry, RecordingHeader} from './entry.ts';

type RawLine = {at: string; type: string; object: unknown; meta: unknown};
type RawMeta = RecordingHeader &
	RawRelated &
	RawPressure & {
		kind: string;
		problems: unknown;
		/** The provenance's type. */
		sight: string;
		since: string | null;
		objects: number;
		offset: number;
	};
type RecordedObject = {metadata: {name: string; namespace: string}};
type RecordedBatch = {
	readonly at: Instant;
	readonly provenance?: Provenance;
	/** The number of objects that it announced; undefined if all of its instant belong to it. */
	readonly objects: number | undefined;
	readonly observations: Observation[];
};

/** Decodes lines to entries. It never throws: unreadable lines are counted. */
export class EntryDecoder {
	readonly #decoder = new Decoder();
	readonly #related = new RelatedDecoder();
	readonly #pressure = new PressureDecoder(this.#decoder.report);
	#batch: RecordedBatch | undefined;
	#broken = 0;

	/** Number of unreadable lines and parts. */
	get broken(): number {
		return this.#broken + this.#related.broken + this.#pressure.broken;
	}

	get problem(): Problem | undefined {
		return this.#decoder.problem;
	}

	/** Processes a line; yields the entries that it completes. */
	*line(text: string): Generator<RecordingEntry> {
		const raw = fieldsOf<RawLine>(parsedJson(text));
		const at = decodeTime(raw.at);
		if (at === undefined || (raw.type === 'META' ? !isObject(raw.meta) : !isObject(raw.object))) {
			this.#broken += 1;
			return;
		}
		if (raw.type === 'META') yield* this.#meta(at, fieldsOf<RawMeta>(raw.meta));
		else yield* this.#object(at, raw);
	}

	/** The last entry. An incomplete batch with a count is dropped: half of it would mislead. */
	*end(): Generator<RecordingEntry> {
		const {objects, observations = []} = this.#batch ?? {};
		if (objects !== undefined && observations.length < objects) this.#batch = undefined;
		yield* this.rest();
	}

	/** The pending batch, completed by a line that is not part of it. */
	*rest(): Generator<RecordingEntry> {
		const {at, observations, provenance, objects} = this.#batch ?? {};
		this.#batch = undefined;
		if (at === undefined || !observations || (observations.length === 0 && objects !== 0)) return;
		yield {type: 'batch', at, observations, ...(provenance && {provenance})};
	}

	*#meta(at: Instant, meta: Fields<RawMeta>): Generator<RecordingEntry> {
		yield* this.rest();
		switch (meta.kind) {
			case 'Recording':
				yield {type: 'header', at, header: headerOf(meta)};
				break;
			case 'Batch': {
				const provenance = provenanceOf(meta);
				const objects = numberOf(meta.objects) ?? 0;
				this.#batch = {at, objects, observations: [], ...(provenance && {provenance})};
				if (objects === 0) yield* this.rest();
				break;
			}
			case 'Problems':
				yield {type: 'problems', at, problems: problemsOf(meta.problems)};
				break;
			case 'Related': {
				const related = this.#related.take(meta);
				if (related) yield {type: 'related', at, related};
				break;
			}
			case 'Pressure': {
				const news = this.#pressure.take(meta, at);
				if (news) yield {type: 'pressure', at, news};
				break;
			}
			case 'Clock':
				yield {type: 'clock', at, offset: numberOf(meta.offset) ?? 0};
				break;
			case 'End':
				yield {type: 'end', at};
				break;
			// A later version may write unknown kinds: they only show that time passed.
			default:
				yield {type: 'tick', at};
		}
	}

	*#object(at: Instant, raw: Fields<RawLine>): Generator<RecordingEntry> {
		const batch = this.#batch;
		const isOf =
			batch && batch.at === at && (batch.objects ?? Number.POSITIVE_INFINITY) > batch.observations.length;
		if (!isOf) yield* this.rest();
		const own = isOf ? batch : {at, objects: undefined, observations: []};
		this.#batch = own;
		const observation = this.#observation(raw);
		if (observation) own.observations.push(observation);
		else this.#broken += 1;
	}

	#observation({type, object}: Fields<RawLine>): Observation | undefined {
		const [known] = objectsOf(object, this.#decoder.report);
		if (known && isRepairKind(known.kind)) return repairOf(type, known);
		if (!known || !isWatched(known.kind)) return undefined;
		if (type === 'DELETED') return deletionOf(known.kind, object);
		if (type !== 'ADDED' && type !== 'MODIFIED') return undefined;
		const {node, pod, lease, event, deviceObject} = this.#decoder;
		if (isDeviceKind(known.kind))
			return wrapped('deviceObjectApplied', 'object', deviceObject(known.kind, object));
		switch (known.kind) {
			case 'Node':
				return wrapped('nodeApplied', 'node', node(object));
			case 'Pod':
				return wrapped('podApplied', 'pod', pod(object));
			case 'Lease':
				return wrapped('leaseApplied', 'lease', lease(object));
			case 'Event':
				return wrapped('eventApplied', 'event', event(object));
		}
	}
}

function repairOf(type: unknown, known: DumpedObject): Observation | undefined {
	const object = repairObjectOf(known);
	if (!object) return undefined;
	return type === 'DELETED'
		? {type: 'repairDeleted', key: repairKey(object)}
		: {type: 'repairApplied', object};
}

const wrapped = <Type extends string, Name extends string, T>(
	type: Type,
	name: Name,
	value: T | undefined,
) => (value === undefined ? undefined : ({type, [name]: value} as {type: Type} & {[N in Name]: T}));

/** The recorded kinds; the leader is recorded as a lease, also if the release keeps it in Endpoints. */
const watchedKinds = ['Node', 'Pod', 'Lease', 'Event', ...deviceKinds] as const;

type WatchedKind = (typeof watchedKinds)[number];

const isWatched = (kind: string): kind is WatchedKind => watchedKinds.some((one) => one === kind);

function deletionOf(kind: WatchedKind, object: unknown): Observation | undefined {
	const metadata = fieldsOf<RecordedObject['metadata']>(fieldsOf<RecordedObject>(object).metadata);
	const [name, namespace] = [textOf(metadata.name), textOf(metadata.namespace)];
	if (isDeviceKind(kind)) return deviceDeletionOf(kind, namespace, name);
	if (name === '' || (kind !== 'Node' && namespace === '')) return undefined;
	switch (kind) {
		case 'Node':
			return {type: 'nodeDeleted', name};
		case 'Pod':
			return {type: 'podDeleted', namespace, name};
		case 'Lease':
			return {type: 'leaseDeleted', namespace, name};
		case 'Event':
			return {type: 'eventDeleted', namespace, name};
	}
}

function deviceDeletionOf(kind: DeviceKind, namespace: string, name: string): Observation | undefined {
	if (name === '' || (kind === 'ResourceClaim') !== (namespace !== '')) return undefined;
	return {type: 'deviceObjectDeleted', kind, key: namespace === '' ? name : `${namespace}/${name}`};
}

function headerOf(meta: Fields<RawMeta>): RecordingHeader {
	const version = textOf(meta.kubernetesVersion);
	return {
		format: numberOf(meta.format) ?? 0,
		program: textOf(meta.program),
		title: textOf(meta.title),
		isPartial: meta.isPartial === true,
		...(version !== '' && {kubernetesVersion: version}),
		settings: meta.settings,
	};
}

function provenanceOf(meta: Fields<RawMeta>): Provenance | undefined {
	const since = decodeTime(meta.since);
	switch (meta.sight) {
		case 'firstLook':
			return {type: 'firstLook'};
		case 'confirmed':
			return {type: 'confirmed'};
		case 'watchLost':
			return {type: 'watchLost', since};
		case 'late':
		case 'delayed':
		case 'historyLost':
			return {type: meta.sight, since: since ?? beginningOfTime};
		default:
			return undefined;
	}
}
