import {type Node, readyCondition} from '../../core/model/node.ts';
import {announcedAt, type Disrupter, type Pod, podKey} from '../../core/model/pod.ts';
import {zoneKey, zoneLabel} from '../../core/model/zone.ts';
import {type Duration, type Instant, minute} from '../../core/time/instant.ts';
import {podsOfDeviceObject} from '../../forecast/conclude/deviceEvictions.ts';
import {
	type ActionKind,
	type ControllerAction,
	nodeActionId,
	podActionId,
} from '../../forecast/ledger/controllerAction.ts';
import {type Disturbance, disturbancesOf, taintChange} from '../../forecast/ledger/disturbance.ts';
import {type Interval, reconciled, sinceBeginning, wholeSecond} from '../../forecast/observe/interval.ts';
import {lifecycleTaint} from '../../forecast/observe/nodes/lifecycleTaint.ts';
import {deletedIn, type StoreChange} from '../../store/change.ts';
import type {ClusterHistory} from './clusterHistory.ts';
import {ControllerNames, foreignWriter} from './writer.ts';

const nothingFound = () => ({
	actions: [] as ControllerAction[],
	disturbances: [] as Disturbance[],
	/** Who else announced the end of a pod, once per pod. */
	disrupters: [] as Disrupter[],
});

/** Finds the controllers' actions in changes, and disturbances of predictions. Keeps the history that this needs. */
export class ActionFinder {
	readonly #world: ClusterHistory;
	readonly #controllers = new ControllerNames();
	#found = nothingFound();
	/** If nodes are forbidden, an unknown node is not necessarily deleted. */
	#hasSeenNodes = false;

	constructor(world: ClusterHistory) {
		this.#world = world;
	}

	/**
	 * Processes a batch.
	 *
	 * @param seen when it happened; undefined for a first look, which shows the state but no changes
	 */
	observe(changes: readonly StoreChange[], arrivedAt: Instant, seen: Interval | undefined) {
		this.#found = nothingFound();
		for (const change of changes) this.#observe(change, arrivedAt, seen);
		return this.#found;
	}

