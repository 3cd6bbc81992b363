import {compareValues} from '../collections/compareValues.ts';
import type {ControllerSettings} from '../model/controllerSettings.ts';
import {isReadyNode, type Node} from '../model/node.ts';
import {type Pod, podKey} from '../model/pod.ts';
import {taintOutOfService} from '../model/taint.ts';

/**
 * Whether a node's Terminating pods are deleted by force: it is not ready, and its taint declares it out of service.
 *
 * @quirk the out-of-service taint counts with any effect and value
 * @upstream kubernetes v1.36.3 pkg/controller/podgc/gc_controller.go gcTerminating
 */
export function isOutOfService(node: Node): boolean {
	const isReady = isReadyNode(node);
	return !isReady && node.taints.some(({key}) => key === taintOutOfService);
}

/**
 * Finds garbage among all pods. Finished pods alone are not garbage here: upstream's gcTerminated deletes the oldest
 * above 12,500 (--terminated-pod-gc-threshold), independent of nodes.
 *
 * @quirk a pod that tolerates everything is an orphan like any other
 * @upstream kubernetes v1.36.3 pkg/controller/podgc/gc_controller.go gc
 */
export function findGarbage(
	pods: Iterable<Pod>,
	nodeOf: (name: string) => Node | undefined,
	{nodeOutOfServiceVolumeDetach}: Pick<ControllerSettings, 'nodeOutOfServiceVolumeDetach'>,
) {
	const terminating: Pod[] = [];
	const orphans: Pod[] = [];
	const unscheduled: Pod[] = [];
	for (const pod of pods) {
		const isTerminating = pod.deletionTimestamp !== undefined;
		if (pod.nodeName === '') {
			if (isTerminating) unscheduled.push(pod);
			continue;
		}
		const node = nodeOf(pod.nodeName);
		if (!node) orphans.push(pod);
		else if (nodeOutOfServiceVolumeDetach && isTerminating && isOutOfService(node)) terminating.push(pod);
	}
	return {
		/** Terminating pods of nodes that are out of service, in the order of their removal. */
		terminating: terminating.toSorted(byCreation),
		/** Pods bound to nodes that do not exist. */
		orphans: orphans.toSorted(byKey),
		/** Terminating pods that are not bound to a node. */
		unscheduled: unscheduled.toSorted(byKey),
	};
}

/**
 * Oldest first. Upstream puts Evicted pods before all others, which changes only the order.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/podgc/gc_controller.go byEvictionAndCreationTimestamp
 */
const byCreation = (a: Pod, b: Pod) =>
	a.createdAt - b.createdAt || compareValues(a.name, b.name) || byKey(a, b);

/** Upstream uses the random order of a map; this is one legal order. */
const byKey = (a: Pod, b: Pod) => compareValues(podKey(a), podKey(b));
