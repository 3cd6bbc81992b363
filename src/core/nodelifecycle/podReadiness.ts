import {call, done, first, type Next} from '../client/routines.ts';
import {type Pod, podKey} from '../model/pod.ts';
import type {DeletePodsStep} from './deleteNodePods.ts';
import {evictByTimeout} from './evictionByTimeout.ts';
import type {LifecycleContext} from './lifecycleContext.ts';

/** Marks the pods of a node not ready, one after another, which removes them from their endpoints. */
export type PodReadinessStep =
	| {
			readonly do: 'markPodsNotReady' | 'writePodNotReady';
			readonly pods: readonly Pod[];
			readonly next: number;
	  }
	| {readonly do: 'processPod'; readonly pod: string};

/**
 * Does one step of marking pods not ready: a write and an event for each pod with a Ready condition other than False.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/util/node/controller_utils.go MarkPodsNotReady
 */
export function runPodReadiness(
	step: PodReadinessStep,
	context: LifecycleContext,
): Next<PodReadinessStep | DeletePodsStep> {
	switch (step.do) {
		case 'markPodsNotReady':
			return markNext(step.pods, step.next, context);
		case 'writePodNotReady': {
			const pod = step.pods[step.next];
			const about = pod && podKey(pod);
			if (about !== undefined && context.api.writePodReady(about, 'False') !== 'notFound') {
				if (context.settings.reportsPodsNotReady) context.record({reason: 'NodeNotReady', about});
			}
			return markNext(step.pods, step.next + 1, context);
		}
		case 'processPod':
			return processPod(step.pod, context);
	}
}

function markNext(
	pods: readonly Pod[],
	from: number,
	{podMarksTakeTime}: LifecycleContext,
): Next<PodReadinessStep> {
	for (let next = from; next < pods.length; next += 1) {
		const ready = pods[next]?.ready;
		if (ready === undefined || ready === 'False') continue;
		const write = {do: 'writePodNotReady', pods, next} as const;
		return podMarksTakeTime ? call(write) : first([write]);
	}
	return done;
}

/**
 * Handles a pod that is bound to a node known as not ready: it is marked like the others, and deleted like them if
 * nodes are evicted without taints.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/nodelifecycle/node_lifecycle_controller.go processPod
 */
function processPod(key: string, context: LifecycleContext): Next<PodReadinessStep | DeletePodsStep> {
	const {api, health, settings} = context;
	const pod = api.pod(key);
	const ready = pod && health.get(pod.nodeName)?.ready;
	const node = pod && api.node(pod.nodeName)?.node;
	if (!pod || !ready || !node) return done;
	const deletions = settings.taintBasedEvictions
		? []
		: evictByTimeout(node, ready.status, () => [pod], context);
	if (ready.status === 'True') return done;
	return first([...deletions, {do: 'markPodsNotReady', pods: [pod], next: 0}]);
}
