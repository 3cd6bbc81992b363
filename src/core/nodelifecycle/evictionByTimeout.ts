import type {ControllerSettings} from '../model/controllerSettings.ts';
import type {ConditionStatus, Node} from '../model/node.ts';
import type {Pod} from '../model/pod.ts';
import {zoneKey} from '../model/zone.ts';
import type {Instant} from '../time/instant.ts';
import type {DeletePodsStep} from './deleteNodePods.ts';
import type {LifecycleContext} from './lifecycleContext.ts';
import type {NodeHealth} from './nodeHealth.ts';

/**
 * Without taint-based evictions, decides whether a node is due for eviction: it is queued, or, if it was evicted
 * before, its given pods are deleted at once. A Ready node leaves the queue.
 *
 * @param status of the Ready condition before this pass changed it
 * @param pods called only if the node was evicted before; returns the pods to delete
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
 * When a node that is not ready is due for eviction; undefined if it is Ready or not remembered.
 *
 * @upstream kubernetes v1.16.15 pkg/controller/nodelifecycle/node_lifecycle_controller.go processNoTaintBaseEviction
 */
export function evictionDue(
	status: ConditionStatus | undefined,
	remembered: NodeHealth | undefined,
	{podEvictionTimeout}: ControllerSettings,
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
 * Removes a node from its zone's queue and resets its eviction status.
 *
 * @upstream kubernetes v1.16.15 pkg/controller/nodelifecycle/node_lifecycle_controller.go cancelPodEviction
 */
export function cancelEviction(node: Node, {evictions, zones}: LifecycleContext) {
	evictions.set(node.name, 'unmarked');
	zones.queue(zoneKey(node))?.remove(node.name);
}
