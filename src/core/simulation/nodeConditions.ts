import type {ConditionStatus, Node, NodeCondition} from '../model/node.ts';
import type {Instant} from '../time/instant.ts';

/** A node with one condition posted at an instant; the transition time changes only with the status. */
export function withCondition(
	node: Node,
	type: string,
	status: ConditionStatus,
	reason: string,
	now: Instant,
): Node {
	const before = node.conditions.find((condition) => condition.type === type);
	const posted: NodeCondition = {
		type,
		status,
		reason,
		lastHeartbeatTime: now,
		lastTransitionTime: before?.status === status ? before.lastTransitionTime : now,
	};
	const conditions = before
		? node.conditions.map((condition) => (condition === before ? posted : condition))
		: [...node.conditions, posted];
	return {...node, conditions};
}

/** A node as a healthy kubelet posts it: Ready, and without pressure. */
export function withHealthyStatus(node: Node, now: Instant): Node {
	return ['MemoryPressure', 'DiskPressure', 'PIDPressure'].reduce(
		(posted, type) => withCondition(posted, type, 'False', 'KubeletHasSufficient', now),
		withCondition(node, 'Ready', 'True', 'KubeletReady', now),
	);
}
