import {Decoder} from '../../../src/cluster/codec/decoder.ts';
import {decodeNodePod} from '../../../src/cluster/kubelet/decodeNodePod.ts';
import {decodeSummary} from '../../../src/cluster/kubelet/decodeSummary.ts';
import {reportOf} from '../../../src/cluster/kubelet/kubeletReports.ts';
import {evictedPodOf} from '../../../src/cluster/kubelet/nodePressure.ts';
import type {ClusterEvent} from '../../../src/core/model/clusterEvent.ts';
import type {ClusterSnapshot} from '../../../src/core/model/clusterSnapshot.ts';
import {controllerManagerLease, type Lease, nodeLeaseNamespace} from '../../../src/core/model/lease.ts';
import type {Node} from '../../../src/core/model/node.ts';
import type {Observation} from '../../../src/core/model/observation.ts';
import {type Pod, podKey} from '../../../src/core/model/pod.ts';
import type {KubeletReport, PressureLook} from '../../../src/core/nodepressure/pressureLook.ts';
import type {Instant} from '../../../src/core/time/instant.ts';
import type {WatchedWrite} from '../../../src/demo/world/collection.ts';
import {type ObjectStore, objectStore} from '../../../src/demo/world/objectStore.ts';
import type {DemoScenario} from '../../../src/demo/world/scenarios.ts';
import {demoWorld, type World} from '../../../src/demo/world/world.ts';

export const gitVersion = 'v1.36.3';

/** How long a change takes to reach a client, in milliseconds. */
const delivery = 20;

/** Receives a change and its time of arrival. */
type Listener = (observation: Observation, arrivedAt: Instant) => void;

/** A client's view of a demo world, through the JSON of its store and the cluster reader's decoder. */
export class ObservedWorld {
	readonly #world: World;
	readonly #store: ObjectStore;
	readonly #decoder = new Decoder();
	readonly #nodes = new Map<string, Node>();
	readonly #pods = new Map<string, Pod>();
	readonly #leases = new Map<string, Lease>();
	readonly #events = new Map<string, ClusterEvent>();
	readonly #onChange: Listener;
	#changes: Observation[] = [];

	constructor(scenario: DemoScenario, now: Instant, seed: number, onChange: Listener) {
		const store = objectStore(1);
		this.#onChange = onChange;
		this.#store = store;
		this.#world = demoWorld(scenario, store, {now, gitVersion, seed});
		for (const resource of ['nodes', 'leases', 'pods', 'events'] as const) {
			for (const object of store.all(resource)) this.#take(resource, 'ADDED', object);
			store.of(resource).subscribe(({type, object}) => this.#take(resource, type, object));
		}
		this.#changes = [];
	}

	/** Advances the time; each change is reported when it arrives. */
	advanceTo(target: Instant): void {
		for (let due = this.#world.nextDueAt; due <= target - delivery; due = this.#world.nextDueAt) {
			this.#world.advanceTo(due);
			for (const change of this.#changes) this.#onChange(change, due + delivery);
			this.#changes = [];
		}
	}

	/** A look at a node's pressure, through the JSON of its kubelet. */
	pressureLook(node: string, seenAt: Instant): PressureLook {
		const ask = (path: string) => JSON.parse(JSON.stringify(this.#world.kubeletAnswer(node, path) ?? {}));
		const pods = this.#store
			.all('pods')
			.map((object) => JSON.parse(JSON.stringify(object)))
			.filter(({spec}) => spec.nodeName === node);
		return {
			...{node, seenAt, source: 'kubelet', problems: []},
			summary: decodeSummary(ask('stats/summary')),
			config: ask('configz').kubeletconfig,
			pods: pods
				.filter(({status}) => status.phase !== 'Failed')
				.map((pod) => decodeNodePod(pod, () => undefined)),
			evicted: pods.flatMap((pod) => evictedPodOf(pod) ?? []),
		};
	}

	/** All kubelet reports so far. */
	get kubeletReports(): readonly KubeletReport[] {
		const events = this.#store.all('events');
		return events.flatMap((event) => reportOf(JSON.parse(JSON.stringify(event))) ?? []);
	}

	/** A list of the current state. */
	snapshot(observedAt: Instant): ClusterSnapshot {
		return {
			observedAt,
			source: 'cluster',
			kubernetesVersion: gitVersion,
			nodes: [...this.#nodes.values()],
			leases: [...this.#leases.values()],
			pods: [...this.#pods.values()],
			events: [...this.#events.values()],
			problems: [],
		};
	}

	#take(resource: 'nodes' | 'leases' | 'pods' | 'events', type: WatchedWrite['type'], object: unknown): void {
		const raw: unknown = JSON.parse(JSON.stringify(object));
		const isDeleted = type === 'DELETED';
		switch (resource) {
			case 'nodes': {
				const node = this.#decoder.node.decode(raw);
				if (node) this.#changes.push(keep(this.#nodes, node.name, node, isDeleted, nodeObservation));
				break;
			}
			case 'pods': {
				const pod = this.#decoder.pod.decode(raw);
				if (pod) this.#changes.push(keep(this.#pods, podKey(pod), pod, isDeleted, podObservation));
				break;
			}
			case 'leases': {
				const lease = this.#decoder.lease.decode(raw);
				if (lease && isWatched(lease)) {
					this.#changes.push(keep(this.#leases, podKey(lease), lease, isDeleted, leaseObservation));
				}
				break;
			}
			case 'events': {
				const event = this.#decoder.event.decode(raw);
				if (event) this.#changes.push(keep(this.#events, podKey(event), event, isDeleted, eventObservation));
			}
		}
	}
}

const isWatched = ({namespace, name}: Lease) =>
	namespace === nodeLeaseNamespace ||
	(namespace === controllerManagerLease.namespace && name === controllerManagerLease.name);

function keep<T>(
	known: Map<string, T>,
	key: string,
	object: T,
	isDeleted: boolean,
	observe: (object: T, isDeleted: boolean) => Observation,
): Observation {
	if (isDeleted) known.delete(key);
	else known.set(key, object);
	return observe(object, isDeleted);
}

const nodeObservation = (node: Node, isDeleted: boolean): Observation =>
	isDeleted ? {type: 'nodeDeleted', name: node.name} : {type: 'nodeApplied', node};

const podObservation = (pod: Pod, isDeleted: boolean): Observation =>
	isDeleted ? {type: 'podDeleted', namespace: pod.namespace, name: pod.name} : {type: 'podApplied', pod};

const eventObservation = (event: ClusterEvent, isDeleted: boolean): Observation =>
	isDeleted
		? {type: 'eventDeleted', namespace: event.namespace, name: event.name}
		: {type: 'eventApplied', event};

const leaseObservation = (lease: Lease, isDeleted: boolean): Observation =>
	isDeleted
		? {type: 'leaseDeleted', namespace: lease.namespace, name: lease.name}
		: {type: 'leaseApplied', lease};
