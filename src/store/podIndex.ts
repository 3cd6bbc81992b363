import {kept} from '../core/collections/kept.ts';
import type {Pod} from '../core/model/pod.ts';

const noPods: ReadonlyMap<string, Pod> = new Map();
const noList: readonly Pod[] = [];

export class PodIndex {
	#pods = new Map<string, Pod>();
	#byNode = new Map<string, Map<string, Pod>>();
	/** Cached lists of each node's pods, dropped when a pod of the node changes. */
	readonly #lists = new Map<string, readonly Pod[]>();

	get size(): number {
		return this.#pods.size;
	}

	get(key: string): Pod | undefined {
		return this.#pods.get(key);
	}

	/** All pods by key; it changes with this index. */
	get all(): ReadonlyMap<string, Pod> {
		return this.#pods;
	}

	values(): Iterable<Pod> {
		return this.#pods.values();
	}

	/** The names of the nodes that have pods; the empty name for unscheduled pods. */
	nodes(): Iterable<string> {
		return this.#byNode.keys();
	}

	/** The pods of a node; the same array until one of them changes. */
	onNode(name: string): readonly Pod[] {
		const known = this.#lists.get(name);
		if (known) return known;
		const pods = this.#byNode.get(name);
		if (!pods) return noList;
		const list = [...pods.values()];
		this.#lists.set(name, list);
		return list;
	}

	mapOfNode(name: string): ReadonlyMap<string, Pod> {
		return this.#byNode.get(name) ?? noPods;
	}

	/** Adds or replaces a pod. */
	set(key: string, pod: Pod) {
		const before = this.#pods.get(key);
		this.#pods.set(key, pod);
		if (before && before.nodeName !== pod.nodeName) this.#unbind(key, before.nodeName);
		this.#lists.delete(pod.nodeName);
		kept(this.#byNode, pod.nodeName, () => new Map<string, Pod>()).set(key, pod);
	}

	delete(key: string) {
		const pod = this.#pods.get(key);
		if (pod) this.#unbind(key, pod.nodeName);
		this.#pods.delete(key);
	}

	#unbind(key: string, node: string) {
		this.#lists.delete(node);
		const onNode = this.#byNode.get(node);
		onNode?.delete(key);
		// Node names may be new forever (autoscaling): entries of gone nodes must not pile up.
		if (onNode?.size === 0) this.#byNode.delete(node);
	}
}
