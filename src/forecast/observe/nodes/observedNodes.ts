import type {ControllerSettings} from '../../../core/model/controllerSettings.ts';
import {type Lease, nodeLeaseNamespace} from '../../../core/model/lease.ts';
import {isUnknownNode, type Node} from '../../../core/model/node.ts';
import type {Instant} from '../../../core/time/instant.ts';
import type {PodIndex} from '../../../store/podIndex.ts';
import type {EventEvidence} from '../eventEvidence.ts';
import {type Interval, intersect, width} from '../interval.ts';
import {watchDelivery} from '../latencies.ts';
import type {ObservationGap} from '../observedTime.ts';
import {turnedUnknownIn} from '../passes/passObservations.ts';
import {withRenewal} from './leaseEvidence.ts';
import {type NodeEvidence, nextNodeEvidence, redated, turnedUnknownAt} from './nodeEvidence.ts';
import {isSilent} from './nodeLiveness.ts';
import {heartbeatsAtFirstLook, unwatchedHeartbeats} from './statusHeartbeats.ts';

type NodeUpdate = {
	/** The node as it was known before; undefined if it is new. */
	readonly before: NodeEvidence | undefined;
	/** When a pass turned the node Unknown, if this version is the first to show it. */
	readonly unknownAt: Interval | undefined;
	/** Whether an event of the controller dated that. */
	readonly isReported: boolean;
};

/** Keeps what is known of each node: from the node itself, from its lease, and from the controller's events. */
export class ObservedNodes {
	readonly #nodes = new Map<string, NodeEvidence>();
	readonly #settings: ControllerSettings;
	readonly #pods: PodIndex;
	readonly #events: EventEvidence;
	#hasSeenLease = false;
	#hasSeenNodes = false;

	constructor(settings: ControllerSettings, pods: PodIndex, events: EventEvidence) {
		this.#settings = settings;
		this.#pods = pods;
		this.#events = events;
	}

	get all(): ReadonlyMap<string, NodeEvidence> {
		return this.#nodes;
	}

	/** Whether any node was ever seen. If not, nodes may not be readable. */
	get hasSeenNodes() {
		return this.#hasSeenNodes;
	}

	/** Whether any node lease was ever seen. If not, leases may not be readable. */
	get hasSeenLease() {
		return this.#hasSeenLease;
	}

	/** When a kubelet last renewed its lease, as far as can be seen; undefined if no lease can be seen. */
	get newestRenewal(): Instant | undefined {
		const renewals = [...this.#nodes.values()].flatMap(({renewedAt}) => renewedAt?.lo ?? []);
		return renewals.length === 0 ? undefined : renewals.reduce((a, b) => Math.max(a, b));
	}

	apply(node: Node, seen: Interval | undefined, now: Instant): NodeUpdate {
		const before = this.#nodes.get(node.name);
		const isLeaseHidden = this.#settings.nodeLease && !this.#hasSeenLease;
		const pods = this.#pods.onNode(node.name);
		const found = nextNodeEvidence(before, node, pods, seen, now, isLeaseHidden);
		const after = this.#datedByEvent(found);
		this.#hasSeenNodes = true;
		this.#nodes.set(node.name, after);
		return {before, unknownAt: turnedUnknownAt(before, after), isReported: after !== found};
	}

	/** Takes in the lease of a node; others are ignored. @param controllersStarted when those that run now started */
	applyLease(lease: Lease, seen: Interval | undefined, controllersStarted: Interval) {
		if (lease.namespace !== nodeLeaseNamespace) return;
		this.showLeases();
		// Without the feature gate the controller does not read node leases.
		if (!this.#settings.nodeLease) return;
		const known = this.#nodes.get(lease.name);
		const controllers = {since: controllersStarted.hi, nodeMonitorPeriod: this.#settings.nodeMonitorPeriod};
		if (known) this.#nodes.set(lease.name, withRenewal(known, lease, seen, controllers));
	}

	/** Takes in that a lease was deleted: controllers that forget the last renewal cannot read it again. */
	deleteLease({namespace, name}: Lease, now: Instant) {
		const known = namespace === nodeLeaseNamespace ? this.#nodes.get(name) : undefined;
		if (known) this.#nodes.set(name, {...known, leaseDeletedAt: now});
	}

	/** Takes in that leases can be read: if a node has none, its lease is missing, not hidden. */
	showLeases() {
		if (this.#hasSeenLease) return;
		this.#hasSeenLease = true;
		for (const [name, one] of this.#nodes) this.#nodes.set(name, {...one, isLeaseHidden: false});
	}

	/** Removes a node, and returns what was known of it. */
	delete(name: string): NodeEvidence | undefined {
		const one = this.#nodes.get(name);
		this.#nodes.delete(name);
		return one;
	}

	/** Dates a node's transition to Unknown by the controller's event, which has just come. */
	dateByEvent(one: NodeEvidence) {
		this.#nodes.set(one.node.name, this.#datedByEvent(one));
	}

	/** Corrects the kubelets' times after a first look, once the leases show how far each clock is off. */
	redate(now: Instant) {
		for (const [name, one] of this.#nodes) this.#nodes.set(name, redated(one, now));
	}

	/** Estimates how often kubelets without a lease post, which a first look shows only for all of them together. */
	estimateHeartbeats(now: Instant) {
		const without = [...this.#nodes.values()].filter(
			({renewTime, isLeaseHidden}) => renewTime === undefined && !isLeaseHidden,
		);
		const heartbeats = heartbeatsAtFirstLook(
			without.map(({node}) => node),
			now,
		);
		const isLeaseMissing = this.newestRenewal !== undefined;
		for (const one of without) this.#nodes.set(one.node.name, {...one, heartbeats, isLeaseMissing});
	}

	/**
	 * Allows for renewals that were not seen. A gap as long as a renew interval hides a renewal of every living node: a
	 * node that was not silent before may have renewed until its end.
	 */
	sawAgain({from, to}: ObservationGap) {
		for (const [name, one] of this.#nodes) {
			const {renewedAt, renewInterval} = one;
			if (!renewedAt || to - from < renewInterval || renewedAt.hi >= to || isSilent(one, from)) continue;
			this.#nodes.set(name, {...one, renewedAt: {lo: renewedAt.lo, hi: to}});
		}
	}

	/** Judges each node by its present state, as a first look would; keeps what its lease showed. */
	forgetHistory(now: Instant) {
		for (const [name, {node, ...known}] of this.#nodes) {
			const ofLease = {...known, heartbeats: unwatchedHeartbeats};
			const pods = this.#pods.onNode(name);
			const atFirst = nextNodeEvidence(undefined, node, pods, undefined, now, known.isLeaseHidden, ofLease);
			this.#nodes.set(name, redated(this.#datedByEvent(atFirst), now));
		}
	}

	/** Dates a transition, known only to the second or worse, by the event that reported it. */
	#datedByEvent(one: NodeEvidence): NodeEvidence {
		const {node, readyChangedAt} = one;
		if (!isUnknownNode(node) || !readyChangedAt || width(readyChangedAt) <= watchDelivery) return one;
		for (const seen of this.#events.notReady(node.name)) {
			const at = intersect(readyChangedAt, turnedUnknownIn(seen, this.#settings));
			if (at) return {...one, readyChangedAt: at, wasReady: true};
		}
		return one;
	}
}
