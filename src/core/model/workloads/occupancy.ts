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
	/** The requests of one pod of an owner, by the owner's uid; the largest if they differ. */
	perPod: ReadonlyMap<string, Resources>;
}>;

export type PlacedPod = Readonly<{
	/** Empty until it is scheduled. */
	node: string;
	requests: Resources;
	priority: number;
	keepsOthersAway: boolean;
	/** The uid of the controlling owner; undefined if there is none. */
	owner: string | undefined;
}>;

const nothing: Demand = {cpu: 0, memory: 0, pods: 0};

/** Sums up what pods take, without those that have ended. @param read the nodes whose pods are all included; undefined for all */
export function occupancyOf(pods: readonly PlacedPod[], read?: ReadonlySet<string>): Occupancy {
	const nodes = new Map<string, TakenResources>();
	const perPod = new Map<string, Resources>();
	let waiting = nothing;
	for (const {node, requests, priority, keepsOthersAway, owner} of pods) {
		if (owner !== undefined) perPod.set(owner, largest(perPod.get(owner), requests));
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
	return {nodes, waiting, perPod, ...(read && {read})};
}

export const plus = (demand: Demand, {cpu, memory}: Resources): Demand => ({
	cpu: demand.cpu + cpu,
	memory: demand.memory + memory,
	pods: demand.pods + 1,
});

const largest = (one: Resources | undefined, other: Resources): Resources => ({
	cpu: Math.max(one?.cpu ?? 0, other.cpu),
	memory: Math.max(one?.memory ?? 0, other.memory),
});
