import type {Related} from '../../core/model/workloads/related.ts';
import {boundedParts} from './boundedParts.ts';
import {prunedPart} from './prunedPart.ts';
import {keyOf} from './relatedParts.ts';

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
		const parts = new Map(boundedParts(related).map((part) => [keyOf(part), prunedPart(part)]));
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
