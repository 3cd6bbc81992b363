import {isReadyNode} from '../../core/model/node.ts';
import {type Pod, podKey} from '../../core/model/pod.ts';
import type {ClusterState} from '../../core/simulation/clusterState.ts';
import type {Simulation} from '../../core/simulation/simulation.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import {type DemoWorkload, makePod, startDuration} from '../encode/workload.ts';
import {controlPlaneNode} from './initialCluster.ts';

/** What happens to a pod or its replacement after a deletion. */
export type PodEvent =
	| {readonly type: 'create'; readonly workload: DemoWorkload; readonly serial: number}
	/** The UID distinguishes a pod from a later one of its name. */
	| {readonly type: 'schedule' | 'started' | 'remove'; readonly key: string; readonly uid: string};

type WorkloadPorts = {
	readonly simulation: Simulation;
	readonly workloadOf: (pod: Pod) => DemoWorkload;
	readonly schedule: (dueAt: Instant, event: PodEvent) => void;
	readonly putPod: (pod: Pod) => void;
	readonly removePod: (pod: Pod) => void;
};

const creationDelay: Duration = 200;
const schedulingRetry: Duration = 5 * second;

/** The controllers that replace deleted pods, and the scheduler and kubelets that start replacements. */
export class WorkloadControllers {
	readonly #ports: WorkloadPorts;
	// Serials of Deployments' pods and generations of StatefulSets' pods, above all of the initial cluster.
	#nextNumber = 100_000;

	constructor(ports: WorkloadPorts) {
		this.#ports = ports;
	}

	/** Handles a requested deletion; on a silent node the pod stays Terminating, and `isGone` is false. */
	podDeleted(pod: Pod, isGone: boolean, now: Instant): void {
		const workload = this.#ports.workloadOf(pod);
		// A ReplicaSet does not count pods that are being deleted; a StatefulSet never has two pods of one name.
		const isReplaced = workload.kind === 'Deployment' ? !isGone || !wasReplaced(pod) : isGone;
		if (!isReplaced || !['Deployment', 'StatefulSet'].includes(workload.kind)) return;
		const serial = workload.kind === 'StatefulSet' ? ordinalOf(pod) : this.#nextNumber++;
		this.#ports.schedule(now + creationDelay, {type: 'create', workload, serial});
	}

	/**
	 * Handles a pod that a kubelet evicted. Its object stays: a ReplicaSet creates another pod at once, a StatefulSet
	 * deletes the object first.
	 *
	 * @upstream kubernetes v1.36.3 pkg/controller/statefulset/stateful_set_control.go processReplica
	 */
	podEvicted(pod: Pod, now: Instant): void {
		const {kind} = this.#ports.workloadOf(pod);
		if (kind === 'Deployment') this.podDeleted(pod, true, now);
		if (kind === 'StatefulSet')
			this.#ports.schedule(now + creationDelay, {type: 'remove', key: podKey(pod), uid: pod.uid});
	}

	handle(event: PodEvent, now: Instant): void {
		const {simulation, putPod, removePod} = this.#ports;
		if (event.type === 'create') {
			const nodeName = chooseNode(simulation.state) ?? '';
			const {pod} = makePod(event.workload, event.serial, this.#nextNumber++, nodeName, now);
			putPod(pod);
			this.#awaitNext(pod, now);
			return;
		}
		const pod = simulation.state.pod(event.key);
		if (pod?.uid !== event.uid || pod.deletionTimestamp !== undefined) return;
		if (event.type === 'remove') {
			removePod(pod);
			return;
		}
		if (event.type === 'started') {
			// If the node died meanwhile, the pod waits for its kubelet.
			if (simulation.kubelets.isAlive(pod.nodeName))
				putPod({...pod, phase: 'Running', ready: 'True', readySince: now});
			return;
		}
		const nodeName = chooseNode(simulation.state);
		const next = nodeName === undefined ? pod : {...pod, nodeName, scheduledAt: now};
		if (next !== pod) putPod(next);
		this.#awaitNext(next, now);
	}

	#awaitNext(pod: Pod, now: Instant): void {
		const [key, uid] = [podKey(pod), pod.uid];
		const isBound = pod.nodeName !== '';
		const delay = isBound ? startDuration(pod) : schedulingRetry;
		this.#ports.schedule(now + delay, {type: isBound ? 'started' : 'schedule', key, uid});
	}
}

// The pod was Terminating before it was deleted, so its replacement was created then.
const wasReplaced = (pod: Pod) => pod.deletionTimestamp !== undefined;

const ordinalOf = ({name}: Pod) => Number(name.slice(name.lastIndexOf('-') + 1));

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
