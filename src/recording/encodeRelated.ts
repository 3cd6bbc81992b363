import type {Related} from '../core/model/related.ts';
import {prunedPart} from './prunedPart.ts';
import {keyOf, partsOf, type RelatedPart} from './relatedParts.ts';

/** So many parts are on one line: a reader holds a line in memory as a whole. */
const partsALine = 500;
/** Of more parts, the endpoints of services are left out: those are as many as there are pods. */
const mostParts = 50_000;

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
		const parts = new Map(boundedParts(related).map((part) => [keyOf(part), prunedPart(part)]));
		const texts = new Map([...parts].map(([key, part]) => [key, JSON.stringify(part)]));
		const gone = [...this.#told.keys()].filter((key) => !texts.has(key));
		const set = [...parts].flatMap(([key, part]) => (this.#told.get(key) === texts.get(key) ? [] : [part]));
		this.#told = texts;
		if (set.length === 0 && gone.length === 0) return;
		for (let from = 0; from === 0 || from < set.length; from += partsALine) {
			yield {
				kind: 'Related',
				set: set.slice(from, from + partsALine),
				gone: from === 0 ? gone : [],
				...(from + partsALine < set.length && {more: true}),
			};
		}
	}
}

function boundedParts(related: Related): readonly RelatedPart[] {
	const parts = partsOf(related);
	if (parts.length <= mostParts) return parts;
	const message = 'there were too many to record: how many endpoints a service has left is not said';
	return [
		...parts.filter(({part}) => part !== 'Endpoint'),
		{part: 'Problem', value: {reason: 'EndpointSlicesNotRecorded', message}},
	];
}
