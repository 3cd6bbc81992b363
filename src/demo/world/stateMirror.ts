import type {Node} from '../../core/model/node.ts';
import type {Pod} from '../../core/model/pod.ts';
import type {ClusterState} from '../../core/simulation/clusterState.ts';
import {type Instant, minute} from '../../core/time/instant.ts';
import {encodeDemoNode} from '../encode/encodeNode.ts';
import {type DemoEviction, encodeDemoPod} from '../encode/encodePod.ts';
import {encodeWorkload, type PodCounts} from '../encode/encodeWorkload.ts';
import type {DemoWorkload} from '../encode/workload.ts';
import type {DemoCluster} from './demoCluster.ts';

const day = 24 * 60 * minute;

/** Copies changes of the simulated cluster into the store. The simulation replaces objects and never edits them. */
export class StateMirror {
	readonly #cluster: DemoCluster;
	readonly #kubeletVersion: string;
	readonly #startedAt: Instant;
	#nodes = new Map<string, Node>();
	#pods = new Map<string, Pod>();
	/** The eviction messages of pods that kubelets evicted, by UID. */
	readonly #evictions = new Map<string, DemoEviction>();
	readonly #counts = new Map<DemoWorkload, PodCounts>();

	constructor(cluster: DemoCluster, kubeletVersion: string, startedAt: Instant) {
		this.#cluster = cluster;
		this.#kubeletVersion = kubeletVersion;
		this.#startedAt = startedAt;
	}

	/** A pod as it was last written; it may have been deleted since. */
	pod(key: string): Pod | undefined {
		return this.#pods.get(key);
	}

	/** Marks a pod as evicted by its kubelet in all later writes. */
	evicted({uid}: Pod, message: string, at: Instant): void {
		this.#evictions.set(uid, {at, message});
	}

	/** Brings the store up to date. */
	sync(): void {
		const {state} = this.#cluster.simulation;
		const changes = state.takeChanges();
		for (const name of [...changes.nodes].toSorted()) this.#syncNode(name, state);
		this.#syncPods([...changes.pods], state);
	}

	#syncNode(name: string, state: ClusterState): void {
		const node = state.node(name)?.node;
		const before = this.#nodes.get(name);
		if (before === node) return;
		if (!node) {
			this.#nodes.delete(name);
			this.#cluster.store.delete('nodes', name);
			return;
		}
		this.#nodes.set(name, node);
		this.#cluster.store.put('nodes', encodeDemoNode(node, this.#kubeletVersion));
	}

	#syncPods(keys: readonly string[], state: ClusterState): void {
		const touched = new Set<DemoWorkload>();
		for (const key of keys) {
			const pod = state.pod(key);
			const before = this.#pods.get(key);
			if (before === pod) continue;
			if (pod) {
				this.#pods.set(key, pod);
				this.#cluster.store.put(
					'pods',
					encodeDemoPod(pod, this.#cluster.workloadOf(pod), this.#evictions.get(pod.uid)),
				);
			} else if (before) {
				this.#pods.delete(key);
				this.#cluster.store.delete('pods', before.name, before.namespace);
			}
			for (const version of [before, pod])
				if (version) this.#count(version, version === pod ? 1 : -1, touched);
		}
		for (const workload of touched) this.#putWorkload(workload);
	}

	/** Maintains a workload's counts, because counting all pods for each change is slow in a large cluster. */
	#count(pod: Pod, change: 1 | -1, touched: Set<DemoWorkload>): void {
		const {deletionTimestamp, ready, phase} = pod;
		const workload = this.#cluster.workloadOf(pod);
		touched.add(workload);
		if (deletionTimestamp !== undefined || phase === 'Failed') return;
		const {total, ready: wereReady} = this.#counts.get(workload) ?? {total: 0, ready: 0};
		this.#counts.set(workload, {
			total: total + change,
			ready: ready === 'True' ? wereReady + change : wereReady,
		});
	}

	#putWorkload(workload: DemoWorkload): void {
		const counts = this.#counts.get(workload) ?? {total: 0, ready: 0};
		const objects = encodeWorkload(workload, counts, this.#startedAt - 5 * day);
		for (const {resource, object} of objects) this.#cluster.store.put(resource, object);
	}
}
