import type {Node} from '../core/model/node.ts';
import type {Demand, Occupancy} from '../core/model/workloads/occupancy.ts';
import type {Resources} from '../core/model/workloads/resources.ts';

/** A node's free resources; undefined if it reports no allocatable ones. */
export function roomOf({name, allocatable}: Node, {nodes}: Occupancy) {
	if (!allocatable) return undefined;
	const taken = nodes.get(name);
	return {
		/** The free amounts; pods are unlimited if the node reports no limit. */
		free: {
			cpu: allocatable.cpu - (taken?.cpu ?? 0),
			memory: allocatable.memory - (taken?.memory ?? 0),
			pods: (allocatable.pods ?? Number.POSITIVE_INFINITY) - (taken?.pods ?? 0),
		},
		/** Of its pods, which a pod of higher priority may preempt. Undefined if it has none. */
		lowestPriority: taken?.lowestPriority,
		/** Whether the anti-affinity of one of its pods may keep a new pod away. */
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
 * The share of all other pods' requests that would fill a node so that this pod no longer fits, for the resource that
 * fills first. Infinite if all of them together cannot fill it.
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

/** If the nodes' shares add up to this, other pods cannot fill all nodes: they have each of the three resources once. */
export const effortEnough = kinds.length;
