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
import {fieldsOf, numberOf, textMapOf, textOf} from '../../cluster/codec/rawJson.ts';
import {mapBy} from '../../core/collections/mapBy.ts';
import {nameOf} from '../../core/model/objectName.ts';
import {type PodOwner, podKey} from '../../core/model/pod.ts';
import type {Problem} from '../../core/model/problem.ts';
import type {FailureRule, JobRules} from '../../core/model/workloads/jobRules.ts';
import type {Demand, Occupancy, PerPod, TakenResources} from '../../core/model/workloads/occupancy.ts';
import {
	type Attachment,
	type Budget,
	type Claim,
	type Controller,
	type Endpoint,
	nothingRelated,
	type PodTemplate,
	type Related,
	type Requirement,
	type Service,
	type Volume,
} from '../../core/model/workloads/related.ts';
import type {Resources} from '../../core/model/workloads/resources.ts';

/** The kinds of parts of related objects; changes are recorded part by part. */
type RelatedValues = {
	Controller: Controller;
	Budget: Budget;
	Service: Service;
	Claim: Claim;
	Volume: Volume;
	Endpoint: Endpoint;
	Attachment: Attachment;
	Problem: Problem;
	/** The pods of one node, the unscheduled pods (and of which nodes pods were read), the requests of one pod of an owner. */
	Taken: TakenResources & {readonly node: string};
	Waiting: Demand & {readonly read?: readonly string[] | undefined};
	PerPod: PerPod & {readonly owner: string};
	/** Why these are unknown. */
	Unknown: {readonly why: string};
};

export type PartName = keyof RelatedValues;
export type RelatedPart = {
	[Name in PartName]: {readonly part: Name; readonly value: RelatedValues[Name]};
}[PartName];

type PartKind<T> = {
	/** What identifies a part among those of its kind. */
	readonly key: (value: T) => string;
	readonly of: (related: Related, occupancy: Partial<Occupancy>) => Iterable<T>;
	readonly readers: Readers<T>;
};

const resources = {cpu: countOf, memory: countOf};
const demand = {...resources, pods: countOf};
const named = {namespace: textOf, name: textOf};

const requirementOf = (value: unknown): Requirement => ({
	...decodeRequirement(value),
	...(fieldsOf<Requirement>(value).isField === true && {isField: true}),
});
const termsOf = optional(listOf(listOf(requirementOf)));

// JSON has no infinity.
const limitOf = (value: unknown): number => numberOf(value) ?? Number.POSITIVE_INFINITY;

