import {ApiClient} from '../client/apiClient.ts';
import type {ClusterApi, PostedEvent} from '../client/clusterApi.ts';
import {EventRecorder} from '../client/eventRecorder.ts';
import {done, type Next, Routines} from '../client/routines.ts';
import type {ControllerSettings} from '../model/controllerSettings.ts';
import type {Node} from '../model/node.ts';
import {type Pod, podKey} from '../model/pod.ts';
import type {Taint} from '../model/taint.ts';
import {isSameTolerations} from '../model/toleration.ts';
import type {Duration, Instant} from '../time/instant.ts';
import {type PodDeletionStep, runPodDeletion} from './podDeletion.ts';
import {TimedWorkerQueue} from './timedWorkerQueue.ts';
import {matchingTolerations, minTolerationTime} from './tolerations.ts';

/** What wakes the controller: a pod's timer, a waiting deletion, or its event recorder. */
export type EvictionWake =
	| {readonly type: 'timer' | 'routine'; readonly id: number}
	| {readonly type: 'postEvent'};

type EvictionPorts = {
	readonly api: ClusterApi;
	readonly wakeAt: (at: Instant, wake: EvictionWake) => void;
};

type TaintEvictionStep = PodDeletionStep | {readonly do: 'finish'; readonly pod: string};

/**
 * Deletes the pods that do not tolerate their node's NoExecute taints, each when its toleration ends.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/tainteviction/taint_eviction.go Controller
 */
export class TaintEvictionController {
	readonly #settings: ControllerSettings;
	readonly #callDuration: Duration;
	readonly #ports: EvictionPorts;
	#client: ApiClient;
	#routines = new Routines<TaintEvictionStep>();
	#recorder = new EventRecorder();
	#queue: TimedWorkerQueue;
	/** The NoExecute taints of each node that has any. */
	#taintedNodes = new Map<string, readonly Taint[]>();

	constructor(settings: ControllerSettings, callDuration: Duration, ports: EvictionPorts) {
		this.#settings = settings;
		this.#callDuration = callDuration;
		this.#ports = ports;
		this.#client = new ApiClient(settings.kubeApiQps, settings.kubeApiBurst, callDuration);
		this.#queue = new TimedWorkerQueue(settings.keepsFinishedWork);
	}

