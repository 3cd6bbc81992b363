import {compareValues} from '../../../src/core/collections/compareValues.ts';
import type {ControllerSettings} from '../../../src/core/model/controllerSettings.ts';
import type {Node} from '../../../src/core/model/node.ts';
import {type Pod, podKey} from '../../../src/core/model/pod.ts';
import {isOutOfService} from '../../../src/core/podgc/garbage.ts';

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