	#observe(change: StoreChange, arrivedAt: Instant, seen: Interval | undefined) {
		const world = this.#world;
		const isOfDevice = change.type === 'deviceObjectApplied' || change.type === 'deviceObjectDeleted';
		if (seen || !isOfDevice)
			for (const one of disturbancesOf(change, (it) =>
				podsOfDeviceObject(it, world.store.deviceObjects.values()),
			))
				this.#found.disturbances.push(one);
		switch (change.type) {
			case 'nodeApplied':
				this.#applyNode(change.before, change.node, seen);
				break;
			case 'nodeDeleted':
				world.dropNode(change.name);
				if (seen) world.goneAt.set(change.name, seen);
				break;
			case 'podApplied':
				this.#applyPod(change.before, change.pod, seen);
				break;
			case 'podDeleted': {
				const deleted = deletedIn(change);
				if (deleted) this.#deleted(deleted, deleted, seen);
				break;
			}
			case 'leaseApplied':
				world.keepLease(change.lease, arrivedAt);
				break;
			case 'eventApplied':
				world.keepEvent(change.event);
				break;
		}
	}

	#applyNode(known: Node | undefined, node: Node, seen: Interval | undefined) {
		if (known && known.uid !== node.uid) this.#world.dropNode(node.name);
		const before = known?.uid === node.uid ? known : undefined;
		this.#hasSeenNodes = true;
		this.#controllers.learnFrom(node);
		this.#world.goneAt.delete(node.name);
		if (before) this.#compare(before, node, seen);
	}

	#compare(before: Node, node: Node, seen: Interval | undefined) {
		const [old, ready] = [readyCondition(before), readyCondition(node)];
		if (ready?.status === 'Unknown' && old?.status !== 'Unknown')
			this.#act('SetUnknown', before, seen, ready.lastTransitionTime);
		const [was, is] = [lifecycleTaint(before), lifecycleTaint(node)];
		const writer = foreignWriter(before, node, this.#controllers);
		// A taint with only a new time was written again by a redundant eviction.
		if (was && !is) this.#act('UntaintNode', before, seen, undefined, writer);
		if (is && !was) this.#act('TaintNode', node, seen, is?.timeAdded, writer);
		const {lost, given} = taintChange(before, node);
		if (lost.length > 0 || given.length > 0)
			this.#world.taintsChangedAt.set(node.name, seen ?? sinceBeginning);
	}

	#act(
		action: ActionKind,
		node: Node,
		seen: Interval | undefined,
		own: Instant | undefined,
		writer?: string,
	) {
		if (!seen) return;
		const world = this.#world;
		const at = reconciled(seen, own === undefined ? undefined : wholeSecond(own)) ?? seen;
		const renewal = world.renewals.get(node.name);
		const ready = readyCondition(node);
		const id = nodeActionId(action, {node, renewTime: renewal?.renewTime, leader: world.leader});
		this.#found.actions.push({
			action,
			id,
			at,
			node: node.name,
			zone: zoneLabel(zoneKey(node)),
			object: {kind: 'Node', name: node.name, uid: node.uid},
			...(writer !== undefined && {writer}),
			stateSince:
				action === 'SetUnknown' ? (renewal?.arrivedAt ?? at.lo) : (ready?.lastTransitionTime ?? at.lo),
		});
	}

	#applyPod(before: Pod | undefined, pod: Pod, seen: Interval | undefined) {
		if (before?.uid !== pod.uid || before.deletionTimestamp !== undefined) return;
		if (seen && pod.disruptedBy && !before.disruptedBy) this.#found.disrupters.push(pod.disruptedBy);
		if (pod.isDisruptionTarget && !before.isDisruptionTarget) this.#marked(pod, seen);
		if (pod.deletionTimestamp !== undefined) this.#deleted(before, pod, seen);
	}

	#deleted(before: Pod, pod: Pod, seen: Interval | undefined) {
		const {uid, nodeName} = pod;
		const world = this.#world;
		const node = world.store.nodes.get(nodeName);
		if (seen && !pod.disruptedBy && this.#isGone(nodeName)) {
			this.#collected(before, pod, seen);
			return;
		}
		const isForDevice = pod.deviceEvictedAt !== undefined;
		// An eviction that no known device explains counts as another's.
		const isExplained = !isForDevice || world.deviceEvictionOf(before) !== undefined;
		if (pod.disruptedBy || !node || !seen || !isExplained || !this.#isEvicted(pod, seen.hi)) {
			this.#found.disturbances.push({type: 'pod', uid, cause: 'deletedByOthers'});
			return;
		}
		const action = isForDevice ? 'DeletePodForDevice' : 'DeletePod';
		world.deletedAt = seen.hi;
		this.#actOn(before, action, seen, {zone: zoneLabel(zoneKey(node))});
	}

	#actOn(pod: Pod, action: ActionKind, at: Interval, more: Pick<ControllerAction, 'zone' | 'mayBeForeign'>) {
		const {namespace, name, uid, nodeName: node} = pod;
		const stateSince = this.#world.stateSince(action, pod);
		const object = {kind: 'Pod', namespace, name, uid} as const;
		this.#found.actions.push({
			action,
			id: podActionId(action, uid),
			at,
			node,
			object,
			stateSince,
			pod,
			...more,
		});
	}

	/** Whether a pod's node was deleted: the pod is bound, and nodes are visible. */
	#isGone(nodeName: string) {
		if (nodeName === '' || this.#world.store.nodes.has(nodeName)) return false;
		return this.#hasSeenNodes || this.#world.goneAt.has(nodeName);
	}

	/** The pod garbage collector marks the pods of deleted nodes before it deletes them. */
	#marked(pod: Pod, seen: Interval | undefined) {
		const {nodeName, uid} = pod;
		if (!seen || announcedAt(pod) !== undefined || !this.#isGone(nodeName)) return;
		this.#world.collected.set(podKey(pod), {uid, at: seen.hi});
	}

	/** A pod of a deleted node was deleted. */
	#collected(before: Pod, pod: Pod, seen: Interval) {
		const isMarked = this.#world.collected.get(podKey(pod))?.uid === pod.uid || this.#isEvicted(pod, seen.hi);
		this.#actOn(before, 'CollectPod', seen, {zone: '', ...(!isMarked && {mayBeForeign: true})});
	}

	/** Whether a recent condition or event shows an eviction. A denied one leaves both: somebody else may delete the pod later. */
	#isEvicted(pod: Pod, at: Instant) {
		return [announcedAt(pod), this.#world.triedAt(pod)].some(
			(time) => time !== undefined && time >= at - maxClientDelay,
		);
	}
}

/** How long the deletion of a marked pod may wait for the controller's client. */
const maxClientDelay: Duration = 2 * minute;
