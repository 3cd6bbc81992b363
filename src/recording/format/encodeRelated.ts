import {missingWithout, type Related} from '../../core/model/workloads/related.ts';
import {keyOf, type PartName, type RelatedPart, relatedPartsOf} from './relatedParts.ts';

/** Maximum number of parts per line: a reader holds a whole line in memory. */
const partsALine = 500;
/** New and removed parts; `more` if the next line continues. */
type RelatedChange = {
	readonly kind: 'Related';
	readonly set: readonly object[];
	readonly gone: readonly string[];
	readonly more?: true;
};

/** Encodes related objects as changes: most of a reading equals the previous one. */
export class RelatedEncoder {
	#last: Related | undefined;
	#written: ReadonlyMap<string, string> = new Map();

	/** The changes of a reading, in lines; none if nothing changed. */
	*changes(related: Related): Generator<RelatedChange> {
		if (related === this.#last) return;
		this.#last = related;
		const parts = new Map(boundedParts(related).map((one) => [keyOf(one), {part: one.part, ...one.value}]));
		const texts = new Map([...parts].map(([key, part]) => [key, JSON.stringify(part)]));
		const gone = [...this.#written.keys()].filter((key) => !texts.has(key));
		const set = [...parts].flatMap(([key, part]) =>
			this.#written.get(key) === texts.get(key) ? [] : [part],
		);
		this.#written = texts;
		if (set.length === 0 && gone.length === 0) return;
		const length = Math.max(set.length, gone.length);
		for (let from = 0; from < length; from += partsALine) {
			yield {
				kind: 'Related',
				set: set.slice(from, from + partsALine),
				gone: gone.slice(from, from + partsALine),
				...(from + partsALine < length && {more: true}),
			};
		}
	}
}

/** Maximum number of recorded parts of a reading. */
const maxParts = 50_000;

/** Kinds that can be left out, with their names. What runs on nodes counts as one kind. */
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

const ofOccupancy: ReadonlySet<PartName> = new Set<PartName>(['Taken', 'PerPod', 'Waiting']);
const groupOf = ({part}: RelatedPart): PartName => (ofOccupancy.has(part) ? 'Taken' : part);

/**
 * The parts of a reading, within the limit: if there are too many, whole kinds are left out, with a problem; first the
 * endpoints, which are as many as pods, then the largest kinds. An incomplete kind would be wrong; a missing one only leaves
 * out facts.
 */
function boundedParts(related: Related): readonly RelatedPart[] {
	const parts = relatedPartsOf(related);
	if (parts.length <= maxParts) return parts;
	const sizes = new Map<PartName, number>();
	for (const part of parts) sizes.set(groupOf(part), (sizes.get(groupOf(part)) ?? 0) + 1);
	const rank = (kind: PartName) => (kind === 'Endpoint' ? Number.POSITIVE_INFINITY : (sizes.get(kind) ?? 0));
	const order = [...sizes.keys()].filter((kind) => cuttable.has(kind)).toSorted((a, b) => rank(b) - rank(a));
	const cut = new Set<PartName>();
	let left = parts.length;
	for (const kind of order) {
		if (left <= maxParts) break;
		cut.add(kind);
		left -= sizes.get(kind) ?? 0;
	}
	return [
		...parts.filter((part) => !cut.has(groupOf(part))),
		...(cut.has('Taken')
			? [{part: 'Unknown', value: {why: 'there was too much of it to record'}} as const]
			: []),
		...[...cut].flatMap(cutProblem),
	];
}

function cutProblem(kind: PartName): readonly RelatedPart[] {
	const name = cuttable.get(kind);
	if (name === undefined) return [];
	const message = `there were too many to record: ${missingWithout[name]} is not said`;
	return [{part: 'Problem', value: {reason: `${name}sNotRecorded`, message}}];
}
