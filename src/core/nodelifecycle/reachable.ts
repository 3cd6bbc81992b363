import {done, failed, type Next} from '../client/routines.ts';
import type {Node} from '../model/node.ts';
import {zoneKey} from '../model/zone.ts';
import type {LifecycleContext} from './lifecycleContext.ts';
import {notReadyNoExecute, removeTaints, type TaintWriteStep, unreachableNoExecute} from './taintWrites.ts';

/** A node that is reachable again leaves its zone's queue, once its NoExecute taints are off. */
export type ReachableStep = {readonly do: 'leaveQueue'; readonly zone: string; readonly node: string};

/**
 * Takes the controller's NoExecute taints off a node and takes it out of its zone's queue: at once where it has
 * none, else by the steps that are returned.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/nodelifecycle/node_lifecycle_controller.go markNodeAsReachable
 */
export function markReachable(
	node: Node,
	context: LifecycleContext,
): readonly (TaintWriteStep | ReachableStep)[] {
	const writes =
		node.taints.length === 0
			? []
			: [...removeTaints(node, [unreachableNoExecute]), ...removeTaints(node, [notReadyNoExecute])];
	const leave: ReachableStep = {do: 'leaveQueue', zone: zoneKey(node), node: node.name};
	if (writes.length > 0) return [...writes, leave];
	leaveQueue(leave, true, context);
	return [];
}

/** Takes a node out of its zone's queue; not where its taints could not be taken off. */
export function leaveQueue(
	{zone, node}: ReachableStep,
	okBefore: boolean,
	{zones}: LifecycleContext,
): Next<never> {
	if (!okBefore) return failed;
	zones.queue(zone)?.remove(node);
	return done;
}
