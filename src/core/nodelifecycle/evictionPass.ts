import {done, type Next} from '../client/routines.ts';
import {type DeletePodsStep, runDeletePods} from './deleteNodePods.ts';
import type {LifecycleContext} from './lifecycleContext.ts';
import type {TimedValue} from './zones/waitingOrder.ts';

/** The NoExecute pass when nodes are evicted without taints. */
export type EvictionPassStep =
	| {readonly do: 'evictZone'; readonly zone: string}
	| {readonly do: 'nodeEvicted'; readonly zone: string; readonly value: TimedValue}
	| DeletePodsStep;

/**
 * Does one step of the pass that deletes the pods of silent nodes, at the rate of each zone's limiter.
 *
 * @quirk a node that is gone is evicted all the same
 * @upstream kubernetes v1.16.15 pkg/controller/nodelifecycle/node_lifecycle_controller.go doEvictionPass
 */
export function runEvictionPass(step: EvictionPassStep, context: LifecycleContext): Next<EvictionPassStep> {
	switch (step.do) {
		case 'evictZone': {
			const value = context.zones.queue(step.zone)?.tryNext(context.now);
			if (!value) return done;
			const node = value.value;
			context.api.nodeEvicted(node);
			const pods = context.api.podsOnNode(node);
			return {
				type: 'first',
				steps: [
					{do: 'deletePods', node, pods},
					{do: 'nodeEvicted', zone: step.zone, value},
				],
			};
		}
		case 'nodeEvicted':
			context.evictions.set(step.value.value, 'evicted');
			context.zones.queue(step.zone)?.processed(step.value);
			return {type: 'first', steps: [{do: 'evictZone', zone: step.zone}]};
		default:
			return runDeletePods(step, context);
	}
}
