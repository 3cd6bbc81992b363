import {call, done, first, type Next} from '../client/routines.ts';
import {type Pod, podKey} from '../model/pod.ts';
import type {LifecycleContext} from './lifecycleContext.ts';

/** The deletion of a node's pods, one after another: each is marked NodeLost, then deleted. */
export type DeletePodsStep =
	| {readonly do: 'deletePods'; readonly node: string; readonly pods: readonly Pod[]}
	| {readonly do: 'markNextPod' | 'nodeLostWritten' | 'evictPod'; readonly pods: readonly Pod[]};

/**
 * Does one step, with the pods as they were when the deletion began.
 *
 * @quirk every pod of an evicted node is told that it is lost, those of DaemonSets and Terminating ones as well
 * @quirk the events of an evicted node are posted again in every pass, as long as it has any pod
 * @upstream kubernetes v1.16.15 pkg/controller/util/node/controller_utils.go DeletePods
 */
export function runDeletePods(step: DeletePodsStep, {api, record}: LifecycleContext): Next<DeletePodsStep> {
	if (step.do === 'deletePods') {
		if (step.pods.length > 0) record({reason: 'DeletingAllPods', about: step.node});
		return markNext(step.pods);
	}
	const [pod, ...rest] = step.pods;
	if (!pod) return done;
	const key = podKey(pod);
	switch (step.do) {
		case 'markNextPod':
			if (pod.isNodeLost) return afterMarking(step.pods, record);
			return call({do: 'nodeLostWritten', pods: step.pods});
		case 'nodeLostWritten':
			api.markNodeLost(key);
			return afterMarking(step.pods, record);
		case 'evictPod':
			api.deletePod(key);
			return markNext(rest);
	}
}

const markNext = (pods: readonly Pod[]): Next<DeletePodsStep> =>
	pods.length === 0 ? done : first([{do: 'markNextPod', pods}]);

function afterMarking(pods: readonly Pod[], record: LifecycleContext['record']): Next<DeletePodsStep> {
	const [pod, ...rest] = pods;
	if (!pod || !isDeletedWithNode(pod)) return markNext(rest);
	record({reason: 'NodeControllerEviction', about: podKey(pod)});
	return call({do: 'evictPod', pods});
}

/** Whether the eviction of its node deletes a pod; Terminating pods and those of DaemonSets are skipped. */
const isDeletedWithNode = (pod: Pod) => pod.deletionTimestamp === undefined && !belongsToDaemonSet(pod);

/**
 * Whether a pod counts as one of a DaemonSet. Upstream asks whether any DaemonSet of the namespace selects the pod's
 * labels, which its owner does; a pod without labels belongs to none.
 *
 * @quirk a pod without labels goes with its node, also where a DaemonSet owns it
 * @upstream kubernetes v1.16.15 staging/src/k8s.io/client-go/listers/apps/v1/daemonset_expansion.go GetPodDaemonSets
 */
export const belongsToDaemonSet = ({owner, labels}: Pod): boolean =>
	owner?.kind === 'DaemonSet' && Object.keys(labels).length > 0;
