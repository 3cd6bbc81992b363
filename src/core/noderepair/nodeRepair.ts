import {type Node, nodeCondition} from '../model/node.ts';
import type {UnhealthyCondition} from '../model/repairObject.ts';
import type {Instant} from '../time/instant.ts';
import type {Repairer} from './repairers.ts';

/** When a node's time is over for who repairs it, and for which condition. */
type RepairDue = {readonly at: Instant; readonly condition: UnhealthyCondition};

/**
 * The earliest end of the timeouts of a node's conditions; undefined where none of them is unhealthy.
 *
 * @upstream sigs.k8s.io/karpenter v1.14.1 pkg/controllers/node/health/controller.go findUnhealthyConditions
 */
export function repairDue(
	node: Pick<Node, 'conditions'>,
	conditions: readonly UnhealthyCondition[],
): RepairDue | undefined {
	let first: RepairDue | undefined;
	for (const condition of conditions) {
		const present = nodeCondition(node, condition.type);
		if (present?.status !== condition.status) continue;
		const at = present.lastTransitionTime + condition.timeout;
		if (!first || at < first.at) first = {at, condition};
	}
	return first;
}

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
	{
		counted,
		withoutNode,
		conditions,
		allows,
	}: Pick<Repairer, 'counted' | 'withoutNode' | 'conditions' | 'allows'>,
	nodeOf: (name: string) => Node | undefined,
	isSilent: (name: string) => boolean = () => false,
): UnhealthyCount {
	const unhealthyNodes = [...counted].filter((name) => {
		const node = nodeOf(name);
		return node !== undefined && (repairDue(node, conditions) !== undefined || isSilent(name));
	});
	const unhealthy = unhealthyNodes.length + withoutNode;
	const total = counted.size + withoutNode;
	return {unhealthy, total, isAllowed: allows(unhealthy, total)};
}
