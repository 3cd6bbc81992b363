import type {Node} from '../model/node.ts';
import {conditionsDue, firstDue, type RepairDue} from './repairDue.ts';
import type {Repairer} from './repairer.ts';

/** Who deletes the Node of a machine that its cloud no longer has, for display. */
export const cloudController = "its cloud's controller";

type Due = Pick<Repairer, 'conditions' | 'machineDue' | 'unneeded'>;

/** What makes a node due for repair first: that it is unneeded or unhealthy; undefined if it is neither. */
export const repairDue = (node: Node, repairer: Due): RepairDue | undefined =>
	firstDue([repairer.unneeded?.get(node.name), unhealthyDue(node, repairer)]);

/** The same by a condition's timeout, or its Machine's repair. */
const unhealthyDue = (
	{name, conditions: present}: Pick<Node, 'name' | 'conditions'>,
	{conditions, machineDue}: Due,
): RepairDue | undefined => firstDue([machineDue?.get(name), conditionsDue(present, conditions)]);

/** By whom the end of a node is announced, some of it only as possible: keys of their taints, and types of conditions that are True then. */
const endMarks: Readonly<Record<string, readonly string[]>> = {
	'the cluster autoscaler': ['ToBeDeletedByClusterAutoscaler'],
	Karpenter: ['karpenter.sh/disrupted', 'karpenter.sh/disruption'],
	'the node termination handler': [
		'aws-node-termination-handler/spot-itn',
		'aws-node-termination-handler/scheduled-maintenance',
		'aws-node-termination-handler/asg-lifecycle-termination',
		'aws-node-termination-handler/rebalance-recommendation',
	],
	GKE: ['cloud.google.com/impending-node-termination'],
	AKS: [
		'remediator.aks.microsoft.com/unschedulable',
		'remediator.kubernetes.azure.com/unschedulable',
		'VMEventScheduled',
		'RedeployScheduled',
		'PreemptScheduled',
		'TerminateScheduled',
	],
	'Cluster API': ['node.cluster.x-k8s.io/outdated-revision'],
	// An administrator sets them (KEP-5683, since v1.37); of maintenance they do not say whether its pods go.
	'a drain': ['DrainInProgress'],
	'a shutdown': ['GracefulNodeShutdownInProgress'],
};
const announcers = new Map(
	Object.entries(endMarks).flatMap(([by, marks]) => marks.map((mark) => [mark, {mark, by}])),
);

/** The first mark that announces the end of a node, and who set it; undefined if there is none. */
export function endMarkOf({taints, conditions}: Pick<Node, 'taints' | 'conditions'>) {
	// Loops, because every forecast calls this for every node.
	for (const {key} of taints) if (announcers.has(key)) return announcers.get(key);
	for (const {type, status} of conditions)
		if (status === 'True' && announcers.has(type)) return announcers.get(type);
	return undefined;
}

/**
 * Whether a node, even a Ready one, shows a reason for replacing it. By Kubernetes' convention a condition is healthy
 * while False, but one whose type ends with Ready while True.
 */
export const looksUnhealthy = ({conditions, taints, deletionTimestamp}: Node): boolean =>
	deletionTimestamp !== undefined ||
	endMarkOf({taints, conditions}) !== undefined ||
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
	repairer: Repairer,
	nodeOf: (name: string) => Node | undefined,
	isSilent: (name: string) => boolean = () => false,
): UnhealthyCount {
	const {counted, unhealthyAnyway, allows} = repairer;
	const unhealthyNodes = [...counted].filter((name) => {
		const node = nodeOf(name);
		return node !== undefined && (unhealthyDue(node, repairer) !== undefined || isSilent(name));
	});
	const unhealthy = unhealthyNodes.length + unhealthyAnyway;
	const total = counted.size + unhealthyAnyway;
	return {unhealthy, total, isAllowed: allows(unhealthy, total)};
}
