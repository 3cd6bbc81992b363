import {maxOf} from '../../core/collections/extremes.ts';
import type {DeviceEviction} from '../../core/devicetainteviction/deviceEviction.ts';
import type {ClusterEvent} from '../../core/model/clusterEvent.ts';
import {controllerManagerLease, type Lease, nodeLeaseNamespace} from '../../core/model/lease.ts';
import {type Node, readyStatus} from '../../core/model/node.ts';
import {type Pod, podKey} from '../../core/model/pod.ts';
import {hasTaint} from '../../core/model/taint.ts';
import {noExecuteTaints} from '../../core/tainteviction/taintEvictionController.ts';
import {beginningOfTime, type Instant} from '../../core/time/instant.ts';
import {deviceEvictionOf} from '../../forecast/conclude/deviceEvictions.ts';
import type {ControllerAction} from '../../forecast/ledger/controllerAction.ts';
import type {Interval} from '../../forecast/observe/interval.ts';
import type {StoreChange} from '../../store/change.ts';
import type {ClusterStore} from '../../store/clusterStore.ts';

/** The current cluster, and the parts of its history that explain divergences. */
export class ClusterHistory {
	/** The newest renewal by node; as upstream, an older renewTime does not count. */
	readonly renewals = new Map<string, {readonly renewTime: Instant; readonly arrivedAt: Instant}>();
	/** When the NoExecute taints of a node last changed. */
	readonly taintsChangedAt = new Map<string, Interval>();
	/** The events of deletion attempts, by pod key. */
	readonly tries = new Map<string, ClusterEvent>();
	/** When missing nodes were deleted, if that was seen. */
	readonly goneAt = new Map<string, Interval>();
	/** When the pod garbage collector marked a pod of a key, with the pod's UID. */
	readonly collected = new Map<string, {readonly uid: string; readonly at: Instant}>();
	readonly store: ClusterStore;
	/** When the controllers last deleted a pod. */
	deletedAt: Instant = beginningOfTime;
	/** When anything last arrived. */
	heardAt: Instant = beginningOfTime;
	/** Until when the watch of the nodes has certainly delivered everything. */
	nodesHeardAt: Instant = beginningOfTime;
	/** The same for pods, by node: each node may have its own watch of pods. */
	readonly podsHeardAt = new Map<string, Instant>();

	/** @param store must apply each batch first */
	constructor(store: ClusterStore) {
		this.store = store;
	}

	get leader(): Lease | undefined {
		return this.store.leases.get(podKey(controllerManagerLease));
	}

	/** When the API server confirmed that an object is as the watch showed it, by UID. */
	readonly #confirmedAt = new Map<string, Instant>();

	/** Notes that an object is as known, if the API server's version matches; `askedAt` is the time of the request. */
	confirm(object: Node | Pod, askedAt: Instant) {
		const isAsKnown = 'namespace' in object ? this.#isKnownPod(object) : this.#isKnownNode(object);
		if (isAsKnown) this.#confirmedAt.set(object.uid, askedAt);
	}

	/** Until when an object is confirmed; far in the past if it was never asked for. */
	confirmedAt(uid: string): Instant {
		return this.#confirmedAt.get(uid) ?? beginningOfTime;
	}

	#isKnownPod({uid, deletionTimestamp, ...named}: Pod) {
		const known = this.podOf(podKey(named), uid);
		return known !== undefined && known.deletionTimestamp === deletionTimestamp;
	}

	#isKnownNode(node: Node) {
		const known = this.store.nodes.get(node.name);
		if (known?.uid !== node.uid || readyStatus(known) !== readyStatus(node)) return false;
		const [before, after] = [noExecuteTaints(known), noExecuteTaints(node)];
		return before.length === after.length && before.every((taint) => hasTaint(after, taint));
	}

	/** Notes which watches delivered something. @param upTo the batch's arrival; for a backlog, which may go on, its start */
	hear(changes: readonly StoreChange[], upTo: Instant) {
		for (const change of changes) {
			if (change.type === 'nodeApplied' || change.type === 'nodeDeleted')
				this.nodesHeardAt = Math.max(this.nodesHeardAt, upTo);
			const pod = change.type === 'podApplied' ? change.pod : undefined;
			const gone = change.type === 'podDeleted' ? change.before : undefined;
			const node = (pod ?? gone)?.nodeName;
			if (node !== undefined) this.podsHeardAt.set(node, Math.max(this.podsHeardAt.get(node) ?? upTo, upTo));
		}
	}

	keepLease(lease: Lease, arrivedAt: Instant) {
		if (lease.namespace !== nodeLeaseNamespace) return;
		const known = this.renewals.get(lease.name);
		if (lease.renewTime === undefined || (known && known.renewTime >= lease.renewTime)) return;
		this.renewals.set(lease.name, {renewTime: lease.renewTime, arrivedAt});
	}

	dropNode(name: string) {
		const {renewals, taintsChangedAt, podsHeardAt} = this;
		for (const known of [renewals, taintsChangedAt, podsHeardAt]) known.delete(name);
	}

	keepEvent(event: ClusterEvent) {
		if (event.reason === 'MarkingForDeletion') this.tries.set(event.about, event);
	}

	/** Drops what is too old to explain anything. */
	forgetBefore(at: Instant) {
		for (const [key, {last}] of this.tries)
			if (last.at < at && !this.store.pods.get(key)) this.tries.delete(key);
		for (const [uid, askedAt] of this.#confirmedAt) if (askedAt < at) this.#confirmedAt.delete(uid);
		for (const [key, mark] of this.collected)
			if (mark.at < at && !this.store.pods.get(key)) this.collected.delete(key);
		const hosts = new Set([...this.store.pods.values()].map(({nodeName}) => nodeName));
		for (const [name, {hi}] of this.goneAt) if (hi < at && !hosts.has(name)) this.goneAt.delete(name);
	}

	/** When and why a pod will be deleted for its devices; undefined if no device evicts it. */
	deviceEvictionOf(pod: Pod): DeviceEviction | undefined {
		return deviceEvictionOf(pod, this.store.deviceObjects.values());
	}

	/** Since when a pod has been in the state for which an action ends it, if that was seen. */
	stateSince(action: ControllerAction['action'], pod: Pod): Instant {
		switch (action) {
			case 'CollectPod':
				return this.goneAt.get(pod.nodeName)?.hi ?? beginningOfTime;
			case 'DeletePodForDevice':
				return maxOf((this.deviceEvictionOf(pod)?.reasons ?? []).map(({taint}) => taint.timeAdded ?? 0));
			default:
				return this.taintsChangedAt.get(pod.nodeName)?.lo ?? beginningOfTime;
		}
	}

	/** When an event of the controller last announced the deletion of a pod. */
	triedAt(pod: Pod): Instant | undefined {
		const tried = this.tries.get(podKey(pod));
		return tried && tried.createdAt >= pod.createdAt ? tried.last.at : undefined;
	}

	/** The pod of a key, if it has this UID. */
	podOf(key: string, uid: string): Pod | undefined {
		const pod = this.store.pods.get(key);
		return pod?.uid === uid ? pod : undefined;
	}
}
