import type {Lease} from '../../core/model/lease.ts';
import {type Node, nodeCondition} from '../../core/model/node.ts';
import type {Pod} from '../../core/model/pod.ts';
import type {Instant} from '../../core/time/instant.ts';
import type {Interval} from '../observe/interval.ts';
import {lifecycleTaint} from '../observe/nodes/lifecycleTaint.ts';

/** What may be done to a pod: `DeletePod` for a taint of its node, `DeletePodForDevice` for one of its device, `CollectPod` as its node is gone. */
export const podActions = ['DeletePod', 'DeletePodForDevice', 'CollectPod'] as const;

/** What the controllers do to the cluster, as far as it can be seen from outside. */
export type ActionKind = 'SetUnknown' | 'TaintNode' | 'UntaintNode' | (typeof podActions)[number];

/** Whether it is done to a pod. */
export const isOfPod = (action: ActionKind): boolean => podActions.some((one) => one === action);

/** The node or pod that an action is done to. */
export type ActionObject = {
	readonly kind: 'Node' | 'Pod';
	readonly namespace?: string;
	readonly name: string;
	readonly uid: string;
};

/** Something of the kind that the controllers do, as a watch saw it. */
export type ControllerAction = {
	readonly action: ActionKind;
	readonly id: string;
	readonly object: ActionObject;
	readonly node: string;
	readonly zone: string;
	readonly at: Interval;
	/** Who wrote it, where that were not the controllers. */
	readonly writer?: string;
	/** Since when the object had been in the state that it left. */
	readonly stateSince: Instant;
	/** The pod as it was before, where it is deleted. */
	readonly pod?: Pod;
	/** Whether nothing shows that it was the controllers: anybody may delete a pod whose node is gone. */
	readonly isAnybodys?: boolean;
};

/** What stands for an action of an object: there is one at a time. */
export const keyOf = ({action, object}: Pick<ControllerAction, 'action' | 'object'>): string =>
	`${action} ${object.uid}`;

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
export function nodeActionId(action: ActionKind, {node, renewTime, leader}: IdentityClues): string {
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
export const podActionId = (action: ActionKind, uid: string): string => `${action}.${uid}`;

const idOf = (action: ActionKind, uid: string, anchor: Instant): string =>
	`${action}.${uid}.${Math.floor(anchor / 1000)}`;
