import type {Node} from '../model/node.ts';
import {conditionsDue, firstDue, type RepairDue} from './repairDue.ts';
import type {Repairer} from './repairers.ts';

/** What makes a node due for repair first: a condition's timeout, or its Machine's repair; undefined if it is healthy. */
export const repairDue = (
	{name, conditions: present}: Pick<Node, 'name' | 'conditions'>,
	{conditions, machineDue}: Pick<Repairer, 'conditions' | 'machineDue'>,
): RepairDue | undefined => firstDue([machineDue?.get(name), conditionsDue(present, conditions)]);

/** Taints that announce the deletion of a node. */
const endingTaints: ReadonlySet<string> = new Set([
	'ToBeDeletedByClusterAutoscaler',
	'karpenter.sh/disrupted',
]);

/**
 * Whether a node, even a Ready one, shows a reason for replacing it. By Kubernetes' convention a condition is healthy
 * while False, but one whose type ends with Ready while True.
 */
export const looksUnhealthy = ({conditions, taints}: Pick<Node, 'conditions' | 'taints'>): boolean =>
	taints.some(({key}) => endingTaints.has(key)) ||
	conditions.some(({type, status}) => status !== (type.endsWith('Ready') ? 'True' : 'False'));

/** How many of the nodes that a limit counts are unhealthy, out of how many. */
export type UnhealthyCount = {
	readonly unhealthy: number;
	readonly total: number;
	readonly isAllowed: boolean;
};

/**
 * Counts a node from the moment a condition becomes unhealthy, regardless of its timeout, as all of these controllers
 * do.
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
