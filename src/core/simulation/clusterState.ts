import type {VersionedNode} from '../client/clusterApi.ts';
import {firstIndex} from '../collections/firstIndex.ts';
import {kept} from '../collections/kept.ts';
import type {Node} from '../model/node.ts';
import {type Pod, podKey} from '../model/pod.ts';
import {zoneKey} from '../model/zone.ts';
import type {ZoneCount} from '../nodelifecycle/zones/zoneState.ts';
import type {Instant} from '../time/instant.ts';
import {SharedMap} from './sharedMap.ts';

/** All pods by key, and those of a node. */
type GivenPods = {
	readonly all: ReadonlyMap<string, Pod>;
	readonly mapOfNode: (node: string) => ReadonlyMap<string, Pod>;
};

/** The objects of a simulated cluster. Values are immutable and only replaced. */
export class ClusterState {
	#nodes = new Map<string, VersionedNode>();
	#pods = new SharedMap<string, Pod>();
	/** The sorted keys of each node's pods, where these are not as at the beginning. */
	#podsByNode = new SharedMap<string, readonly string[]>();
	/** The sorted keys of the pods that a node had at the beginning. */
	#givenOnNode: (node: string) => readonly string[] = () => [];
	#leases = new Map<string, Instant>();
	#touchedLeases = new Map<string, Instant>();
	#otherNodes: ReadonlyMap<string, ZoneCount> = new Map();
	/** The sorted node names; computed when needed. */
	#names: readonly string[] | undefined;

	/** The keys of changed objects; undefined until `takeChanges` is first called. */
	#changed: {readonly nodes: Set<string>; readonly pods: Set<string>} | undefined;

	/** The keys of objects changed since the last call; on the first call, of all objects. */
	takeChanges(): {readonly nodes: ReadonlySet<string>; readonly pods: ReadonlySet<string>} {
		const taken = this.#changed ?? {nodes: new Set(this.#nodes.keys()), pods: new Set(this.#pods.keys())};
		this.#changed = {nodes: new Set(), pods: new Set()};
		return taken;
	}

	/** All nodes, in the order of their names. */
	nodes(): readonly VersionedNode[] {
		this.#names ??= [...this.#nodes.keys()].toSorted();
		const nodes: VersionedNode[] = [];
		for (const name of this.#names) {
			const node = this.#nodes.get(name);
			if (node) nodes.push(node);
		}
		return nodes;
	}

	node(name: string): VersionedNode | undefined {
		return this.#nodes.get(name);
	}

	/** The number of nodes that are not simulated, by zone: they only count for their zones. */
	get otherNodes(): ReadonlyMap<string, ZoneCount> {
		return this.#otherNodes;
	}

	setOtherNodes(counts: ReadonlyMap<string, ZoneCount>) {
		this.#otherNodes = counts;
	}

	/** Adds or replaces a node, with a new version. */
	putNode(node: Node) {
		const before = this.#nodes.get(node.name);
		this.#nodes.set(node.name, {node, zone: zoneKey(node), version: (before?.version ?? 0) + 1});
		this.#changed?.nodes.add(node.name);
		if (!before) this.#names = undefined;
	}

	deleteNode(name: string) {
		this.#changed?.nodes.add(name);
		this.#nodes.delete(name);
		this.#names = undefined;
	}

	get pods(): ReadonlyMap<string, Pod> {
		return this.#pods.whole();
	}

	pod(key: string): Pod | undefined {
		return this.#pods.get(key);
	}

	/** The pods bound to a node, in the order of their keys. */
	podsOnNode(name: string): readonly Pod[] {
		const pods: Pod[] = [];
		for (const key of this.#keysOnNode(name)) {
			const pod = this.#pods.get(key);
			if (pod) pods.push(pod);
		}
		return pods;
	}

	/**
	 * Adds or replaces a pod; returns the one before.
	 *
	 * @param key of the pod, if known
	 */
	putPod(pod: Pod, key = podKey(pod)): Pod | undefined {
		const before = this.#pods.get(key);
		this.#pods.set(key, pod);
		this.#changed?.pods.add(key);
		if (before?.nodeName === pod.nodeName) return before;
		if (before) this.#unbind(key, before.nodeName);
		if (pod.nodeName !== '') {
			const keys = this.#keysOnNode(pod.nodeName);
			this.#podsByNode.set(pod.nodeName, keys.toSpliced(placeOf(key, keys), 0, key));
		}
		return before;
	}

	/** Begins with pods that belong to others, who do not change them meanwhile: most are never looked at. */
	beginWith({all, mapOfNode}: GivenPods) {
		this.#pods = new SharedMap(all);
		const known = new Map<string, readonly string[]>();
		this.#givenOnNode = (node) => kept(known, node, () => [...mapOfNode(node).keys()].toSorted());
	}

	deletePod(key: string) {
		const pod = this.#pods.get(key);
		this.#pods.delete(key);
		this.#changed?.pods.add(key);
		if (pod) this.#unbind(key, pod.nodeName);
	}

	leaseRenewTime(node: string): Instant | undefined {
		return this.#leases.get(node);
	}

	/** Sets when a node's lease was last renewed; undefined removes it. */
	putLease(node: string, renewTime: Instant | undefined) {
		if (renewTime === undefined) this.#leases.delete(node);
		else this.#leases.set(node, renewTime);
	}

	leaseTouchedAt(node: string): Instant | undefined {
		return this.#touchedLeases.get(node);
	}

	/** Records a write of a node's lease that does not renew it. */
	touchLease(node: string, now: Instant) {
		this.#touchedLeases.set(node, now);
	}

	fork(): ClusterState {
		const copy = new ClusterState();
		copy.#nodes = new Map(this.#nodes);
		copy.#pods = this.#pods.fork();
		copy.#podsByNode = this.#podsByNode.fork();
		copy.#givenOnNode = this.#givenOnNode;
		copy.#leases = new Map(this.#leases);
		copy.#touchedLeases = new Map(this.#touchedLeases);
		copy.#names = this.#names;
		copy.#otherNodes = this.#otherNodes;
		return copy;
	}

	#keysOnNode(name: string): readonly string[] {
		return this.#podsByNode.get(name) ?? this.#givenOnNode(name);
	}

	#unbind(key: string, node: string) {
		const keys = this.#keysOnNode(node);
		const place = placeOf(key, keys);
		if (keys[place] === key) this.#podsByNode.set(node, keys.toSpliced(place, 1));
	}
}

/** The index of a key in a sorted list, or where to insert it. */
const placeOf = (key: string, sorted: readonly string[]): number =>
	firstIndex(sorted.length, (index) => (sorted[index] ?? '') >= key);
