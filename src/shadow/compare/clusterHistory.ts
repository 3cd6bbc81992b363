import type {DeviceEviction} from '../../core/devicetainteviction/deviceEviction.ts';
import type {ClusterEvent} from '../../core/model/clusterEvent.ts';
import type {DeviceObject} from '../../core/model/device.ts';
import {controllerManagerLease, type Lease, nodeLeaseNamespace} from '../../core/model/lease.ts';
import {type Node, readyStatus} from '../../core/model/node.ts';
import {type Pod, podKey} from '../../core/model/pod.ts';
import {hasTaint, type Taint} from '../../core/model/taint.ts';
import {noExecuteTaints} from '../../core/tainteviction/taintEvictionController.ts';
import {beginningOfTime, type Instant} from '../../core/time/instant.ts';
import {deviceEvictionOf, podsOfDeviceObject} from '../../forecast/conclude/deviceEvictions.ts';
import type {ControllerAction} from '../../forecast/ledger/controllerAction.ts';
import type {Interval} from '../../forecast/observe/interval.ts';
import type {StoreChange} from '../../store/change.ts';
import type {ClusterStore} from '../../store/clusterStore.ts';
import type {PodIndex} from '../../store/podIndex.ts';

/** A renewal that a controller counts, and when it came. */
type Renewal = {readonly renewTime: Instant; readonly arrivedAt: Instant};

/** The NoExecute taints that a node lost last. */
type LostTaints = {readonly taints: readonly Taint[]; readonly at: Interval};

/** The cluster as its store has it, and what of its past explains a divergence. */
export class ClusterHistory {
	/** By node, the newest renewal: as upstream, one that is older than the last does not count. */
	readonly renewals = new Map<string, Renewal>();
	/** When the NoExecute taints of a node last changed. */
	readonly taintsChangedAt = new Map<string, Interval>();
	readonly taintsLost = new Map<string, LostTaints>();
	/** The events that told of a try to delete a pod, by its key. */
	readonly tries = new Map<string, ClusterEvent>();
	/** When the taint-eviction controller was last seen to delete a pod of a key, and which. */
	readonly evicted = new Map<string, {readonly uid: string; readonly at: Instant}>();
	/** When nodes that are gone were deleted, as far as that was seen. */
	readonly goneAt = new Map<string, Interval>();
	/** When the pod garbage collector marked a pod of a key as its own, and which. */
	readonly collected = new Map<string, {readonly uid: string; readonly at: Instant}>();
	readonly #store: ClusterStore;
	/** When anything last came. */
	heardAt: Instant = beginningOfTime;
	/** Up to when the watch of the nodes is known to have told all. */
	nodesHeardAt: Instant = beginningOfTime;
	/** The same of pods, by node: those of each node may have a watch of their own. */
	readonly podsHeardAt = new Map<string, Instant>();

	/** @param store holds each batch before it is taken in here */
	constructor(store: ClusterStore) {
		this.#store = store;
	}

	get nodes(): ReadonlyMap<string, Node> {
		return this.#store.nodes;
	}

	/** The lease of whoever runs the controllers. */
	get leader(): Lease | undefined {
		return this.#store.leases.get(podKey(controllerManagerLease));
	}

	get pods(): PodIndex {
		return this.#store.pods;
	}

	/** When the API server was asked for an object that proved to be as it was known, by UID. */
	readonly #confirmedAt = new Map<string, Instant>();

	/** Takes in an object as the API server has it, asked for at an instant: where it is as it was, that is known. */
	confirm(object: Node | Pod, askedAt: Instant): void {
		const isAsKnown = 'namespace' in object ? this.#isKnownPod(object) : this.#isKnownNode(object);
		if (isAsKnown) this.#confirmedAt.set(object.uid, askedAt);
	}

	/** Up to when an object is known to be as the watch showed it; never where nobody asked. */
	confirmedAt(uid: string): Instant {
		return this.#confirmedAt.get(uid) ?? beginningOfTime;
	}

