import type {Node} from '../model/node.ts';
import {conditionsDue, firstDue, type RepairDue} from './repairDue.ts';
import type {Repairer} from './repairers.ts';

/** What ends a node first: the timeout of a condition, or what its Machine is repaired for; undefined where it is well. */
export const repairDue = (
	{name, conditions: present}: Pick<Node, 'name' | 'conditions'>,
	{conditions, machineDue}: Pick<Repairer, 'conditions' | 'machineDue'>,
): RepairDue | undefined => firstDue([machineDue?.get(name), conditionsDue(present, conditions)]);

/** Taints of somebody who is about to delete a node. */
const endingTaints: ReadonlySet<string> = new Set([
	'ToBeDeletedByClusterAutoscaler',
	'karpenter.sh/disrupted',
]);

/**
 * Whether a node that may be Ready shows something for which somebody may replace it. By Kubernetes' convention a condition
 * is well while it is False, one whose type ends with Ready while it is True.
 */
export const looksUnhealthy = ({conditions, taints}: Pick<Node, 'conditions' | 'taints'>): boolean =>
	taints.some(({key}) => endingTaints.has(key)) ||
	conditions.some(({type, status}) => status !== (type.endsWith('Ready') ? 'True' : 'False'));

/** How many of the nodes that a limit counts are unhealthy, and of how many. */
export type UnhealthyCount = {
	readonly unhealthy: number;
	readonly total: number;
	readonly isAllowed: boolean;
};

/**
 * Counts a node from the first moment that a condition is unhealthy, whatever is left of its timeout, as all of these
 * controllers do.
 *
 * @param isSilent whether a node is about to become unhealthy
 */
export function countUnhealthy(
	repairer: Pick<Repairer, 'counted' | 'unhealthyAnyway' | 'conditions' | 'machineDue' | 'allows'>,
	nodeOf: (name: string) => Node | undefined,
	isSilent: (name: string) => boolean = () => false,
): UnhealthyCount {
	const {counted, unhealthyAnyway, allows} = repairer;
	const unhealthyNodes = [...counted].filter((name) => {
		const node = nodeOf(name);
		return node !== undefined && (repairDue(node, repairer) !== undefined || isSilent(name));
	});
	const unhealthy = unhealthyNodes.length + unhealthyAnyway;
	const total = counted.size + unhealthyAnyway;
	return {unhealthy, total, isAllowed: allows(unhealthy, total)};
}
