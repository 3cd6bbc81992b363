import type {Resources} from './resources.ts';

/** What pods ask for together: CPU in thousandths of a core, memory in bytes, and how many they are. */
export type Demand = Resources & {readonly pods: number};

/** What the pods of one node take of it. */
export type Taken = Demand & {
	/** The lowest priority among them: who has a higher one may push such a pod out. */
	readonly lowestPriority: number;
	/** Whether one of them asks to keep others away. */
	readonly keepsOthersAway: boolean;
};

/** What runs on nodes, as far as the scheduler reckons with it. */
export type Occupancy = {
	/** The nodes of which it is known; absent where it is of all. */
	readonly read?: ReadonlySet<string>;
	/** By the name of the node; one that is not in it carries nothing. */
	readonly nodes: ReadonlyMap<string, Taken>;
	/** Pods that wait for a node. */
	readonly waiting: Demand;
	/** What one pod of an owner asks for, by the owner's uid: the largest, where they differ. */
	readonly perPod: ReadonlyMap<string, Resources>;
};

/** One pod as it counts for its node. */
export type PlacedPod = {
	/** Empty while it waits for one. */
	readonly node: string;
	readonly requests: Resources;
	readonly priority: number;
	readonly keepsOthersAway: boolean;
	/** The uid of what controls it; undefined where nothing does. */
	readonly owner: string | undefined;
};

const nothing: Demand = {cpu: 0, memory: 0, pods: 0};

/**
 * Adds up what pods take. Those that have ended must not be among them.
 *
 * @param read the nodes whose pods are all among them; undefined where those of all nodes are
 */
export function occupancyOf(pods: readonly PlacedPod[], read?: ReadonlySet<string>): Occupancy {
	const nodes = new Map<string, Taken>();
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

/** A demand with one pod more. */
export const plus = (demand: Demand, {cpu, memory}: Resources): Demand => ({
	cpu: demand.cpu + cpu,
	memory: demand.memory + memory,
	pods: demand.pods + 1,
});

const largest = (one: Resources | undefined, other: Resources): Resources => ({
	cpu: Math.max(one?.cpu ?? 0, other.cpu),
	memory: Math.max(one?.memory ?? 0, other.memory),
});