const kinds: {readonly [Name in PartName]: PartKind<RelatedValues[Name]>} = {
	Controller: {
		key: ({uid}) => uid,
		of: ({controllers}) => controllers.values(),
		readers: {
			...named,
			kind: textOf,
			uid: textOf,
			desired: countOf,
			ready: countOf,
			claimTemplates: textsOf,
			template: objectOf<PodTemplate>({
				tolerations: listOf((toleration) => decodeToleration(fieldsOf(toleration), () => undefined)),
				nodeSelector: textMapOf,
				nodeTerms: termsOf,
				nodeName: optional(textOf),
				requests: objectOf<Resources>(resources),
				claims: textsOf,
				otherRules: textsOf,
			}),
			owner: ifObject(objectOf<PodOwner>({kind: textOf, name: textOf, uid: textOf})),
			replicas: optional(countOf),
			ordinals: ifObject(objectOf({start: countOf, isParallel: isTrue})),
			maySurge: optional(isTrue),
			isDeleted: optional(isTrue),
			job: ifObject(
				objectOf<JobRules>({
					parallelism: countOf,
					completions: numberOf,
					isIndexed: isTrue,
					isSuspended: isTrue,
					backoffLimit: limitOf,
					backoffLimitPerIndex: numberOf,
					maxFailedIndexes: numberOf,
					failurePolicy: optional(
						listOf(
							objectOf<FailureRule>({
								action: textOf,
								exitCodes: ifObject(objectOf({isIn: isTrue, values: listOf(countOf)})),
								conditions: listOf(objectOf({type: textOf, status: textOf})),
							}),
						),
					),
					replacesOnlyFailed: isTrue,
					deadline: numberOf,
					ended: optional(textOf),
					active: countOf,
					succeeded: countOf,
					failed: countOf,
					completedIndexes: textOf,
					failedIndexes: textOf,
				}),
			),
		},
	},
	Budget: {
		key: podKey,
		of: ({budgets}) => budgets,
		readers: {
			...named,
			selector: decodeSelector,
			currentHealthy: countOf,
			desiredHealthy: countOf,
			expectedPods: countOf,
			disruptionsAllowed: optional(countOf),
			allowsUnready: optional(isTrue),
			isOfMissing: optional(isTrue),
			countsPods: optional(isTrue),
		},
	},
	Service: {
		key: podKey,
		of: ({services}) => services,
		readers: {...named, selector: textMapOf, publishesNotReady: isTrue},
	},
	Claim: {key: podKey, of: ({claims}) => claims, readers: {...named, volume: textOf, isShared: isTrue}},
	Volume: {
		key: nameOf,
		of: ({volumes}) => volumes,
		readers: {name: textOf, isPlain: isTrue, nodeTerms: termsOf},
	},
	Endpoint: {
		key: ({namespace, service, pod}) => `${namespace}/${service}/${pod}`,
		of: ({endpoints}) => endpoints,
		readers: {namespace: textOf, service: textOf, pod: textOf, isReady: isTrue},
	},
	Attachment: {
		key: ({node, volume}) => `${node}/${volume}`,
		of: ({attachments}) => attachments,
		readers: {node: textOf, volume: textOf},
	},
	Problem: {
		key: ({reason}) => reason,
		of: ({problems}) => problems,
		readers: {reason: textOf, message: textOf, isOfPods: (value) => value === true || undefined},
	},
	Taken: {
		key: ({node}) => node,
		of: (_, {nodes}) => [...(nodes ?? [])].map(([node, taken]) => ({node, ...taken})),
		readers: {...demand, node: textOf, lowestPriority: countOf, keepsOthersAway: isTrue},
	},
	PerPod: {
		key: ({owner}) => owner,
		of: (_, {perPod}) => [...(perPod ?? [])].map(([owner, requests]) => ({owner, ...requests})),
		readers: {...resources, owner: textOf, usualStart: numberOf},
	},
	Waiting: {
		key: () => '',
		of: (_, {waiting, read}) => (waiting ? [{...waiting, ...(read && {read: [...read]})}] : []),
		readers: {...demand, read: optional(textsOf)},
	},
	Unknown: {
		key: () => '',
		of: ({occupancy}) => (typeof occupancy === 'string' ? [{why: occupancy}] : []),
		readers: {why: textOf},
	},
};

/** The unique key of a part within a reading. */
export function keyOf({part, value}: RelatedPart): string {
	const key = (kinds[part] as PartKind<unknown>).key(value);
	return key === '' ? part : `${part} ${key}`;
}

export function relatedPartsOf(related: Related): readonly RelatedPart[] {
	const occupancy = typeof related.occupancy === 'string' ? {} : related.occupancy;
	return Object.entries(kinds).flatMap(([part, kind]) =>
		[...kind.of(related, occupancy)].map((value) => ({part, value}) as RelatedPart),
	);
}

/** Decodes a part; undefined for an unknown kind, or without what identifies it. */
export function decodePart(value: unknown): RelatedPart | undefined {
	const part = textOf(fieldsOf<RelatedPart>(value).part);
	if (!Object.hasOwn(kinds, part)) return undefined;
	const decoded = {part, value: objectOf<object>(kinds[part as PartName].readers)(value)} as RelatedPart;
	return decoded.part === 'Controller' && decoded.value.uid === '' ? undefined : decoded;
}

/** Joins parts again, in the API's order: by namespace and name. */
export function relatedFrom(parts: ReadonlyMap<string, RelatedPart>): Related {
	const inOrder = [...parts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, part]) => part);
	const all = <Name extends PartName>(name: Name) =>
		inOrder.flatMap(({part, value}) => (part === name ? [value as RelatedValues[Name]] : []));
	const [waiting] = all('Waiting');
	const [unknown] = all('Unknown');
	return {
		controllers: mapBy(all('Controller'), (controller) => controller.uid),
		budgets: all('Budget'),
		services: all('Service'),
		claims: all('Claim'),
		endpoints: all('Endpoint'),
		attachments: all('Attachment'),
		volumes: all('Volume'),
		problems: all('Problem'),
		occupancy: waiting
			? occupancyFrom(waiting, all('Taken'), all('PerPod'))
			: (unknown?.why ?? nothingRelated.occupancy),
	};
}

const occupancyFrom = (
	{read, ...waiting}: RelatedValues['Waiting'],
	taken: readonly RelatedValues['Taken'][],
	perPod: readonly RelatedValues['PerPod'][],
): Occupancy => ({
	nodes: new Map(taken.map(({node, ...rest}) => [node, rest])),
	waiting,
	perPod: new Map(perPod.map(({owner, ...rest}) => [owner, rest])),
	...(read && {read: new Set(read)}),
});