	#isKnownPod({uid, deletionTimestamp, ...named}: Pod): boolean {
		const known = this.podOf(podKey(named), uid);
		return known !== undefined && known.deletionTimestamp === deletionTimestamp;
	}

	#isKnownNode(node: Node): boolean {
		const known = this.nodes.get(node.name);
		if (known?.uid !== node.uid || readyStatus(known) !== readyStatus(node)) return false;
		const [before, after] = [noExecuteTaints(known), noExecuteTaints(node)];
		return before.length === after.length && before.every((taint) => hasTaint(after, taint));
	}

	/**
	 * Notes which watches have brought something.
	 *
	 * @param upTo when the batch was told; of a backlog, of which more may follow, when that began
	 */
	hear(changes: readonly StoreChange[], upTo: Instant): void {
		for (const one of changes) {
			if (one.type === 'nodeApplied' || one.type === 'nodeDeleted')
				this.nodesHeardAt = Math.max(this.nodesHeardAt, upTo);
			const pod = one.type === 'podApplied' ? one.pod : undefined;
			const gone = one.type === 'podDeleted' ? one.before : undefined;
			const node = (pod ?? gone)?.nodeName;
			if (node !== undefined) this.podsHeardAt.set(node, Math.max(this.podsHeardAt.get(node) ?? upTo, upTo));
		}
	}

	/** Takes in the lease of a node. */
	keepLease(lease: Lease, arrivedAt: Instant): void {
		if (lease.namespace !== nodeLeaseNamespace) return;
		const known = this.renewals.get(lease.name);
		if (lease.renewTime === undefined || (known && known.renewTime >= lease.renewTime)) return;
		this.renewals.set(lease.name, {renewTime: lease.renewTime, arrivedAt});
	}

	dropNode(name: string): void {
		const {renewals, taintsChangedAt, taintsLost, podsHeardAt} = this;
		for (const known of [renewals, taintsChangedAt, taintsLost, podsHeardAt]) known.delete(name);
	}

	keepEvent(event: ClusterEvent): void {
		if (event.reason === 'MarkingForDeletion') this.tries.set(event.about, event);
	}

	/** Lets go of what is too old to explain anything. */
	forgetBefore(at: Instant): void {
		for (const [key, {last}] of this.tries) if (last.at < at && !this.pods.get(key)) this.tries.delete(key);
		for (const [uid, askedAt] of this.#confirmedAt) if (askedAt < at) this.#confirmedAt.delete(uid);
		for (const [key, one] of this.evicted) if (one.at < at) this.evicted.delete(key);
		for (const [key, one] of this.collected)
			if (one.at < at && !this.pods.get(key)) this.collected.delete(key);
		const hosts = new Set([...this.pods.values()].map(({nodeName}) => nodeName));
		for (const [name, {hi}] of this.goneAt) if (hi < at && !hosts.has(name)) this.goneAt.delete(name);
	}

	/** All that is there, as a first look would tell it. */
	present(): readonly StoreChange[] {
		return this.#store.asChanges;
	}

	/** When a pod is deleted for its devices, and why; undefined where none of them evicts it. */
	deviceEvictionOf(pod: Pod): DeviceEviction | undefined {
		return deviceEvictionOf(pod, this.#store.deviceObjects.values());
	}

	/** The UIDs of the pods that may go, or stay, for what a device object says. */
	podsOfDeviceObject(object: DeviceObject): readonly string[] {
		return podsOfDeviceObject(object, this.#store.deviceObjects.values());
	}

	/** Since when a pod has been in the state for which an action of the controllers ends it, as far as that was seen. */
	stateSince(action: ControllerAction['action'], pod: Pod): Instant {
		switch (action) {
			case 'CollectPod':
				return this.goneAt.get(pod.nodeName)?.hi ?? beginningOfTime;
			case 'DeletePodForDevice':
				return Math.max(
					...(this.deviceEvictionOf(pod)?.reasons ?? []).map(({taint}) => taint.timeAdded ?? 0),
				);
			default:
				return this.taintsChangedAt.get(pod.nodeName)?.lo ?? beginningOfTime;
		}
	}

	/** When the controller last said by an event that it deletes a pod. */
	triedAt(pod: Pod): Instant | undefined {
		const tried = this.tries.get(podKey(pod));
		return tried && tried.createdAt >= pod.createdAt ? tried.last.at : undefined;
	}

	/** The pod of a key, where it is still the one of that UID. */
	podOf(key: string, uid: string): Pod | undefined {
		const pod = this.pods.get(key);
		return pod?.uid === uid ? pod : undefined;
	}
}
