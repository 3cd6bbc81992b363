import {done, first, type Next} from '../client/routines.ts';
import {type NodeCondition, readyCondition} from '../model/node.ts';
import type {Instant} from '../time/instant.ts';
import type {LifecycleContext} from './lifecycleContext.ts';
import {noExecuteFor, swapTaints, type TaintWriteStep} from './taintWrites.ts';
import type {TimedValue} from './zones/waitingOrder.ts';

/** The NoExecute pass: every 100 ms each zone's queue gives its waiting nodes their taint, one per token. */
export type NoExecuteStep =
	| {readonly do: 'tryZone'; readonly zone: string}
	| Readonly<{do: 'tried'; zone: string; value: TimedValue; triedAt: Instant}>;

const retryAfter = 50;

/**
 * Does one step of the pass that adds NoExecute taints, at the rate of each zone's limiter.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/nodelifecycle/node_lifecycle_controller.go doNoExecuteTaintingPass
 */
export function runNoExecute(
	step: NoExecuteStep,
	okBefore: boolean,
	context: LifecycleContext,
): Next<NoExecuteStep | TaintWriteStep> {
	if (step.do === 'tryZone') return tryZone(step, context);
	const queue = context.zones.queue(step.zone);
	if (okBefore) queue?.processed(step.value);
	else queue?.retry(step.value, step.triedAt, 0);
	return first([{do: 'tryZone', zone: step.zone}]);
}

/** @quirk since v1.34 a node whose turn to Unknown the controller's cache does not show yet is taken for ready, and costs a token */
function tryZone(
	step: Extract<NoExecuteStep, {do: 'tryZone'}>,
	{zones, api, now, cacheDelay}: LifecycleContext,
): Next<NoExecuteStep | TaintWriteStep> {
	const queue = zones.queue(step.zone);
	for (let value = queue?.tryNext(now); queue && value; value = queue.tryNext(now)) {
		const node = api.node(value.value)?.node;
		const ready = node && readyCondition(node);
		if (node && !ready) {
			queue.retry(value, now, retryAfter);
		} else if (!node || ready?.status === 'True' || isHidden(ready, now - cacheDelay)) {
			// The node is deleted or ready again; its token is spent anyway.
			queue.processed(value);
		} else {
			const {own, opposite} = noExecuteFor(ready?.status);
			const tried: NoExecuteStep = {do: 'tried', zone: step.zone, value, triedAt: now};
			return first([...swapTaints(node, {add: [{...own, timeAdded: now}], remove: [opposite]}), tried]);
		}
	}
	return done;
}

/** Whether the cache still shows the condition's earlier status. */
const isHidden = (ready: NodeCondition | undefined, shownUntil: Instant) =>
	ready?.status === 'Unknown' && ready.lastTransitionTime > shownUntil;
