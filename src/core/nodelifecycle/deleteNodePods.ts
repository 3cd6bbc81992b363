import {done, type Next} from '../client/routines.ts';
import {type Pod, podKey} from '../model/pod.ts';
import type {LifecycleContext} from './lifecycleContext.ts';

/** The deletion of a node's pods, one after another: each is told that its node is lost, then deleted. */
export type DeletePodsStep =
	| {readonly do: 'deletePods'; readonly node: string; readonly pods: readonly Pod[]}
	| {readonly do: 'tellNextPod' | 'nodeLostWritten' | 'evictPod'; readonly pods: readonly Pod[]};

/**
 * Does one step of it, with the pods as they were known when it began.
 *
 * @quirk every pod of an evicted node is told that it is lost, those of DaemonSets and Terminating ones as well
 * @quirk the events of an evicted node are posted again in every pass, as long as it has any pod
 * @upstream kubernetes v1.16.15 pkg/controller/util/node/controller_utils.go DeletePods
 */
export function runDeletePods(
	step: DeletePodsStep,
	{api, record}: Pick<LifecycleContext, 'api' | 'record'>,
): Next<DeletePodsStep> {
	if (step.do === 'deletePods') {
		if (step.pods.length > 0) record({reason: 'DeletingAllPods', about: step.node});
		return tellNext(step.pods);
	}
	const [pod, ...rest] = step.pods;
	if (!pod) return done;
	const key = podKey(pod);
	switch (step.do) {
		case 'tellNextPod':
			if (pod.isNodeLost) return afterTelling(step.pods, record);
			return {type: 'call', next: {do: 'nodeLostWritten', pods: step.pods}};
		case 'nodeLostWritten':
			api.markNodeLost(key);
			return afterTelling(step.pods, record);
		case 'evictPod':
			api.evictPod(key);
			return tellNext(rest);
	}
}

const tellNext = (pods: readonly Pod[]): Next<DeletePodsStep> =>
	pods.length === 0 ? done : {type: 'first', steps: [{do: 'tellNextPod', pods}]};

function afterTelling(pods: readonly Pod[], record: LifecycleContext['record']): Next<DeletePodsStep> {
	const [pod, ...rest] = pods;
	if (!pod || !goesWithItsNode(pod)) return tellNext(rest);
	record({reason: 'NodeControllerEviction', about: podKey(pod)});
	return {type: 'call', next: {do: 'evictPod', pods}};
}

/** Whether the eviction of its node deletes a pod: one that is Terminating is left alone, and one of a DaemonSet. */
const goesWithItsNode = (pod: Pod): boolean =>
	pod.deletionTimestamp === undefined && !belongsToDaemonSet(pod);

/**
 * Whether a pod counts for a DaemonSet's. Upstream asks whether any DaemonSet of its namespace selects its labels,
 * which its owner does; a pod without labels belongs to none.
 *
 * @quirk a pod without labels goes with its node, also where a DaemonSet owns it
 * @upstream kubernetes v1.16.15 staging/src/k8s.io/client-go/listers/apps/v1/daemonset_expansion.go GetPodDaemonSets
 */
export const belongsToDaemonSet = ({owner, labels}: Pod): boolean =>
	owner?.kind === 'DaemonSet' && Object.keys(labels).length > 0;
