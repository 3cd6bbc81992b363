import {isReadyNode, type Node} from '../model/node.ts';
import {nameOf} from '../model/objectName.ts';
import {type Duration, minute, never, second} from '../time/instant.ts';
import type {RepairDue} from './repairDue.ts';
import type {Repairer} from './repairer.ts';

/** The cluster autoscaler's taint of a node that it finds unneeded; the value is since when, in seconds. */
const candidate = 'DeletionCandidateOfClusterAutoscaler';

/** How long a node must be unneeded, by default. */
const unneededTime: Duration = 10 * minute;
/** The same for a node that is not ready. */
const unreadyTime: Duration = 20 * minute;
/** How much later than it became unneeded a node may be tainted: none is in the cooldown after a scale-up, by default ten minutes. */
const taintLag: Duration = 10 * minute;

/**
 * The cluster autoscaler, as far as its taints show it: it deletes a node that is not ready only if it is unneeded too, and not
 * while many are unready. One that is tainted as unneeded keeps its pods until then.
 *
 * @upstream k8s.io/autoscaler/cluster-autoscaler v1.36.1 core/scaledown/unneeded/nodes.go unremovableReason
 * @upstream k8s.io/autoscaler/cluster-autoscaler v1.36.1 clusterstate/clusterstate.go IsClusterHealthy
 */
export function autoscalerRepairers(nodes: readonly Node[]): readonly Repairer[] {
	const marked = new Map(
		nodes.flatMap((node): readonly [string, RepairDue][] => {
			const taint = node.taints.find(({key}) => key === candidate);
			if (!taint) return [];
			const since = /^\d+$/.test(taint.value) ? Number(taint.value) * second : Number.NEGATIVE_INFINITY;
			const at = since + (isReadyNode(node) ? unneededTime : unreadyTime) - taintLag;
			return [[node.name, {at, reason: 'unneeded'}]];
		}),
	);
	if (marked.size === 0) return [];
	return [
		{
			name: 'the cluster autoscaler',
			nodes: new Set(marked.keys()),
			counted: new Set(nodes.map(nameOf)),
			unhealthyAnyway: 0,
			// These count as unready, and are not deleted for that.
			conditions: (['False', 'Unknown'] as const).map((status) => ({type: 'Ready', status, timeout: never})),
			unneeded: marked,
			allows: (unready, total) => unready <= 3 || unready <= 0.45 * total,
			limit: 'more than 45% of all nodes, and more than 3,',
			looksAgainAfter: minute,
			slack: minute,
			delays: 'a cooldown, the minimum size of its node group, or a pod that may not move may delay that',
			doubt: `its flags and those of the node group cannot be seen: the times of --scale-down-unready-time (20m) and --scale-down-unneeded-time (10m) are assumed`,
			isTimeUnknown: false,
			endsPods: true,
			action: 'evicts its pods and deletes its machine',
		},
	];
}
