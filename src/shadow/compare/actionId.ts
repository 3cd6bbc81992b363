import type {Lease} from '../../core/model/lease.ts';
import {type Node, nodeCondition} from '../../core/model/node.ts';
import type {Instant} from '../../core/time/instant.ts';
import {lifecycleTaint} from '../../forecast/observe/nodes/lifecycleTaint.ts';
import type {ExpectedAction} from './divergence.ts';

/** What the id of an action of a node is made of: all of it stands in the cluster. */
type IdentityClues = {
	readonly node: Node;
	/** The kubelet's last renewal, by its own clock. */
	readonly renewTime: Instant | undefined;
	readonly leader: Lease | undefined;
};

/**
 * The id of an action of a node. It is made of times that the API server keeps, so that a shadow that was started anew
 * gives the same action the same id: the last sign of life before Unknown, the transition before a taint, the taint
 * before it goes. New controllers do all of it once more.
 */
export function nodeActionId(action: ExpectedAction, {node, renewTime, leader}: IdentityClues): string {
	const ready = nodeCondition(node, 'Ready');
	const transition = ready?.lastTransitionTime ?? node.createdAt;
	const acquired = leader?.acquireTime ?? 0;
	switch (action) {
		case 'SetUnknown':
			return idOf(action, node.uid, renewTime ?? ready?.lastHeartbeatTime ?? node.createdAt);
		case 'TaintNode':
			return idOf(action, node.uid, Math.max(transition, acquired));
		default:
			return idOf(action, node.uid, lifecycleTaint(node)?.timeAdded ?? transition);
	}
}

/** A pod is deleted once. */
export const podActionId = (action: ExpectedAction, uid: string): string => `${action}.${uid}`;

const idOf = (action: ExpectedAction, uid: string, anchor: Instant): string =>
	`${action}.${uid}.${Math.floor(anchor / 1000)}`;