	/**
	 * Processes all nodes, then all pods. The timers of a fresh process start now, whenever the taints were added.
	 *
	 * @quirk a pod that is not tolerated is deleted twice at a start, once for its node and once for itself
	 */
	start(now: Instant) {
		for (const {node} of this.#ports.api.nodes()) this.nodeChanged(undefined, node, now);
		for (const node of this.#taintedNodes.keys()) {
			for (const pod of this.#ports.api.podsOnNode(node)) this.podChanged(undefined, pod, now);
		}
	}

	/**
	 * Handles a node that appeared or changed: if its NoExecute taints differ, all its pods are processed again.
	 *
	 * @upstream kubernetes v1.36.3 pkg/controller/tainteviction/taint_eviction.go handleNodeUpdate
	 */
	nodeChanged(before: Node | undefined, node: Node, now: Instant) {
		const taints = noExecuteTaints(node);
		if (before && isSame(noExecuteTaints(before), taints)) return;
		if (taints.length === 0) this.#taintedNodes.delete(node.name);
		else this.#taintedNodes.set(node.name, taints);
		for (const pod of this.#ports.api.podsOnNode(node.name)) {
			if (taints.length === 0) this.#cancel(podKey(pod), now);
			else this.#processPodOnNode(pod, taints, now);
		}
	}

	/**
	 * @quirk the timers of a deleted node's pods run on
	 */
	nodeDeleted(name: string) {
		this.#taintedNodes.delete(name);
	}

	/**
	 * Handles a pod that appeared, was bound, or has other tolerations.
	 *
	 * @upstream kubernetes v1.36.3 pkg/controller/tainteviction/taint_eviction.go handlePodUpdate
	 */
	podChanged(before: Pod | undefined, pod: Pod, now: Instant) {
		if (before && before.nodeName === pod.nodeName && isSameTolerations(before.tolerations, pod.tolerations))
			return;
		const taints = this.#taintedNodes.get(pod.nodeName);
		if (taints) this.#processPodOnNode(pod, taints, now);
	}

	podDeleted(key: string, now: Instant) {
		this.#cancel(key, now);
	}

	wake(wake: EvictionWake, now: Instant) {
		switch (wake.type) {
			case 'timer': {
				const pod = this.#queue.fire(wake.id);
				if (pod !== undefined) this.#deletePod(pod, now);
				break;
			}
			case 'routine':
				this.#routines.wake(wake.id, this.#routineContext(now));
				break;
			case 'postEvent':
				this.#recorder.postFor(this.#ports, this.#client, now);
				break;
		}
	}

	fork(ports: EvictionPorts): TaintEvictionController {
		const copy = new TaintEvictionController(this.#settings, this.#callDuration, ports);
		copy.#client = this.#client.fork();
		copy.#routines = this.#routines.fork();
		copy.#recorder = this.#recorder.fork();
		copy.#queue = this.#queue.fork();
		copy.#taintedNodes = new Map(this.#taintedNodes);
		return copy;
	}

	/**
	 * @quirk a scheduled eviction keeps its time for any later toleration with a limit, be it shorter or longer
	 * @quirk a pod that is Terminating gets a timer and a second delete like any other
	 * @upstream kubernetes v1.36.3 pkg/controller/tainteviction/taint_eviction.go processPodOnNode
	 */
	#processPodOnNode(pod: Pod, taints: readonly Taint[], now: Instant) {
		const key = podKey(pod);
		const used = matchingTolerations(taints, pod.tolerations, this.#settings.comparisonOperators);
		if (!used) {
			this.#cancel(key, now);
			this.#addWork(key, now, now, now);
			return;
		}
		const tolerated = minTolerationTime(used);
		if (tolerated === undefined) {
			this.#cancel(key, now);
			return;
		}
		const scheduled = this.#queue.worker(key);
		if (scheduled && scheduled.createdAt < now) return;
		if (scheduled) this.#cancel(key, now);
		this.#addWork(key, scheduled?.createdAt ?? now, now + tolerated, now);
	}

	#addWork(key: string, createdAt: Instant, fireAt: Instant, now: Instant) {
		const worker = this.#queue.addWork(key, createdAt, fireAt);
		if (worker === 'inFlight') this.#deletePod(key, now);
		else if (worker) this.#ports.wakeAt(worker.fireAt, {type: 'timer', id: worker.id});
	}

	#cancel(key: string, now: Instant) {
		if (this.#queue.cancelWork(key)) this.#record({reason: 'CancellingDeletion', about: key}, now);
	}

	#deletePod(pod: string, now: Instant) {
		this.#record({reason: 'MarkingForDeletion', about: pod}, now);
		this.#routines.start(
			[
				{do: 'deletePod', pod, attempt: 1},
				{do: 'finish', pod},
			],
			'timed',
			this.#routineContext(now),
		);
	}

	#routineContext(now: Instant) {
		return {
			now,
			client: this.#client,
			run: (step: TaintEvictionStep, ok: boolean): Next<TaintEvictionStep> => {
				if (step.do !== 'finish') return runPodDeletion(step, this.#ports.api, this.#settings);
				this.#queue.finished(step.pod, ok);
				return done;
			},
			wakeRoutineAt: (at: Instant, id: number) => this.#ports.wakeAt(at, {type: 'routine', id}),
		};
	}

	#record(event: PostedEvent, now: Instant) {
		this.#recorder.recordFor(this.#ports, event, this.#client, now);
	}
}

/**
 * @upstream kubernetes v1.36.3 pkg/controller/tainteviction/taint_eviction.go getNoExecuteTaints
 */
export function noExecuteTaints({taints}: Node): readonly Taint[] {
	return taints.filter(({effect}) => effect === 'NoExecute');
}

function isSame(before: readonly Taint[], after: readonly Taint[]) {
	return (
		before.length === after.length &&
		before.every((taint, index) => {
			const other = after[index];
			return other?.key === taint.key && other.value === taint.value && other.timeAdded === taint.timeAdded;
		})
	);
}
