import {type Related, unsaidWithout} from '../../core/model/workloads/related.ts';
import {keyOf, type PartName, type RelatedPart, relatedPartsOf} from './relatedParts.ts';

/** So many parts are on one line: a reader holds a line in memory as a whole. */
const partsALine = 500;
/** What is new, and what is no more; `more` stands where the next line goes on. */
type RelatedChange = {
	readonly kind: 'Related';
	readonly set: readonly object[];
	readonly gone: readonly string[];
	readonly more?: true;
};

/** Tells of what belongs to pods by what is new in it: most of it is as it was half a minute ago. */
export class RelatedEncoder {
	#last: Related | undefined;
	#told: ReadonlyMap<string, string> = new Map();

	/** What to write of a reading, in pieces; nothing where it is as it was. */
	*changes(related: Related): Generator<RelatedChange> {
		if (related === this.#last) return;
		this.#last = related;
		const parts = new Map(boundedParts(related).map((one) => [keyOf(one), {part: one.part, ...one.value}]));
		const texts = new Map([...parts].map(([key, part]) => [key, JSON.stringify(part)]));
		const gone = [...this.#told.keys()].filter((key) => !texts.has(key));
		const set = [...parts].flatMap(([key, part]) => (this.#told.get(key) === texts.get(key) ? [] : [part]));
		this.#told = texts;
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

/** So many parts of one reading are recorded. */
const mostParts = 50_000;

/** Kinds that may be many, and what they are called. What runs on nodes is one kind. */
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
 * Takes apart what was read. Of too many parts whole kinds are left out, and that is told: the endpoints first, of which
 * there are as many as pods, then the largest. Half of a kind would be wrong where none of it only says less.
 */
function boundedParts(related: Related): readonly RelatedPart[] {
	const parts = relatedPartsOf(related);
	if (parts.length <= mostParts) return parts;
	const sizes = new Map<PartName, number>();
	for (const part of parts) sizes.set(groupOf(part), (sizes.get(groupOf(part)) ?? 0) + 1);
	const rank = (kind: PartName) => (kind === 'Endpoint' ? Number.POSITIVE_INFINITY : (sizes.get(kind) ?? 0));
	const order = [...sizes.keys()].filter((kind) => cuttable.has(kind)).toSorted((a, b) => rank(b) - rank(a));
	const cut = new Set<PartName>();
	let left = parts.length;
	for (const kind of order) {
		if (left <= mostParts) break;
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
	const message = `there were too many to record: ${unsaidWithout[name]} is not said`;
	return [{part: 'Problem', value: {reason: `${name}sNotRecorded`, message}}];
}
