import {Decoder} from '../../cluster/codec/decoder.ts';
import {
	type ObservedKind,
	observedDevice,
	observedEvent,
	observedLease,
	observedNode,
	observedPod,
} from '../../cluster/codec/observedKind.ts';
import {
	decodeTime,
	type Fields,
	fieldsOf,
	isObject,
	numberOf,
	parsedJson,
	presentText,
	textOf,
	valueAt,
} from '../../cluster/codec/rawJson.ts';
import {deviceKinds} from '../../core/model/device.ts';
import type {Observation, Provenance} from '../../core/model/observation.ts';
import type {Problem} from '../../core/model/problem.ts';
import {beginningOfTime, type Instant} from '../../core/time/instant.ts';
import {pressureDecoder, problemsOf, type RawPressure} from './decodePressure.ts';
import {objectsOf, repairKindOf} from './dumpedObjects.ts';
import type {RecordingEntry, RecordingHeader} from './entry.ts';
import {type RawRelated, relatedDecoder} from './relatedChanges.ts';

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
	/** The leader is recorded as a lease, also if the release keeps it in Endpoints. */
	readonly #kinds = new Map<string, ObservedKind<unknown>>([
		['Node', observedNode(this.#decoder)],
		['Pod', observedPod(this.#decoder)],
		['Lease', observedLease(this.#decoder)],
		['Event', observedEvent(this.#decoder)],
		...deviceKinds.map((kind) => [kind, observedDevice(kind, this.#decoder)] as const),
	]);
	readonly #related = relatedDecoder();
	readonly #pressure = pressureDecoder(this.#decoder.report);
	#batch: RecordedBatch | undefined;
	#broken = 0;

	/** Number of unreadable lines and parts. */
	get broken(): number {
		return this.#broken + this.#related.broken() + this.#pressure.broken();
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
		const [dumped] = objectsOf(object, this.#decoder.report);
		const repair = dumped && repairKindOf(dumped);
		const observed = repair ?? this.#kinds.get(dumped?.kind ?? '');
		if (!observed || (type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED')) return undefined;
		// Of most kinds, a deletion has nothing but the names.
		if (type === 'DELETED' && !repair) {
			const key = keyIn(object, clusterWide.has(dumped?.kind ?? ''));
			return key === undefined ? undefined : observed.deleted(key);
		}
		const decoded = observed.decode(object);
		if (decoded === undefined) return undefined;
		return type === 'DELETED' ? observed.deleted(observed.keyOf(decoded)) : observed.applied(decoded);
	}
}

const clusterWide: ReadonlySet<string> = new Set(['Node', 'ResourceSlice', 'DeviceTaintRule']);

/** The namespace, if the kind has one, and the name; undefined if they do not fit the kind. */
function keyIn(object: unknown, isClusterWide: boolean): string | undefined {
	const [name, namespace] = ['name', 'namespace'].map((field) =>
		textOf(valueAt(object, `metadata.${field}`)),
	);
	if (name === '' || isClusterWide !== (namespace === '')) return undefined;
	return isClusterWide ? name : `${namespace}/${name}`;
}

function headerOf(meta: Fields<RawMeta>): RecordingHeader {
	return {
		format: numberOf(meta.format) ?? 0,
		program: textOf(meta.program),
		title: textOf(meta.title),
		isPartial: meta.isPartial === true,
		...presentText('kubernetesVersion', textOf(meta.kubernetesVersion)),
		settings: meta.settings,
	};
}

function provenanceOf(meta: Fields<RawMeta>): Provenance | undefined {
	const since = decodeTime(meta.since);
	switch (meta.sight) {
		case 'firstLook':
		case 'confirmed':
			return {type: meta.sight};
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
