import type {ControllerSettings} from '../model/controllerSettings.ts';
import type {ConditionStatus, Node} from '../model/node.ts';
import type {Pod} from '../model/pod.ts';
import {zoneKey} from '../model/zone.ts';
import type {Instant} from '../time/instant.ts';
import type {DeletePodsStep} from './deleteNodePods.ts';
import type {LifecycleContext} from './lifecycleContext.ts';
import type {NodeHealth} from './nodeHealth.ts';

/**
 * Decides, where silent nodes are not tainted, whether a node's time is over: then it is queued for eviction, or these
 * pods of it are deleted at once where its eviction is over already. A node that is ready leaves its queue.
 *
 * @param status of the Ready condition as the pass found it, not as it leaves it
 * @param pods answers the ones to delete where the node has been evicted before; only then is it called
 * @quirk a node is evicted by its own clock for each condition: the last sign of life for Unknown, the transition for False
 * @upstream kubernetes v1.16.15 pkg/controller/nodelifecycle/node_lifecycle_controller.go processNoTaintBaseEviction
 */
export function evictByTimeout(
	node: Node,
	status: ConditionStatus,
	pods: () => readonly Pod[],
	context: LifecycleContext,
): readonly DeletePodsStep[] {
	if (status === 'True') {
		cancelEviction(node, context);
		return [];
	}
	const due = evictionDue(status, context.health.get(node.name), context.settings);
	return due === undefined || context.now <= due ? [] : evict(node, pods, context);
}

/**
 * When the time of a node is over that is not ready; undefined where it is, or is not remembered.
 *
 * @upstream kubernetes v1.16.15 pkg/controller/nodelifecycle/node_lifecycle_controller.go processNoTaintBaseEviction
 */
export function evictionDue(
	status: ConditionStatus | undefined,
	remembered: NodeHealth | undefined,
	{podEvictionTimeout}: Pick<ControllerSettings, 'podEvictionTimeout'>,
): Instant | undefined {
	if (!remembered || status === undefined || status === 'True') return undefined;
	const {probeTimestamp, readyTransitionTimestamp} = remembered;
	return (status === 'Unknown' ? probeTimestamp : readyTransitionTimestamp) + podEvictionTimeout;
}

/**
 * @upstream kubernetes v1.16.15 pkg/controller/nodelifecycle/node_lifecycle_controller.go evictPods
 */
function evict(
	node: Node,
	pods: () => readonly Pod[],
	{evictions, zones, random, now}: LifecycleContext,
): readonly DeletePodsStep[] {
	if (evictions.status(node.name) === 'evicted') return [{do: 'deletePods', node: node.name, pods: pods()}];
	evictions.set(node.name, 'toBeEvicted');
	zones.queue(zoneKey(node))?.add(node.name, now, random);
	return [];
}

/**
 * Takes a node out of its zone's queue, and forgets that it was evicted.
 *
 * @upstream kubernetes v1.16.15 pkg/controller/nodelifecycle/node_lifecycle_controller.go cancelPodEviction
 */
export function cancelEviction(node: Node, {evictions, zones}: LifecycleContext): void {
	evictions.set(node.name, 'unmarked');
	zones.queue(zoneKey(node))?.remove(node.name);
}
