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
export class WorkloadControllers {
	readonly #cluster: DemoCluster;
	// Serials of Deployments' pods and generations of StatefulSets' pods, above all of the initial cluster.
	#nextNumber = 100_000;

	constructor(cluster: DemoCluster) {
		this.#cluster = cluster;
	}

	/** Handles a requested deletion; on a silent node the pod stays Terminating, and `isGone` is false. */
	podDeleted(pod: Pod, isGone: boolean, now: Instant): void {
		const workload = this.#cluster.workloadOf(pod);
		// A ReplicaSet does not count pods that are being deleted; a StatefulSet never has two pods of one name.
		const isReplaced = workload.kind === 'Deployment' ? !isGone || !wasReplaced(pod) : isGone;
		if (!isReplaced || !['Deployment', 'StatefulSet'].includes(workload.kind)) return;
		const ordinal = workload.kind === 'StatefulSet' ? ordinalOf(pod.name) : undefined;
		const serial = ordinal ?? this.#nextNumber++;
		this.#cluster.schedule(now + creationDelay, (at) => this.#create(workload, serial, at));
	}

	/**
	 * Handles a pod that a kubelet evicted. Its object stays: a ReplicaSet creates another pod at once, a StatefulSet
	 * deletes the object first.
	 *
	 * @upstream kubernetes v1.36.3 pkg/controller/statefulset/stateful_set_control.go processReplica
	 */
	podEvicted(pod: Pod, now: Instant): void {
		const {workloadOf, removePod} = this.#cluster;
		const {kind} = workloadOf(pod);
		if (kind === 'Deployment') this.podDeleted(pod, true, now);
		if (kind === 'StatefulSet') this.#later(now + creationDelay, pod, removePod);
	}

	#create(workload: DemoWorkload, serial: number, now: Instant): void {
		const nodeName = chooseNode(this.#cluster.simulation.state) ?? '';
		const pod = makePod(workload, serial, this.#nextNumber++, nodeName, now);
		this.#cluster.putPod(pod);
		this.#awaitNext(pod, now);
	}

	#awaitNext(pod: Pod, now: Instant): void {
		if (pod.nodeName === '') this.#later(now + schedulingRetry, pod, (one, at) => this.#bind(one, at));
		else this.#later(now + startDuration(pod), pod, (one, at) => this.#start(one, at));
	}

	#bind(pod: Pod, now: Instant): void {
		const nodeName = chooseNode(this.#cluster.simulation.state);
		const next = nodeName === undefined ? pod : {...pod, nodeName, scheduledAt: now};
		if (next !== pod) this.#cluster.putPod(next);
		this.#awaitNext(next, now);
	}

	#start(pod: Pod, now: Instant): void {
		const {simulation, putPod} = this.#cluster;
		// If the node died meanwhile, the pod waits for its kubelet.
		if (simulation.kubelets.isAlive(pod.nodeName))
			putPod({...pod, phase: 'Running', ready: 'True', readySince: now});
	}

	/** Acts on a pod as it is then, unless it is deleted by then. */
	#later(dueAt: Instant, pod: Pod, act: (pod: Pod, now: Instant) => void): void {
		const {simulation, schedule} = this.#cluster;
		const key = podKey(pod);
		schedule(dueAt, (now) => {
			const current = simulation.state.pod(key);
			// The UID distinguishes a pod from a later one of its name.
			if (current?.uid === pod.uid && current.deletionTimestamp === undefined) act(current, now);
		});
	}
}

// The pod was Terminating before it was deleted, so its replacement was created then.
const wasReplaced = (pod: Pod) => pod.deletionTimestamp !== undefined;

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
	return candidates.toSorted((a, b) => a.pods - b.pods)[0]?.name;
}
