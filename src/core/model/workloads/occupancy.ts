import {maxOf} from '../../collections/extremes.ts';
import {type Duration, median} from '../../time/instant.ts';
import type {Resources} from './resources.ts';

/** The sum of pods' requests: CPU in thousandths of a core, memory in bytes, and the number of pods. */
export type Demand = Resources & {readonly pods: number};

/** What the pods of one node take of it. */
export type TakenResources = Demand & {
	/** The lowest priority among them: a pod of a higher priority may preempt one. */
	readonly lowestPriority: number;
	/** Whether one of them has anti-affinity that keeps others away. */
	readonly keepsOthersAway: boolean;
};

/** What runs on nodes, as far as it matters to the scheduler. */
export type Occupancy = Readonly<{
	/** The nodes whose pods were read; absent if all were. */
	read?: ReadonlySet<string>;
	/** By node name; a node that is missing runs nothing. */
	nodes: ReadonlyMap<string, TakenResources>;
	/** The requests of pods that wait for a node. */
	waiting: Demand;
	/** What is known of the pods of an owner, by the owner's uid. */
	perPod: ReadonlyMap<string, PerPod>;
}>;

/** What one pod of an owner requests, the largest if they differ, and how long it usually starts; absent if none is ready. */
export type PerPod = Resources & {readonly usualStart?: Duration | undefined};

export type PlacedPod = Readonly<{
	/** Empty until it is scheduled. */
	node: string;
	requests: Resources;
	priority: number;
	keepsOthersAway: boolean;
	/** The uid of the controlling owner; undefined if there is none. */
	owner: string | undefined;
	/** From when it had its node until it was ready, in whole seconds; absent if it is not ready. */
	start?: Duration | undefined;
}>;

const nothing: Demand = {cpu: 0, memory: 0, pods: 0};

/** Sums up what pods take, without those that have ended. @param read the nodes whose pods are all included; undefined for all */
export function occupancyOf(pods: readonly PlacedPod[], read?: ReadonlySet<string>): Occupancy {
	const nodes = new Map<string, TakenResources>();
	let waiting = nothing;
	for (const {node, requests, priority, keepsOthersAway} of pods) {
		if (node === '') {
			waiting = plus(waiting, requests);
			continue;
		}
		const before = nodes.get(node);
		nodes.set(node, {
			...plus(before ?? nothing, requests),
			lowestPriority: Math.min(before?.lowestPriority ?? priority, priority),
			keepsOthersAway: keepsOthersAway || (before?.keepsOthersAway ?? false),
		});
	}
	const byOwner = Map.groupBy(pods, ({owner}) => owner);
	const perPod = [...byOwner].flatMap(([owner, own]) =>
		owner === undefined ? [] : [[owner, perPodOf(own)] as const],
	);
	return {nodes, waiting, perPod: new Map(perPod), ...(read && {read})};
}

export const plus = (demand: Demand, {cpu, memory}: Resources): Demand => ({
	cpu: demand.cpu + cpu,
	memory: demand.memory + memory,
	pods: demand.pods + 1,
});

const perPodOf = (pods: readonly PlacedPod[]): PerPod => ({
	cpu: maxOf(pods.map(({requests}) => requests.cpu)),
	memory: maxOf(pods.map(({requests}) => requests.memory)),
	usualStart: median(pods.flatMap(({start}) => start ?? [])),
});
