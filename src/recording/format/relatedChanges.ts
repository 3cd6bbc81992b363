import {entriesOf, type Fields, textOf} from '../../cluster/codec/rawJson.ts';
import {countBy} from '../../core/collections/countBy.ts';
import {missingWithout, type Related} from '../../core/model/workloads/related.ts';
import {
	decodePart,
	keyOf,
	type PartName,
	type RelatedPart,
	relatedFrom,
	relatedPartsOf,
} from './relatedParts.ts';

export type RawRelated = {readonly [Name in 'set' | 'gone' | 'more']: unknown};

/** Maximum number of parts per line: a reader holds a whole line in memory. */
const partsALine = 500;

/** Encodes related objects as changes: most of a reading equals the previous one. */
export function relatedEncoder() {
	let last: Related | undefined;
	let written: ReadonlyMap<string, string> = new Map();

	/** The changes of a reading, in lines: new and removed parts, and whether the next line continues; none if nothing changed. */
	return function* (related: Related) {
		if (related === last) return;
		last = related;
		const parts = new Map(boundedParts(related).map((one) => [keyOf(one), {part: one.part, ...one.value}]));
		const texts = new Map([...parts].map(([key, part]) => [key, JSON.stringify(part)]));
		const gone = [...written.keys()].filter((key) => !texts.has(key));
		const set = [...parts].flatMap(([key, part]) => (written.get(key) === texts.get(key) ? [] : [part]));
		written = texts;
		const length = Math.max(set.length, gone.length);
		for (let from = 0; from < length; from += partsALine) {
			const to = from + partsALine;
			const change = {kind: 'Related', set: set.slice(from, to), gone: gone.slice(from, to)};
			yield to < length ? {...change, more: true} : change;
		}
	};
}

/** Decodes related objects from recorded changes. It never throws. */
export function relatedDecoder() {
	const parts = new Map<string, RelatedPart>();
	let broken = 0;
	return {
		broken: () => broken,
		/** Processes a line; returns everything known, unless the next line continues it. */
		take({set, gone, more}: Fields<RawRelated>): Related | undefined {
			for (const key of entriesOf(gone)) parts.delete(textOf(key));
			for (const raw of entriesOf(set)) {
				const part = decodePart(raw);
				if (part) parts.set(keyOf(part), part);
				else broken += 1;
			}
			return more === true ? undefined : relatedFrom(parts);
		},
	};
}

/** Maximum number of recorded parts of a reading. */
const maxParts = 50_000;

/** Kinds that can be left out, with their names: the endpoints, which are as many as pods, before the largest. */
const cuttable: ReadonlyMap<PartName, string> = new Map([
	['Endpoint', 'EndpointSlice'],
	['Taken', 'Node'],
	['Attachment', 'VolumeAttachment'],
	['Volume', 'PersistentVolume'],
	['Claim', 'PersistentVolumeClaim'],
	['Service', 'Service'],
	['Budget', 'PodDisruptionBudget'],
	['Controller', 'Controller'],
	['Problem', 'Problem'],
]);

/** What runs on nodes is left out together. */
const groupOf = ({part}: RelatedPart): PartName => (part === 'PerPod' || part === 'Waiting' ? 'Taken' : part);

/**
 * The parts of a reading, within the limit: if there are too many, whole kinds are left out, with a problem. An incomplete kind
 * would be wrong; a missing one only leaves out facts.
 */
function boundedParts(related: Related): readonly RelatedPart[] {
	let parts = relatedPartsOf(related);
	const sizes = countBy(parts, groupOf).set('Endpoint', Number.POSITIVE_INFINITY);
	const cut: RelatedPart[] = [];
	for (const [group] of [...sizes].toSorted(([, a], [, b]) => b - a)) {
		const name = cuttable.get(group);
		if (parts.length <= maxParts) break;
		if (name === undefined) continue;
		parts = parts.filter((part) => groupOf(part) !== group);
		const message = `there were too many to record: ${missingWithout[name]} is not said`;
		cut.push({part: 'Problem', value: {reason: `${name}sNotRecorded`, message}});
		if (group === 'Taken') cut.push({part: 'Unknown', value: {why: 'there was too much of it to record'}});
	}
	return [...parts, ...cut];
}
