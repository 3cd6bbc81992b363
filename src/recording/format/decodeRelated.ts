import {decodeToleration} from '../../cluster/codec/decodePod.ts';
import {decodeRequirement, decodeSelector} from '../../cluster/codec/decodeSelector.ts';
import {
	countOf,
	ifObject,
	isTrue,
	listOf,
	objectOf,
	optional,
	type Readers,
	textsOf,
} from '../../cluster/codec/objectOf.ts';
import {entriesOf, type Fields, fieldsOf, textMapOf, textOf} from '../../cluster/codec/rawJson.ts';
import type {PodOwner} from '../../core/model/pod.ts';
import type {PodTemplate, Related, Requirement} from '../../core/model/workloads/related.ts';
import type {Resources} from '../../core/model/workloads/resources.ts';
import {keyOf, type PartName, type RelatedPart, type RelatedValues, relatedFrom} from './relatedParts.ts';

export type RawRelated = {readonly set: unknown; readonly gone: unknown; readonly more: unknown};

/** Decodes related objects from recorded changes. It never throws. */
export class RelatedDecoder {
	readonly #parts = new Map<string, RelatedPart>();
	broken = 0;

	/** Processes a line; returns everything known, unless the next line continues it. */
	take({set, gone, more}: Fields<RawRelated>): Related | undefined {
		for (const key of entriesOf(gone)) this.#parts.delete(textOf(key));
		for (const raw of entriesOf(set)) {
			const part = decodePart(raw);
			if (part) this.#parts.set(keyOf(part), part);
			else this.broken += 1;
		}
		return more === true ? undefined : relatedFrom(this.#parts);
	}
}

function decodePart(value: unknown): RelatedPart | undefined {
	const name = textOf(fieldsOf<RelatedPart>(value).part);
	if (!Object.hasOwn(parts, name)) return undefined;
	const part = name as PartName;
	const found = {part, value: objectOf<object>(parts[part])(value)} as RelatedPart;
	return found.part === 'Controller' && found.value.uid === '' ? undefined : found;
}

const resources = {cpu: countOf, memory: countOf};
const demand = {...resources, pods: countOf};
const named = {namespace: textOf, name: textOf};

const requirementOf = (value: unknown): Requirement => ({
	...decodeRequirement(value),
	...(fieldsOf<Requirement>(value).isField === true && {isField: true}),
});
const termsOf = optional(listOf(listOf(requirementOf)));

const parts: {readonly [Name in PartName]: Readers<RelatedValues[Name]>} = {
	Controller: {
		...{...named, kind: textOf, uid: textOf, desired: countOf, ready: countOf, claimTemplates: textsOf},
		template: objectOf<PodTemplate>({
			tolerations: listOf((one) => decodeToleration(one, () => undefined)),
			nodeSelector: textMapOf,
			nodeTerms: termsOf,
			requests: objectOf<Resources>(resources),
			claims: textsOf,
			otherRules: textsOf,
		}),
		owner: ifObject(objectOf<PodOwner>({kind: textOf, name: textOf, uid: textOf})),
		backoff: ifObject(objectOf({limit: countOf, failed: countOf, waitsForEnd: isTrue})),
	},
	Budget: {
		...{...named, selector: decodeSelector},
		...{currentHealthy: countOf, desiredHealthy: countOf, expectedPods: countOf},
	},
	Service: {...named, selector: textMapOf, publishesNotReady: isTrue},
	Claim: {...named, volume: textOf, isShared: isTrue},
	Volume: {name: textOf, isPlain: isTrue, nodeTerms: termsOf},
	Endpoint: {namespace: textOf, service: textOf, pod: textOf, isReady: isTrue},
	Attachment: {node: textOf, volume: textOf},
	Problem: {reason: textOf, message: textOf},
	Taken: {...demand, node: textOf, lowestPriority: countOf, keepsOthersAway: isTrue},
	Waiting: {...demand, read: optional(textsOf)},
	PerPod: {...resources, owner: textOf},
	Unknown: {why: textOf},
};
