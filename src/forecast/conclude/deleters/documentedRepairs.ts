import type {Node} from '../../../core/model/node.ts';
import type {Repairer} from '../../../core/noderepair/repairer.ts';
import {type Duration, minute} from '../../../core/time/instant.ts';

/** Node repair of clouds that no object shows, by their documentation; `label` is on their nodes. */
const documentedRepairs: readonly (Pick<Repairer, 'name' | 'slack' | 'action' | 'endsPods'> &
	Readonly<{
		label: string;
		timeout: Duration;
		doubt: string;
		page: string;
	}>)[] = [
	{
		name: 'GKE node auto-repair',
		label: 'cloud.google.com/gke-nodepool',
		endsPods: true,
		timeout: 10 * minute,
		slack: 5 * minute,
		action: 'drains and recreates the node',
		doubt: 'whether it is on for its node pool cannot be seen (it is by default)',
		page: 'cloud.google.com/kubernetes-engine/docs/how-to/node-auto-repair',
	},
	{
		name: 'EKS node auto repair',
		label: 'eks.amazonaws.com/nodegroup',
		endsPods: true,
		timeout: 30 * minute,
		slack: 5 * minute,
		action: 'replaces the node',
		doubt: 'whether it is on for its node group cannot be seen (it is off by default)',
		page: 'docs.aws.amazon.com/eks/latest/userguide/node-repair.html',
	},
	{
		name: 'AKS node auto-repair',
		label: 'kubernetes.azure.com/agentpool',
		endsPods: false,
		timeout: 5 * minute,
		slack: 10 * minute,
		action: 'reboots the node, and reimages it where that does not help',
		doubt: 'its pods stay bound to it',
		page: 'learn.microsoft.com/azure/aks/node-auto-repair',
	},
];

/** An assumption that is stated as such: nothing in the cluster shows it. */
export function documentedFor({name, labels}: Node): Repairer | undefined {
	const found = documentedRepairs.find(({label}) => labels[label] !== undefined);
	if (!found) return undefined;
	const {label: _, timeout, doubt, page, ...own} = found;
	return {
		...own,
		nodes: new Set([name]),
		counted: new Set([name]),
		unhealthyAnyway: 0,
		allows: () => true,
		limit: '',
		looksAgainAfter: 10 * minute,
		isTimeUnknown: false,
		conditions: [
			{type: 'Ready', status: 'False', timeout},
			{type: 'Ready', status: 'Unknown', timeout},
		],
		doubt: `${doubt}; the time is assumed by ${page}`,
	};
}
