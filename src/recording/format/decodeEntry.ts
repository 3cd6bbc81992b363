import {Decoder} from '../../cluster/codec/decoder.ts';
import {
	decodeTime,
	type Fields,
	fieldsOf,
	isObject,
	numberOf,
	parsedJson,
	textIn,
	textOf,
	valueAt,
} from '../../cluster/codec/rawJson.ts';
import type {Observation, Provenance} from '../../core/model/observation.ts';
import {beginningOfTime, type Instant} from '../../core/time/instant.ts';
import {mostObjects} from '../../store/clusterStore.ts';
import {pressureDecoder, problemsOf, type RawPressure} from './decodePressure.ts';
import {objectsOf, observedKinds, repairKindOf} from './dumpedObjects.ts';
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
type RecordedBatch = Readonly<{
	at: Instant;
	provenance?: Provenance | undefined;
	/** The number of objects that it announced; undefined if all of its instant belong to it. */
	objects?: number;
	observations: Observation[];
}>;

/**
 * Decodes lines to entries. It never throws: unreadable lines are counted.
 *
 * @param mostOfBatch a batch of more objects is taken in parts
 */
export function entryDecoder(mostOfBatch = mostObjects) {
	const decoder = new Decoder();
	const observationOf = observationDecoder(decoder);
	const related = relatedDecoder();
	const pressure = pressureDecoder(decoder.report);
	let batch: RecordedBatch | undefined;
	let broken = 0;

	/** The pending batch, completed by a line that is not part of it. */
	function* rest(): Generator<RecordingEntry> {
		const {objects, ...complete} = batch ?? {observations: []};
		batch = undefined;
		if ('at' in complete && (complete.observations.length > 0 || objects === 0))
			yield {type: 'batch', ...complete};
	}

	const entryOf = (at: Instant, meta: Fields<RawMeta>): RecordingEntry | undefined => {
		switch (meta.kind) {
			case 'Recording':
				return {type: 'header', at, header: headerOf(meta)};
			case 'Problems':
				return {type: 'problems', at, problems: problemsOf(meta.problems)};
			case 'Related': {
				const known = related.take(meta);
				return known && {type: 'related', at, related: known};
			}
			case 'Pressure': {
				const news = pressure.take(meta, at);
				return news && {type: 'pressure', at, news};
			}
			case 'Clock':
				return {type: 'clock', at, offset: numberOf(meta.offset) ?? 0};
			case 'End':
				return {type: 'end', at};
			// A later version may write unknown kinds: they only show that time passed.
			default:
				return {type: 'tick', at};
		}
	};

	function* metaLine(at: Instant, meta: Fields<RawMeta>): Generator<RecordingEntry> {
		yield* rest();
		if (meta.kind !== 'Batch') {
			const entry = entryOf(at, meta);
			if (entry) yield entry;
			return;
		}
		const objects = numberOf(meta.objects) ?? 0;
		batch = {at, objects, observations: [], provenance: provenanceOf(meta)};
		if (objects === 0) yield* rest();
	}

	function* objectLine(at: Instant, raw: Fields<RawLine>): Generator<RecordingEntry> {
		const most = Math.min(batch?.objects ?? mostOfBatch, mostOfBatch);
		if (batch?.at !== at || batch.observations.length >= most) yield* rest();
		batch ??= {at, observations: []};
		const observation = observationOf(raw);
		if (observation) batch.observations.push(observation);
		else broken += 1;
	}

	return {
		/** Number of unreadable lines and parts. */
		get broken() {
			return broken + related.broken() + pressure.broken();
		},
		get problem() {
			return decoder.problem;
		},
		/** Processes a line; yields the entries that it completes. */
		*line(text: string): Generator<RecordingEntry> {
			const raw = fieldsOf<RawLine>(parsedJson(text));
			const at = decodeTime(raw.at);
			const isMeta = raw.type === 'META';
			if (at === undefined || !isObject(isMeta ? raw.meta : raw.object)) broken += 1;
			else if (isMeta) yield* metaLine(at, fieldsOf<RawMeta>(raw.meta));
			else yield* objectLine(at, raw);
		},
		/** The last entry. An incomplete batch with a count is dropped: half of it would mislead. */
		*end() {
			if (batch?.objects !== undefined && batch.observations.length < batch.objects) batch = undefined;
			yield* rest();
		},
	};
}

/** Decodes lines of objects. */
function observationDecoder(decoder: Decoder) {
	const kindOf = observedKinds(decoder);
	return ({type, object}: Fields<RawLine>): Observation | undefined => {
		const [dumped] = objectsOf(object, decoder.report);
		const observed = dumped && kindOf(dumped);
		if (!observed || (type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED')) return undefined;
		// Of most kinds, a deletion has nothing but the names.
		if (type === 'DELETED' && !repairKindOf(dumped)) {
			const key = keyIn(object, clusterWide.has(dumped.kind));
			return key === undefined ? undefined : observed.deleted(key);
		}
		const decoded = observed.decode(object);
		if (decoded === undefined) return undefined;
		return type === 'DELETED' ? observed.deleted(observed.keyOf(decoded)) : observed.applied(decoded);
	};
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
		kubernetesVersion: textIn(meta.kubernetesVersion),
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
