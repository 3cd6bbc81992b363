import {maxOf} from '../core/collections/extremes.ts';
import type {ClusterEvent} from '../core/model/clusterEvent.ts';
import type {ClusterSnapshot} from '../core/model/clusterSnapshot.ts';
import type {DeviceObject} from '../core/model/device.ts';
import type {Lease} from '../core/model/lease.ts';
import type {Node} from '../core/model/node.ts';
import {type Observation, type Provenance, subjectOf} from '../core/model/observation.ts';
import type {RepairObject} from '../core/model/repairObject.ts';
import type {PressureNews} from '../core/nodepressure/pressureLook.ts';
import type {Instant} from '../core/time/instant.ts';
import {UserError} from '../text/userError.ts';
import type {StoreChange} from './change.ts';
import {KubeletIndex} from './kubeletIndex.ts';
import {PodIndex} from './podIndex.ts';

type StoredLists = Pick<
	ClusterSnapshot,
	'nodes' | 'pods' | 'leases' | 'leaderLease' | 'deviceObjects' | 'events' | 'repair'
>;

export type StoreUpdate = {
	readonly changes: readonly StoreChange[];
	readonly arrivedAt: Instant;
	/** Undefined for changes that happened just now. */
	readonly provenance: Provenance | undefined;
};

/** Receives each update, after the store was changed. */
export type StoreSubscriber = {
	take(update: StoreUpdate): void;
	/** The same for kubelet reports. */
	takePressure?(news: PressureNews, at: Instant): void;
};

/** More of a kind than a live cluster brings in its lists: a recording that names ever new objects has no end. */
export const mostObjects = 700_000;

/** The one copy of what the API server showed of a cluster. Consumers read it here, or subscribe. */
export class ClusterStore {
	readonly pods = new PodIndex();
	readonly kubelets = new KubeletIndex();
	readonly #nodes = new Map<string, Node>();
	readonly #unseenNodes = new Set<string>();
	readonly #leases = new Map<string, Lease>();
	readonly #deviceObjects = new Map<string, DeviceObject>();
	readonly #events = new Map<string, ClusterEvent>();
	readonly #repair = new Map<string, RepairObject>();
	/** By kind, but for devices, of which three kinds are kept together. */
	readonly #objects: Readonly<Record<string, Objects>> = {
		Node: this.#nodes,
		Pod: this.pods,
		Lease: this.#leases,
		Event: this.#events,
		Repair: this.#repair,
	};
	readonly #subscribers: Partial<StoreSubscriber>[] = [];

	get nodes(): ReadonlyMap<string, Node> {
		return this.#nodes;
	}

	/** The names of nodes of which only is known that they are there. */
	get unseenNodes(): ReadonlySet<string> {
		return this.#unseenNodes;
	}

	/** By namespace and name. */
	get leases(): ReadonlyMap<string, Lease> {
		return this.#leases;
	}

	/** What shows who repairs nodes, by `repairKey`. */
	get repair(): ReadonlyMap<string, RepairObject> {
		return this.#repair;
	}

	/** ResourceSlices, claims and taint rules, by kind and key. */
	get deviceObjects(): ReadonlyMap<string, DeviceObject> {
		return this.#deviceObjects;
	}

	/** Sends all later updates to a subscriber, after those that subscribed before it. */
	subscribe(subscriber: Partial<StoreSubscriber>) {
		this.#subscribers.push(subscriber);
	}

	/** Applies the observations of a batch and notifies the subscribers. @throws UserError if there are more objects than any cluster has */
	apply(observations: readonly Observation[], arrivedAt: Instant, provenance?: Provenance): StoreUpdate {
		const unseen = provenance?.type === 'firstLook' ? (provenance.unseenNodes ?? []) : [];
		for (const name of unseen) this.#unseenNodes.add(name);
		const update = {changes: observations.map((one) => this.#apply(one)), arrivedAt, provenance};
		const sizes = [this.#deviceObjects, ...Object.values(this.#objects)].map(({size}) => size);
		if (maxOf(sizes) > mostObjects)
			throw new UserError(
				`there are more than ${mostObjects} objects of a kind`,
				'no cluster has as many: check where they come from',
			);
		for (const subscriber of this.#subscribers) subscriber.take?.(update);
		return update;
	}

	/** Applies kubelet reports on pressure and notifies the subscribers. */
	applyPressure(news: PressureNews, at: Instant) {
		this.kubelets.apply(news);
		for (const subscriber of this.#subscribers) subscriber.takePressure?.(news, at);
	}

	/** Everything in the store; without any lease, `leases` is undefined, as reading them may be forbidden. */
	get present(): StoredLists {
		const leases = [...this.#leases.values()];
		return {
			nodes: [...this.#nodes.values()],
			pods: [...this.pods.values()],
			leases: leases.length > 0 ? leases : undefined,
			deviceObjects: [...this.#deviceObjects.values()],
			events: [...this.#events.values()],
			repair: [...this.#repair.values()],
		};
	}

	/** The content as changes, for a late subscriber; ordered as in `changesOf`. */
	get asChanges(): readonly StoreChange[] {
		return changesOf(this.present);
	}

	#apply(observation: Observation): StoreChange {
		const {kind, key, object} = subjectOf(observation);
		if (kind === 'Node' && object) this.#unseenNodes.delete(key);
		const own = this.#objects[kind];
		const before = own ? exchange(own, key, object) : exchange(this.#deviceObjects, `${kind} ${key}`, object);
		return {...observation, before} as StoreChange;
	}
}

type Objects = {
	readonly size: number;
	get(key: string): unknown;
	set(key: string, object: unknown): unknown;
	delete(key: string): unknown;
};

/** Stores an object, or removes it if there is none any more. @returns the one before */
function exchange(known: Objects, key: string, object: unknown): unknown {
	const before = known.get(key);
	if (object) known.set(key, object);
	else known.delete(key);
	return before;
}

/** A snapshot as changes of an empty store: nodes first, events last. */
export function changesOf({
	nodes,
	pods,
	leaderLease,
	leases = leaderLease ? [leaderLease] : [],
	deviceObjects = [],
	events = [],
	repair = [],
}: StoredLists): readonly StoreChange[] {
	return [
		...nodes.map((node): StoreChange => ({type: 'nodeApplied', node, before: undefined})),
		...leases.map((lease): StoreChange => ({type: 'leaseApplied', lease, before: undefined})),
		...pods.map((pod): StoreChange => ({type: 'podApplied', pod, before: undefined})),
		...repair.map((object): StoreChange => ({type: 'repairApplied', object, before: undefined})),
		...deviceObjects.map((object): StoreChange => ({type: 'deviceObjectApplied', object, before: undefined})),
		...events.map((event): StoreChange => ({type: 'eventApplied', event, before: undefined})),
	];
}
