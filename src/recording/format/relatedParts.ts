import type {Problem} from '../../core/model/problem.ts';
import type {Demand, Occupancy, TakenResources} from '../../core/model/workloads/occupancy.ts';
import {
	type Attachment,
	type Budget,
	type Claim,
	type Controller,
	type Endpoint,
	nothingRelated,
	type Related,
	type Service,
	type Volume,
} from '../../core/model/workloads/related.ts';
import type {Resources} from '../../core/model/workloads/resources.ts';

/** Unscheduled pods, and the nodes whose pods were read; `read` is absent if all were. */
type WaitingPods = Demand & {readonly read?: readonly string[]};

/** The kinds of parts of related objects; changes are recorded part by part. */
export type RelatedValues = {
	Controller: Controller;
	Budget: Budget;
	Service: Service;
	Claim: Claim;
	Volume: Volume;
	Endpoint: Endpoint;
	Attachment: Attachment;
	Problem: Problem;
	/** The pods of one node, the unscheduled pods, the requests of one pod of an owner; or why they are unknown. */
	Taken: TakenResources & {readonly node: string};
	Waiting: WaitingPods;
	PerPod: Resources & {readonly owner: string};
	Unknown: {readonly why: string};
};

export type PartName = keyof RelatedValues;
export type RelatedPart = {
	[Name in PartName]: {readonly part: Name; readonly value: RelatedValues[Name]};
}[PartName];

/** The unique key of a part within a reading. */
export function keyOf({part, value}: RelatedPart): string {
	switch (part) {
		case 'Controller':
			return `${part} ${value.uid}`;
		case 'Endpoint':
			return `${part} ${value.namespace}/${value.service}/${value.pod}`;
		case 'Attachment':
			return `${part} ${value.node}/${value.volume}`;
		case 'Problem':
			return `${part} ${value.reason}`;
		case 'Volume':
			return `${part} ${value.name}`;
		case 'Taken':
			return `${part} ${value.node}`;
		case 'PerPod':
			return `${part} ${value.owner}`;
		case 'Waiting':
		case 'Unknown':
			return part;
		default:
			return `${part} ${value.namespace}/${value.name}`;
	}
}

export function relatedPartsOf({occupancy, ...related}: Related): readonly RelatedPart[] {
	const isKnown = typeof occupancy !== 'string';
	return [
		...[...related.controllers.values()].map((value) => ({part: 'Controller', value}) as const),
		...related.budgets.map((value) => ({part: 'Budget', value}) as const),
		...related.services.map((value) => ({part: 'Service', value}) as const),
		...related.claims.map((value) => ({part: 'Claim', value}) as const),
		...related.volumes.map((value) => ({part: 'Volume', value}) as const),
		...related.endpoints.map((value) => ({part: 'Endpoint', value}) as const),
		...related.attachments.map((value) => ({part: 'Attachment', value}) as const),
		...related.problems.map((value) => ({part: 'Problem', value}) as const),
		...(isKnown ? occupancyParts(occupancy) : [{part: 'Unknown', value: {why: occupancy}} as const]),
	];
}

const occupancyParts = ({
	nodes,
	waiting,
	perPod,
	read,
}: Exclude<Related['occupancy'], string>): readonly RelatedPart[] => [
	...[...nodes].map(([node, taken]) => ({part: 'Taken', value: {node, ...taken}}) as const),
	...[...perPod].map(([owner, resources]) => ({part: 'PerPod', value: {owner, ...resources}}) as const),
	{part: 'Waiting', value: {...waiting, ...(read && {read: [...read]})}},
];

/** Joins parts again, in the API's order: by namespace and name. */
export function relatedFrom(parts: ReadonlyMap<string, RelatedPart>): Related {
	const inOrder = [...parts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, part]) => part);
	const all = <Name extends PartName>(name: Name) =>
		inOrder.flatMap((one) => (one.part === name ? [one.value as RelatedValues[Name]] : []));
	const [waiting] = all('Waiting');
	const [unknown] = all('Unknown');
	return {
		controllers: new Map(all('Controller').map((one) => [one.uid, one])),
		...{budgets: all('Budget'), services: all('Service'), claims: all('Claim')},
		...{endpoints: all('Endpoint'), attachments: all('Attachment'), volumes: all('Volume')},
		problems: all('Problem'),
		occupancy: waiting
			? occupancyFrom(waiting, all('Taken'), all('PerPod'))
			: (unknown?.why ?? nothingRelated.occupancy),
	};
}

const occupancyFrom = (
	{read, ...waiting}: WaitingPods,
	taken: readonly RelatedValues['Taken'][],
	perPod: readonly RelatedValues['PerPod'][],
): Occupancy => ({
	nodes: new Map(taken.map(({node, ...one}) => [node, one])),
	waiting,
	perPod: new Map(perPod.map(({owner, ...resources}) => [owner, resources])),
	...(read && {read: new Set(read)}),
});
