import type {FieldWrite} from '../core/model/fieldWrite.ts';
import type {Node} from '../core/model/node.ts';
import type {Pod} from '../core/model/pod.ts';
import type {ClusterState} from '../core/simulation/clusterState.ts';
import {type Instant, minute} from '../core/time/instant.ts';
import {encodeNode} from './encodeNode.ts';
import {encodeWorkload} from './encodeWorkload.ts';
import type {ObjectStore} from './objectStore.ts';
import {encodeDemoPod, type Workload} from './workload.ts';

const day = 24 * 60 * minute;

/** Writes what changed in the simulated cluster into the store. The simulation replaces objects and edits none. */
export class StateMirror {
	readonly #store: ObjectStore;
	readonly #workloadOf: (pod: Pod) => Workload;
	readonly #kubeletVersion: string;
	readonly #startedAt: Instant;
	#nodes = new Map<string, Node>();
	#pods = new Map<string, Pod>();
	#taintWrites = new Map<string, readonly FieldWrite[]>();

	constructor(
		store: ObjectStore,
		workloadOf: (pod: Pod) => Workload,
		kubeletVersion: string,
		startedAt: Instant,
	) {
		this.#store = store;
		this.#workloadOf = workloadOf;
		this.#kubeletVersion = kubeletVersion;
		this.#startedAt = startedAt;
	}

	/** A pod as it was last written; it may have gone since. */
	pod(key: string): Pod | undefined {
		return this.#pods.get(key);
	}

	/** Brings the store up to date at an instant. */
	sync(state: ClusterState, now: Instant): void {
		this.#syncNodes(state, now);
		this.#syncPods(state);
	}

	#syncNodes(state: ClusterState, now: Instant): void {
		for (const {node} of state.nodes()) {
			const before = this.#nodes.get(node.name);
			if (before === node) continue;
			// Whoever the writer was, only the node lifecycle controller changes taints here.
			if (before && before.taints !== node.taints) {
				const write = {manager: 'kube-controller-manager', operation: 'Update', time: now};
				this.#taintWrites.set(node.name, [write]);
			}
			const taintWrites = this.#taintWrites.get(node.name);
			const written = taintWrites ? {...node, taintWrites} : node;
			this.#nodes.set(node.name, node);
			this.#store.put('nodes', encodeNode(written, {kubeletVersion: this.#kubeletVersion}));
		}
		for (const name of this.#nodes.keys()) {
			if (state.node(name)) continue;
			this.#nodes.delete(name);
			this.#store.delete('nodes', name);
		}
	}

	#syncPods(state: ClusterState): void {
		const touched = new Set<Workload>();
		for (const [key, pod] of state.pods) {
			if (this.#pods.get(key) === pod) continue;
			this.#pods.set(key, pod);
			this.#store.put('pods', encodeDemoPod(pod, this.#workloadOf(pod)));
			touched.add(this.#workloadOf(pod));
		}
		if (this.#pods.size > state.pods.size) {
			for (const [key, pod] of this.#pods) {
				if (state.pod(key)) continue;
				this.#pods.delete(key);
				this.#store.delete('pods', pod.name, pod.namespace);
				touched.add(this.#workloadOf(pod));
			}
		}
		for (const workload of touched) this.#putWorkload(workload, state);
	}

	#putWorkload(workload: Workload, state: ClusterState): void {
		const pods = [...state.pods.values()].filter(
			(pod) => pod.deletionTimestamp === undefined && this.#workloadOf(pod) === workload,
		);
		const counts = {total: pods.length, ready: pods.filter(({ready}) => ready === 'True').length};
		const objects = encodeWorkload(workload, counts, this.#startedAt - 5 * day);
		for (const {resource, object} of objects) this.#store.put(resource, object);
	}
}
