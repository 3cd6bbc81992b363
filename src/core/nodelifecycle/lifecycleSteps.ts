import {done, first, type Next} from '../client/routines.ts';
import {type DeletePodsStep, runDeletePods} from './deleteNodePods.ts';
import type {LifecycleContext} from './lifecycleContext.ts';
import {type NodeCheckStep, runNodeCheck} from './nodeCheck.ts';
import {type NodeProcessingStep, runNodeProcessing} from './nodeProcessing.ts';
import {type NoExecuteStep, runNoExecute} from './noExecutePass.ts';
import {type PassContext, type PassStep, runPass} from './passSteps.ts';
import {type PodReadinessStep, runPodReadiness} from './podReadiness.ts';
import {leaveQueue, type ReachableStep} from './reachable.ts';
import {runTaintWrite, type TaintWriteStep} from './taintWrites.ts';
import type {TimedValue} from './zones/waitingOrder.ts';

/** Every step that a goroutine of the controller can take. */
export type LifecycleStep =
	| {readonly do: 'endNoExecutePass'}
	| {readonly do: 'nodeProcessed'; readonly node: string}
	| {readonly do: 'podProcessed'; readonly pod: string}
	| PassStep
	| TaintWriteStep
	| ReachableStep
	| PodReadinessStep
	| NodeCheckStep
	| NodeProcessingStep
	| NoExecuteStep
	| EvictionPassStep;

export type StepContext = PassContext & {
	readonly endNoExecutePass: () => void;
	readonly nodeProcessed: (node: string) => void;
	readonly podProcessed: (pod: string) => void;
};

/** Does one step; `okBefore` is whether the step before it succeeded. */
export function runStep(step: LifecycleStep, okBefore: boolean, context: StepContext): Next<LifecycleStep> {
	switch (step.do) {
		case 'addTaints':
		case 'removeTaints':
		case 'readNode':
		case 'patchTaints':
			return runTaintWrite(step, okBefore, context);
		case 'leaveQueue':
			return leaveQueue(step, okBefore, context);
		case 'markPodsNotReady':
		case 'writePodNotReady':
		case 'processPod':
			return runPodReadiness(step, context);
		case 'checkHealth':
		case 'readLease':
		case 'confirmSilence':
		case 'sendHealth':
		case 'writeHealth':
		case 'rereadNode':
		case 'waitForLock':
			return runNodeCheck(step, context);
		case 'taintNoSchedule':
		case 'reconcileLabels':
		case 'readForLabels':
		case 'patchLabels':
			return runNodeProcessing(step, context);
		case 'tryZone':
		case 'tried':
			return runNoExecute(step, okBefore, context);
		case 'evictZone':
		case 'nodeEvicted':
		case 'deletePods':
		case 'markNextPod':
		case 'nodeLostWritten':
		case 'evictPod':
			return runEvictionPass(step, context);
		case 'endNoExecutePass':
			context.endNoExecutePass();
			return done;
		case 'nodeProcessed':
			context.nodeProcessed(step.node);
			return done;
		case 'podProcessed':
			context.podProcessed(step.pod);
			return done;
		default:
			return runPass(step, context);
	}
}

/** The NoExecute pass when nodes are evicted without taints. */
type EvictionPassStep =
	| {readonly do: 'evictZone'; readonly zone: string}
	| {readonly do: 'nodeEvicted'; readonly zone: string; readonly value: TimedValue}
	| DeletePodsStep;

/**
 * Does one step of the pass that deletes the pods of silent nodes, at the rate of each zone's limiter.
 *
 * @quirk a node that is gone is evicted all the same
 * @upstream kubernetes v1.16.15 pkg/controller/nodelifecycle/node_lifecycle_controller.go doEvictionPass
 */
function runEvictionPass(step: EvictionPassStep, context: LifecycleContext): Next<EvictionPassStep> {
	switch (step.do) {
		case 'evictZone': {
			const value = context.zones.queue(step.zone)?.tryNext(context.now);
			if (!value) return done;
			const node = value.value;
			context.api.nodeEvicted(node);
			const pods = context.api.podsOnNode(node);
			return first([
				{do: 'deletePods', node, pods},
				{do: 'nodeEvicted', zone: step.zone, value},
			]);
		}
		case 'nodeEvicted':
			context.evictions.set(step.value.value, 'evicted');
			context.zones.queue(step.zone)?.processed(step.value);
			return first([{do: 'evictZone', zone: step.zone}]);
		default:
			return runDeletePods(step, context);
	}
}
