import {decodeToleration} from '../../cluster/codec/decodePod.ts';
import {
	entriesOf,
	type Fields,
	fieldsOf,
	numberOf,
	present,
	textMapOf,
	textOf,
} from '../../cluster/codec/rawJson.ts';
import {decodeSelector} from '../../cluster/workloads/decodeController.ts';
import {decodeRequirement} from '../../cluster/workloads/schedulingRules.ts';
import type {PodOwner} from '../../core/model/pod.ts';
import type {
	Controller,
	NodeTerms,
	PodTemplate,
	Related,
	Requirement,
} from '../../core/model/workloads/related.ts';
import type {Resources} from '../../core/model/workloads/resources.ts';
import {keyOf, type RelatedPart, relatedFrom} from '../pruned/relatedParts.ts';

/** A `Related` line as it stands in a file. */
export type RawRelated = {readonly set: unknown; readonly gone: unknown; readonly more: unknown};

/** Puts together what belongs to pods from what was recorded of it. Nothing makes it throw. */
export class RelatedDecoder {
	readonly #parts = new Map<string, RelatedPart>();
	/** Parts that could not be read. */
	broken = 0;

	/** Takes in a line; all that there is by it, unless the next line goes on. */
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

/** All fields that a part of any kind may have. */
type Raw = Record<
	| ('part' | 'namespace' | 'name' | 'selector' | 'volume' | 'service' | 'pod' | 'node' | 'owner' | 'why')
	| ('currentHealthy' | 'desiredHealthy' | 'publishesNotReady' | 'isShared' | 'isReady')
	| ('nodeTerms' | 'isPlain' | 'read')
	| ('reason' | 'message' | 'pods' | 'lowestPriority' | 'keepsOthersAway'),
	unknown
>;

function decodePart(value: unknown): RelatedPart | undefined {
	const raw = fieldsOf<Raw>(value);
	const [namespace, name] = [textOf(raw.namespace), textOf(raw.name)];
	switch (raw.part) {
		case 'Controller':
			return decodeController(value);
		case 'Budget':
			return {
				part: 'Budget',
				value: {
					...{namespace, name, selector: decodeSelector(raw.selector)},
					currentHealthy: countOf(raw.currentHealthy),
					desiredHealthy: countOf(raw.desiredHealthy),
				},
			};
		case 'Service': {
			const publishesNotReady = raw.publishesNotReady === true;
			return {
				part: 'Service',
				value: {namespace, name, selector: textMapOf(raw.selector), publishesNotReady},
			};
		}
		case 'Claim': {
			const volume = textOf(raw.volume);
			return {part: 'Claim', value: {namespace, name, volume, isShared: raw.isShared === true}};
		}
		case 'Volume': {
			const nodeTerms = termsOf(raw.nodeTerms);
			return {
				part: 'Volume',
				value: {name, isPlain: raw.isPlain === true, ...present('nodeTerms', nodeTerms)},
			};
		}
		case 'Endpoint': {
			const [service, pod] = [textOf(raw.service), textOf(raw.pod)];
			return {part: 'Endpoint', value: {namespace, service, pod, isReady: raw.isReady === true}};
		}
		case 'Attachment':
			return {part: 'Attachment', value: {node: textOf(raw.node), volume: textOf(raw.volume)}};
		case 'Problem':
			return {part: 'Problem', value: {reason: textOf(raw.reason), message: textOf(raw.message)}};
		default:
			return decodeOccupancy(value);
	}
}

function decodeOccupancy(value: unknown): RelatedPart | undefined {
	const raw = fieldsOf<Raw>(value);
	const demand = {...resourcesOf(value), pods: countOf(raw.pods)};
	switch (raw.part) {
		case 'Taken': {
			const lowestPriority = countOf(raw.lowestPriority);
			const keepsOthersAway = raw.keepsOthersAway === true;
			return {part: 'Taken', value: {node: textOf(raw.node), ...demand, lowestPriority, keepsOthersAway}};
		}
		case 'Waiting':
			return {
				part: 'Waiting',
				value: {...demand, ...(Array.isArray(raw.read) && {read: raw.read.map(textOf)})},
			};
		case 'PerPod':
			return {part: 'PerPod', value: {owner: textOf(raw.owner), ...resourcesOf(value)}};
		case 'Unknown':
			return {part: 'Unknown', value: {why: textOf(raw.why)}};
		default:
			return undefined;
	}
}

function decodeController(value: unknown): RelatedPart | undefined {
	const raw = fieldsOf<Controller>(value);
	const uid = textOf(raw.uid);
	if (uid === '') return undefined;
	const owner = raw.owner === undefined ? undefined : ownerOf(raw.owner);
	const {limit, failed, waitsForEnd} = fieldsOf<NonNullable<Controller['backoff']>>(raw.backoff);
	const backoff =
		raw.backoff === undefined
			? undefined
			: {limit: countOf(limit), failed: countOf(failed), waitsForEnd: waitsForEnd === true};
	return {
		part: 'Controller',
		value: {
			...{kind: textOf(raw.kind), namespace: textOf(raw.namespace), name: textOf(raw.name), uid},
			...{desired: countOf(raw.desired), ready: countOf(raw.ready), template: templateOf(raw.template)},
			claimTemplates: entriesOf(raw.claimTemplates).map(textOf),
			...present('owner', owner),
			...present('backoff', backoff),
		},
	};
}

function ownerOf(value: unknown): PodOwner {
	const {kind, name, uid} = fieldsOf<PodOwner>(value);
	return {kind: textOf(kind), name: textOf(name), uid: textOf(uid)};
}

function templateOf(value: unknown): PodTemplate {
	const raw = fieldsOf<PodTemplate>(value);
	return {
		tolerations: entriesOf(raw.tolerations).map((one) => decodeToleration(one, () => undefined)),
		nodeSelector: textMapOf(raw.nodeSelector),
		nodeTerms: termsOf(raw.nodeTerms),
		requests: resourcesOf(raw.requests),
		claims: entriesOf(raw.claims).map(textOf),
		otherRules: entriesOf(raw.otherRules).map(textOf),
	};
}

const termsOf = (value: unknown): NodeTerms | undefined =>
	value === undefined ? undefined : entriesOf(value).map((term) => entriesOf(term).map(requirementOf));

const requirementOf = (value: unknown): Requirement => ({
	...decodeRequirement(value),
	...(fieldsOf<Requirement>(value).isField === true && {isField: true}),
});

function resourcesOf(value: unknown): Resources {
	const {cpu, memory} = fieldsOf<Resources>(value);
	return {cpu: countOf(cpu), memory: countOf(memory)};
}

const countOf = (value: unknown): number => numberOf(value) ?? 0;
