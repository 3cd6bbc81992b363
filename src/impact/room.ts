import type {Node} from '../core/model/node.ts';
import type {Demand, Occupancy} from '../core/model/workloads/occupancy.ts';
import type {Resources} from '../core/model/workloads/resources.ts';

/** What a node has free for new pods. */
export type Room = {
	/** What is free of each resource; unlimited pods where the node does not say how many it takes. */
	readonly free: Demand;
	/** The lowest priority of its pods: a pod with a higher one may preempt. Undefined where it has no pods. */
	readonly lowestPriority: number | undefined;
	/** Whether one of its pods may keep a new one away. */
	readonly keepsOthersAway: boolean;
};

/** What a node has left; undefined where it does not say what it has. */
export function roomOf({name, allocatable}: Node, {nodes}: Occupancy): Room | undefined {
	if (!allocatable) return undefined;
	const taken = nodes.get(name);
	return {
		free: {
			cpu: allocatable.cpu - (taken?.cpu ?? 0),
			memory: allocatable.memory - (taken?.memory ?? 0),
			pods: (allocatable.pods ?? Number.POSITIVE_INFINITY) - (taken?.pods ?? 0),
		},
		lowestPriority: taken?.lowestPriority,
		keepsOthersAway: taken?.keepsOthersAway ?? false,
	};
}

const kinds = ['cpu', 'memory', 'pods'] as const;

/**
 * Whether a pod fits into what is free. Resources that it does not request do not matter.
 *
 * @upstream kubernetes v1.36.3 pkg/scheduler/framework/plugins/noderesources/fit.go fitsRequest
 */
export function fits({cpu, memory}: Resources, free: Demand): boolean {
	return free.pods >= 1 && (cpu === 0 || cpu <= free.cpu) && (memory === 0 || memory <= free.memory);
}

/**
 * How much of the requests of all other pods it takes to fill a node so that a pod does not fit any more, as a share, by the
 * resource that fills first. Infinite where all of them together cannot fill it.
 */
export function effortToFill(pod: Resources, free: Demand, others: Demand): number {
	let least = Number.POSITIVE_INFINITY;
	for (const kind of kinds) {
		const own = kind === 'pods' ? 1 : pod[kind];
		if (own === 0 || others[kind] <= 0) continue;
		const share = Math.max(0, free[kind] - own) / others[kind];
		if (share < 1) least = Math.min(least, share);
	}
	return least;
}

/**
 * If these shares add up to more than this over all nodes, other pods cannot fill all of them, in any order: they have each of
 * the three resources once.
 */
export const effortEnough = kinds.length;
