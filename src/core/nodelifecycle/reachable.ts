import {done, failed, type Next} from '../client/routines.ts';
import type {Node} from '../model/node.ts';
import {notReadyTaint, unreachableTaint} from '../model/taint.ts';
import {zoneKey} from '../model/zone.ts';
import type {LifecycleContext} from './lifecycleContext.ts';
import {removeTaints, type TaintWriteStep} from './taintWrites.ts';

/** Removes a reachable node from its zone's queue, once its NoExecute taints are removed. */
export type ReachableStep = {readonly do: 'leaveQueue'; readonly zone: string; readonly node: string};

/**
 * Removes the controller's NoExecute taints from a node, and the node from its zone's queue: at once if it has no
 * such taint, otherwise by the returned steps.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/nodelifecycle/node_lifecycle_controller.go markNodeAsReachable
 */
export function markReachable(
	node: Node,
	context: LifecycleContext,
	zone = zoneKey(node),
): readonly (TaintWriteStep | ReachableStep)[] {
	const writes =
		node.taints.length === 0
			? []
			: [unreachableTaint, notReadyTaint].flatMap((taint) => removeTaints(node, [taint]));
	const leave: ReachableStep = {do: 'leaveQueue', zone, node: node.name};
	if (writes.length > 0) return [...writes, leave];
	leaveQueue(leave, true, context);
	return [];
}

/** Removes a node from its zone's queue, unless removing its taints failed. */
export function leaveQueue(
	{zone, node}: ReachableStep,
	okBefore: boolean,
	{zones}: LifecycleContext,
): Next<never> {
	if (!okBefore) return failed;
	zones.queue(zone)?.remove(node);
	return done;
}
