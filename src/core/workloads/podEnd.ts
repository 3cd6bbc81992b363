import {type Node, readyCondition} from '../model/node.ts';
import {isPodTerminal, type Pod} from '../model/pod.ts';

/** The API server sets it where a pod's spec has none, in seconds. */
export const defaultGracePeriod = 30;

type DeletedPod = Pick<Pod, 'nodeName' | 'phase' | 'gracePeriodSeconds'>;

/**
 * How long a pod may take to end if it is deleted, in seconds. With none its object goes with the request, and no kubelet
 * is waited for.
 *
 * @quirk a negative period is a second
 * @upstream kubernetes v1.36.3 pkg/registry/core/pod/strategy.go CheckGracefulDelete
 */
export function gracePeriodOf(pod: DeletedPod): number {
	const {nodeName, gracePeriodSeconds = defaultGracePeriod} = pod;
	if (nodeName === '' || isPodTerminal(pod)) return 0;
	return gracePeriodSeconds < 0 ? 1 : gracePeriodSeconds;
}

/**
 * Parts of the messages of a Ready condition with which a kubelet tells that it does not synchronize pods, whatever its
 * lease says: it starts none and ends none. A network that is not ready is none of them.
 *
 * @upstream kubernetes v1.36.3 pkg/kubelet/runtime.go runtimeErrors
 * @upstream kubernetes v1.36.3 pkg/kubelet/kubelet.go syncLoop
 */
export const runtimeFailures: readonly string[] = [
	'container runtime is down',
	'PLEG is not healthy',
	'container runtime not ready',
	'container runtime status check may not have completed yet',
];

/** The failure with which a node's kubelet tells that it ends no pods; undefined if there is none. */
export function runtimeFailure(node: Node): string | undefined {
	const ready = readyCondition(node);
	const message = ready?.status === 'False' ? ready.message : undefined;
	return runtimeFailures.find((failure) => failure === message);
}

/** What decides how pods end on a node. */
export type EndingNode = {
	/** Whether its kubelet gives no sign of life. */
	readonly isSilent: boolean;
	/** Whether it is not ready, and its taint declares it out of service. */
	readonly isOutOfService: boolean;
	/** Why its kubelet ends no pods, though it is alive; absent if it does. */
	readonly failure?: string | undefined;
};

/** What removes the object of a deleted pod. */
export type PodEnd = {
	/**
	 * Request: it goes with the request to delete it. Kubelet: within its grace period. Mirror: its kubelet replaces the object
	 * of a static pod, which runs on. OutOfService, NodeGone: pod garbage collection deletes it by force. Nobody: its kubelet is
	 * silent, or ends no pods.
	 */
	readonly by: 'Request' | 'Kubelet' | 'Mirror' | 'OutOfService' | 'NodeGone' | 'Nobody';
	/** With which its kubelet tells that it ends no pods, where nobody else does. */
	readonly failure?: string;
	/** Whose removal its object waits for after that. */
	readonly finalizers: readonly string[];
};

/** The Job controller removes its own finalizer of a pod that it has counted. */
export const jobTracking = 'batch.kubernetes.io/job-tracking';

const none: readonly string[] = [];

type EndingPod = DeletedPod &
	Pick<Pod, 'deletionTimestamp' | 'deletionGracePeriodSeconds' | 'finalizers'> & {
		readonly isMirror?: boolean;
	};

/**
 * What removes a pod's object, once its deletion is requested.
 *
 * @param node undefined if it is gone
 * @upstream kubernetes v1.36.3 pkg/kubelet/kubelet.go tryReconcileMirrorPods
 */
export function endOf(pod: EndingPod, node: EndingNode | undefined): PodEnd {
	const isDeleted = pod.deletionTimestamp !== undefined;
	const grace = isDeleted ? pod.deletionGracePeriodSeconds : gracePeriodOf(pod);
	// What is there although its pod has ended, and is deleted, is held by it.
	const isHeld = isDeleted && (grace === 0 || isPodTerminal(pod));
	const {finalizers: all = none} = pod;
	const finalizers = isHeld ? all : all.filter((finalizer) => finalizer !== jobTracking);
	if (grace === 0) return {by: 'Request', finalizers};
	if (!node) return {by: 'NodeGone', finalizers};
	if (node.isOutOfService) return {by: 'OutOfService', finalizers};
	if (node.isSilent) return {by: 'Nobody', finalizers};
	const {failure} = node;
	if (failure !== undefined) return {by: 'Nobody', failure, finalizers};
	return {by: pod.isMirror ? 'Mirror' : 'Kubelet', finalizers};
}
