import {ascending} from '../../core/collections/ascending.ts';
import {isReadyNode} from '../../core/model/node.ts';
import {type Pod, podKey} from '../../core/model/pod.ts';
import type {ClusterState} from '../../core/simulation/clusterState.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import {ordinalOf} from '../../core/workloads/statefulSet.ts';
import {type DemoWorkload, makePod, startDuration} from '../encode/workload.ts';
import type {DemoCluster} from './demoCluster.ts';
import {controlPlaneNode} from './initialCluster.ts';

const creationDelay: Duration = 200;
const schedulingRetry: Duration = 5 * second;

/** The controllers that replace deleted pods, and the scheduler and kubelets that start replacements. */
export function workloadControllers({simulation, workloadOf, schedule, putPod, removePod}: DemoCluster) {
	// Serials of Deployments' pods and generations of StatefulSets' pods, above all of the initial cluster.
	let nextNumber = 100_000;

	/** Acts on a pod as it is then, unless it is deleted by then. */
	const later = (dueAt: Instant, pod: Pod, act: (pod: Pod, now: Instant) => void) => {
		const key = podKey(pod);
		schedule(dueAt, (now) => {
			const current = simulation.state.pod(key);
			// The UID distinguishes a pod from a later one of its name.
			if (current?.uid === pod.uid && current.deletionTimestamp === undefined) act(current, now);
		});
	};

	const bind = (pod: Pod, now: Instant) => {
		const nodeName = chooseNode(simulation.state);
		const next = nodeName === undefined ? pod : {...pod, nodeName, scheduledAt: now};
		if (next !== pod) putPod(next);
		awaitNext(next, now);
	};

	const start = (pod: Pod, now: Instant) => {
		// If the node died meanwhile, the pod waits for its kubelet.
		if (simulation.kubelets.isAlive(pod.nodeName))
			putPod({...pod, phase: 'Running', ready: 'True', readySince: now});
	};

	const awaitNext = (pod: Pod, now: Instant) => {
		if (pod.nodeName === '') later(now + schedulingRetry, pod, bind);
		else later(now + startDuration(pod), pod, start);
	};

	const create = (workload: DemoWorkload, serial: number, now: Instant) => {
		const nodeName = chooseNode(simulation.state) ?? '';
		const pod = makePod(workload, serial, nextNumber++, nodeName, now);
		putPod(pod);
		awaitNext(pod, now);
	};

	/** Handles a requested deletion; on a silent node the pod stays Terminating, and `isGone` is false. */
	const podDeleted = (pod: Pod, isGone: boolean, now: Instant) => {
		const workload = workloadOf(pod);
		// A ReplicaSet does not count pods that are being deleted: one that was Terminating is replaced already. A
		// StatefulSet never has two pods of one name.
		const isReplaced =
			workload.kind === 'Deployment' ? !isGone || pod.deletionTimestamp === undefined : isGone;
		if (!isReplaced || !['Deployment', 'StatefulSet'].includes(workload.kind)) return;
		const ordinal = workload.kind === 'StatefulSet' ? ordinalOf(pod.name) : undefined;
		const serial = ordinal ?? nextNumber++;
		schedule(now + creationDelay, (at) => create(workload, serial, at));
	};

	return {
		podDeleted,
		/**
		 * Handles a pod that a kubelet evicted. Its object stays: a ReplicaSet creates another pod at once, a StatefulSet
		 * deletes the object first.
		 *
		 * @upstream kubernetes v1.36.3 pkg/controller/statefulset/stateful_set_control.go processReplica
		 */
		podEvicted(pod: Pod, now: Instant) {
			const {kind} = workloadOf(pod);
			if (kind === 'Deployment') podDeleted(pod, true, now);
			if (kind === 'StatefulSet') later(now + creationDelay, pod, removePod);
		},
	};
}

/** The schedulable node with the fewest pods; undefined if there is none. */
function chooseNode(state: ClusterState): string | undefined {
	const candidates = state
		.nodes()
		.map(({node}) => node)
		.filter(
			(node) =>
				node.name !== controlPlaneNode &&
				!node.unschedulable &&
				isReadyNode(node) &&
				node.taints.every(({effect}) => effect === 'PreferNoSchedule'),
		)
		.map(({name}) => ({name, pods: state.podsOnNode(name).length}));
	return candidates.toSorted(ascending(({pods}) => pods))[0]?.name;
}
