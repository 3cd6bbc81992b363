import type {Lease} from '../../core/model/lease.ts';
import {type Node, readyCondition} from '../../core/model/node.ts';
import type {Pod} from '../../core/model/pod.ts';
import type {Instant} from '../../core/time/instant.ts';
import type {Interval} from '../observe/interval.ts';
import {lifecycleTaint} from '../observe/nodes/lifecycleTaint.ts';

/** The actions on a pod: for a taint of its node, for a taint of its device, and because its node is gone. */
export const podActions = ['DeletePod', 'DeletePodForDevice', 'CollectPod'] as const;

/** The actions of the controllers that can be seen from outside. */
export type ActionKind = 'SetUnknown' | 'TaintNode' | 'UntaintNode' | (typeof podActions)[number];

export const isOfPod = (action: ActionKind) => podActions.some((one) => one === action);

/** The node or pod that an action changes. */
export type ActionObject = Readonly<{
	kind: 'Node' | 'Pod';
	namespace?: string;
	name: string;
	uid: string;
}>;

/** An action that may be the controllers', as a watch saw it. */
export type ControllerAction = Readonly<{
	action: ActionKind;
	id: string;
	object: ActionObject;
	node: string;
	zone: string;
	at: Interval;
	/** What wrote it, if not the controllers. */
	writer?: string;
	/** Since when the object has been, or had been, in the state that the action ends. */
	stateSince: Instant;
	/** The pod before its deletion. */
	pod?: Pod;
	/** Whether nothing shows that it was the controllers: anyone may delete a pod whose node is gone. */
	mayBeForeign?: boolean;
}>;

/** The key of an action of an object: there is one at a time. */
export const keyOf = ({action, object}: Pick<ControllerAction, 'action' | 'object'>): string =>
	`${action} ${object.uid}`;

/** The input of the id of a node's action: all of it is in the cluster. */
type IdentityClues = {
	readonly node: Node;
	/** The kubelet's last renewal, by its own clock. */
	readonly renewTime: Instant | undefined;
	readonly leader: Lease | undefined;
};

/**
 * The id of an action of a node. It consists of times that the API server keeps, so that a restarted shadow gives the same
 * action the same id: the last sign of life before Unknown, the transition before a taint, the taint before its removal. New
 * controllers repeat all of it.
 */
export function nodeActionId(action: ActionKind, {node, renewTime, leader}: IdentityClues): string {
	const ready = readyCondition(node);
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
