import type {ClusterEvent} from '../../core/model/clusterEvent.ts';
import type {ClusterSnapshot} from '../../core/model/clusterSnapshot.ts';
import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {isControllerManagerLease, type Lease, nodeLeaseNamespace} from '../../core/model/lease.ts';
import {type Node, nodeCondition} from '../../core/model/node.ts';
import type {Observation} from '../../core/model/observation.ts';
import {type Pod, podKey} from '../../core/model/pod.ts';
import {isSameTolerations} from '../../core/model/toleration.ts';
import {withKnownZoneLabels, zoneKey} from '../../core/model/zone.ts';
import {noExecuteTaints} from '../../core/tainteviction/taintEvictionController.ts';
import type {Duration, Instant} from '../../core/time/instant.ts';
import type {Change} from '../../store/change.ts';
import type {ClusterStore} from '../../store/clusterStore.ts';
import type {PodIndex} from '../../store/podIndex.ts';
import type {PodTimers} from './countdowns/podTimers.ts';
import {TimerEvidence, type TimersFound} from './countdowns/timerEvidence.ts';
import {EventEvidence, type Registration} from './eventEvidence.ts';
import {snapshotOfInitialList} from './initialList.ts';
import {type Interval, intersect, width} from './interval.ts';
import {watchDelivery} from './latencies.ts';
import type {Leader} from './leader.ts';
import {FormerNodes} from './nodes/formerNodes.ts';
import {GoneNodes} from './nodes/goneNodes.ts';
import {withRenewal} from './nodes/leaseEvidence.ts';
import {type NodeEvidence, nextNodeEvidence, redated, turnedUnknownAt} from './nodes/nodeEvidence.ts';
import {isAffected, isSilent, returnsMatterFor} from './nodes/nodeLiveness.ts';
import {heartbeatsInInitialList} from './nodes/statusHeartbeats.ts';
import type {ObservationGap, ObservedTime} from './observedTime.ts';
import {isSameTaints, wasCleared} from './ownTaint.ts';
import {PassEvidence} from './passes/passEvidence.ts';
import {type PassObservation, turnedUnknownIn} from './passes/passObservations.ts';

/** All that was seen of a cluster, and what it says of the controllers' hidden state. */
export class Evidence {
	readonly #settings: ControllerSettings;
	readonly #returnsMatterFor: Duration;
	#nodes = new Map<string, NodeEvidence>();
	readonly #pods: PodIndex;
	readonly #events = new EventEvidence();
	readonly #passes: PassEvidence;
	readonly #timers: TimerEvidence;
	readonly #goneNodes = new GoneNodes();
	#now: Instant = 0;
	#watchingSince: Instant = 0;
	#hasSeenLease = false;
	#hasLooked = false;
	#hasSeenNodes = false;

	/** @param store holds each batch before it is observed here */
	constructor(settings: ControllerSettings, store: ClusterStore) {
		this.#settings = settings;
		this.#pods = store.pods;
		this.#returnsMatterFor = returnsMatterFor(settings);
		this.#passes = new PassEvidence(settings, this.#events);
		this.#timers = new TimerEvidence(settings, this.#pods, this.#events);
	}

	readonly formerNodes = new FormerNodes();

	get nodes(): ReadonlyMap<string, NodeEvidence> {
		return this.#nodes;
	}

	get pods(): PodIndex {
		return this.#pods;
	}

	get timers(): PodTimers {
		return this.#timers.timers;
	}

	/** The nodes that pods are bound to and that are not there. */
	get goneNodes(): GoneNodes {
		return this.#goneNodes;
	}

	/** Whether nodes can be read at all. */
	get hasSeenNodes(): boolean {
		return this.#hasSeenNodes;
	}

	/** Whether node leases can be read at all. */
	get hasLeases(): boolean {
		return this.#hasSeenLease;
	}

	/** The instant up to which things were seen. */
	get now(): Instant {
		return this.#now;
	}

	leader(now: Instant, seen: ObservedTime): Leader {
		return this.#passes.leader(now, seen);
	}

	/** When a kubelet last renewed its lease, as far as can be seen; undefined where no lease can. */
	get lastRenewal(): Instant | undefined {
		const renewals = [...this.#nodes.values()].flatMap(({renewedAt}) => renewedAt?.lo ?? []);
		return renewals.length === 0 ? undefined : renewals.reduce((a, b) => Math.max(a, b));
	}

	/**
	 * Takes in that not all was seen for a time. As long as a renew interval, it hides a renewal of every node
	 * that lives: one that was not silent before may have tried until its end.
	 */
	sawAgain({from, to}: ObservationGap): void {
		for (const [name, one] of this.#nodes) {
			const {renewedAt, renewInterval} = one;
			if (!renewedAt || to - from < renewInterval || renewedAt.hi >= to || isSilent(one, from)) continue;
			this.#nodes.set(name, {...one, renewedAt: {lo: renewedAt.lo, hi: to}});
		}
	}

	/** What the controllers reported. */
	get events(): EventEvidence {
		return this.#events;
	}

	/** The first pass of the controllers that run now, where their events show it. */
	get firstPass(): Registration | undefined {
		return this.#passes.firstPass;
	}

	/** When the controllers that run now started; from the beginning of time where that cannot be seen. */
	get controllersStarted(): Interval {
		return this.#passes.started;
	}

	/** All signs of monitor passes of the controllers that run now. */
	get passObservations(): readonly PassObservation[] {
		return this.#passes.observations(this.#nodes, this.#now);
	}

	/**
	 * Takes in a whole list. A later one only tells of what changed since.
	 *
	 * @param changes what the list changed in the store
	 */
	observeSnapshot(snapshot: ClusterSnapshot, changes: readonly Change[]): void {
		const isFirst = this.#nodes.size === 0;
		const seen = isFirst ? undefined : {lo: this.#now, hi: snapshot.observedAt};
		this.#now = snapshot.observedAt;
		this.#hasLooked = true;
		if (isFirst) this.#watchingSince = snapshot.observedAt;
		const events = (snapshot.events ?? []).filter((event) => this.#events.take(event));
		const leases = snapshot.leases ?? (snapshot.leaderLease ? [snapshot.leaderLease] : []);
		if (areWithoutLeases(snapshot)) this.#showLeases();
		for (const lease of leases) this.#applyLease(lease, seen);
		for (const one of changes)
			if (seen && one.type === 'podApplied') this.#applyPod(one.pod, one.before, seen);
		for (const node of snapshot.nodes) this.#applyNode(withKnownZoneLabels(node, this.#settings), seen);
		for (const lease of leases) this.#applyLease(lease, seen);
		if (isFirst) for (const [name, one] of this.#nodes) this.#nodes.set(name, redated(one, this.#now));
		this.#learnStart();
		if (isFirst) this.#estimateHeartbeats();
		if (isFirst) this.#timers.find(this.#found);
		else this.#dropMissing(changes, seen ?? this.#atFirst);
		for (const event of events) this.#follow(event);
		this.#lookForNodes(snapshot.pods, seen ?? this.#atFirst);
	}

	/**
	 * Takes in what a watch brought at an instant of our own clock. The first batch is the state as the watch found it:
	 * a first look like any other.
	 *
	 * @param since when these may have happened at the earliest, where nobody watched; at any time before, where these
	 *   objects were never looked at
	 */
	observe(changes: readonly Change[], arrivedAt: Instant, since: Instant = arrivedAt): void {
		// Where the nodes may not be read, the first look has none; should they come later, that is a first look again.
		const hasNodes = changes.some(({type}) => type === 'nodeApplied');
		if (this.#nodes.size === 0 && (hasNodes || !this.#hasLooked)) {
			this.observeSnapshot(snapshotOfInitialList(changes, arrivedAt), changes);
			return;
		}
		this.#now = Math.max(this.#now, arrivedAt);
		const seen = {lo: Math.min(since, arrivedAt - watchDelivery), hi: arrivedAt};
		for (const change of changes) this.#observe(change, seen);
		if (changes.some(isRegistration)) this.#learnStart();
		const pods = changes.flatMap((one) => (one.type === 'podApplied' ? one.pod : []));
		if (since === Number.NEGATIVE_INFINITY) this.#timers.find(this.#found, new Set(pods.map(podKey)));
		this.#lookForNodes(pods, seen);
	}

	/** Judges all anew by the present state, as a first look would: what led to it was not all seen. */
	forgetHistory(): void {
		this.#passes.forgetObservations();
		this.timers.clear();
		for (const [name, {node, ...known}] of this.#nodes) {
			const {isLeaseHidden, hasWrongClock, renewInterval, renewTime, renewedAt} = known;
			const atFirst = nextNodeEvidence(undefined, node, this.#pods.onNode(name), undefined, this.#now);
			const ofLease = {isLeaseHidden, hasWrongClock, renewInterval, renewTime, renewedAt};
			this.#nodes.set(name, redated({...this.#dated(atFirst), ...ofLease}, this.#now));
		}
		this.#timers.find(this.#found);
	}

	/** Whether anything is wrong with a node, or was so lately that it matters still. */
	isAffected(one: NodeEvidence, now: Instant): boolean {
		return isAffected(one, now, this.#returnsMatterFor);
	}

	/** Whether an observation tells nothing but that a healthy node is still alive. */
	isRoutine(observation: Observation, now: Instant): boolean {
		if (observation.type === 'leaseApplied') {
			if (isControllerManagerLease(observation.lease)) {
				return this.#passes.isSameLeader(observation.lease);
			}
			const known = this.#nodes.get(observation.lease.name);
			return known !== undefined && !this.isAffected(known, now);
		}
		if (observation.type === 'eventDeleted') return true;
		if (observation.type !== 'nodeApplied') return false;
		const node = withKnownZoneLabels(observation.node, this.#settings);
		const known = this.#nodes.get(node.name);
		if (!known || this.isAffected(known, now)) return false;
		const seen = {lo: now, hi: now};
		const next = {...known, node, readyChangedAt: known.readyChangedAt, heartbeatAt: seen};
		return !this.isAffected(next, now) && zoneKey(known.node) === zoneKey(node);
	}

	#observe(change: Change, seen: Interval): void {
		switch (change.type) {
			case 'nodeApplied':
				this.#applyNode(withKnownZoneLabels(change.node, this.#settings), seen);
				break;
			case 'nodeDeleted':
				this.#deleteNode(change.name, seen);
				break;
			case 'podApplied':
				this.#applyPod(change.pod, change.before, seen);
				break;
			case 'podDeleted':
				this.#removePod(podKey(change), change.before);
				break;
			case 'leaseApplied':
				this.#applyLease(change.lease, seen);
				break;
			case 'eventApplied':
				if (this.#events.take(change.event)) this.#follow(change.event);
				break;
			case 'leaseDeleted':
			case 'eventDeleted':
				break;
		}
	}

	#applyLease(lease: Lease, seen: Interval | undefined): void {
		if (isControllerManagerLease(lease)) {
			// Without an election, a lease that is left over tells nothing of the controllers.
			if (this.#settings.leaderElection && this.#passes.applyLeader(lease)) this.#learnStart();
			return;
		}
		// Without the gate the controller never looks at them.
		if (lease.namespace !== nodeLeaseNamespace || !this.#settings.nodeLease) return;
		this.#showLeases();
		const known = this.#nodes.get(lease.name);
		if (known) this.#nodes.set(lease.name, withRenewal(known, lease, seen));
	}

	/** A lease was seen: that of a node without one is missing, and not merely hidden. */
	#showLeases(): void {
		if (this.#hasSeenLease) return;
		this.#hasSeenLease = true;
		for (const [name, one] of this.#nodes) this.#nodes.set(name, {...one, isLeaseHidden: false});
	}

	/** One look shows how often kubelets without a lease post only by all of them together. */
	#estimateHeartbeats(): void {
		const without = [...this.#nodes.values()].filter(
			({renewTime, isLeaseHidden}) => renewTime === undefined && !isLeaseHidden,
		);
		const heartbeats = heartbeatsInInitialList(
			without.map(({node}) => node),
			this.#now,
		);
		for (const one of without) this.#nodes.set(one.node.name, {...one, heartbeats});
	}

	/** New controllers know nothing: every timer starts again. */
	#learnStart(): void {
		this.#passes.findFirstPass(this.#nodes);
		this.#timers.restart(this.#nodes.values(), this.controllersStarted);
	}

	/** What follows of something that the controllers reported. */
	#follow({reason, about}: ClusterEvent): void {
		// What follows of the other is worked out anew each time.
		if (reason === 'RegisteredNode' || reason === 'DeletingAllPods') return;
		if (reason === 'NodeNotReady') {
			const known = this.#nodes.get(about);
			if (!known) return;
			this.#nodes.set(about, this.#dated(known));
			// Of what came later, the watch itself has told, by our own clock.
			const before = this.#events.notReady(about).filter(({at}) => at.hi <= this.#watchingSince);
			for (const seen of before) this.#sawUnknown(about, turnedUnknownIn(seen, this.#settings), true);
			return;
		}
		const pod = this.#pods.get(about);
		const one = pod && this.#nodes.get(pod.nodeName);
		if (pod && one) this.#timers.reported(pod, one, this.#found);
	}

	/** A transition that was only found, in whole seconds, is dated by what the controller reported of it. */
	#dated(one: NodeEvidence): NodeEvidence {
		const {node, readyChangedAt} = one;
		if (!isUnknown(node) || !readyChangedAt || width(readyChangedAt) <= watchDelivery) return one;
		for (const seen of this.#events.notReady(node.name)) {
			const at = intersect(readyChangedAt, turnedUnknownIn(seen, this.#settings));
			if (at) return {...one, readyChangedAt: at, wasReady: true};
		}
		return one;
	}

	#applyNode(node: Node, seen: Interval | undefined): void {
		const before = this.#nodes.get(node.name);
		const found = nextNodeEvidence(before, node, this.#pods.onNode(node.name), seen, this.#now);
		const after = this.#dated(found);
		this.#goneNodes.nodeApplied(node.name, this.#now);
		this.#hasSeenNodes = true;
		const isLeaseHidden = this.#settings.nodeLease && !this.#hasSeenLease;
		this.#nodes.set(node.name, {...after, isLeaseHidden});
		const unknownAt = turnedUnknownAt(before, after);
		if (unknownAt) this.#sawUnknown(node.name, unknownAt, after !== found);
		if (before && seen && wasCleared(before.node, node)) this.#passes.sawCleared(node.name, seen, this.#now);
		if (seen) this.#followTaints(node, before?.node, seen);
	}

	#sawUnknown(node: string, at: Interval, isReported: boolean): void {
		this.#passes.sawUnknown(node, this.#pods.mapOfNode(node).size, at, isReported, this.#now);
	}

	#deleteNode(name: string, seen: Interval): void {
		const one = this.#nodes.get(name);
		this.#nodes.delete(name);
		if (!one) return;
		this.formerNodes.add(one, seen, this.#returnsMatterFor);
		this.#goneNodes.nodeDeleted(one.node, this.#pods.onNode(name), seen);
	}

	/** What is missing at a first look may be so since ever. */
	get #atFirst(): Interval {
		return {lo: Number.NEGATIVE_INFINITY, hi: this.#now};
	}

	/** Finds pods without a node among those that were seen, once all nodes are known. */
	#lookForNodes(pods: readonly Pod[], seen: Interval): void {
		if (this.#nodes.size === 0) return;
		for (const pod of pods) {
			const isThere = this.#pods.get(podKey(pod)) === pod;
			if (isThere && pod.nodeName !== '' && !this.#nodes.has(pod.nodeName))
				this.#goneNodes.podSeen(pod, seen);
		}
	}

	#followTaints(node: Node, before: Node | undefined, seen: Interval): void {
		const [old, young] = [before ? noExecuteTaints(before) : [], noExecuteTaints(node)];
		if (!isSameTaints(old, young)) this.#timers.lookAtNode(node, seen, `the taint was seen arriving`);
	}

	#applyPod(pod: Pod, before: Pod | undefined, seen: Interval): void {
		if (before && (before.uid !== pod.uid || before.nodeName !== pod.nodeName))
			this.#goneNodes.podRemoved(before, this.#now);
		const isSame =
			before?.nodeName === pod.nodeName && isSameTolerations(before.tolerations, pod.tolerations);
		const node = this.#nodes.get(pod.nodeName)?.node;
		// One that was never looked at did not arrive now: its timer is judged once all of them are known.
		if (isSame || !node || seen.lo === Number.NEGATIVE_INFINITY) return;
		this.#timers.lookAtPod(pod, node, seen, 'the pod was seen arriving');
	}

	#removePod(key: string, pod: Pod | undefined): void {
		if (pod) this.#goneNodes.podRemoved(pod, this.#now);
		this.timers.delete(key);
	}

	get #found(): TimersFound {
		return {
			nodes: this.#nodes.values(),
			controllersStarted: this.controllersStarted,
			lastLongPass: this.#passes.lastLongPass,
			now: this.#now,
		};
	}

	#dropMissing(changes: readonly Change[], seen: Interval): void {
		for (const one of changes) {
			if (one.type === 'nodeDeleted') this.#deleteNode(one.name, seen);
			if (one.type === 'podDeleted') this.#removePod(podKey(one), one.before);
		}
	}
}

/** Whether leases were listed and no node has one: then they are not hidden, but missing. */
const areWithoutLeases = ({leases, nodes, source}: ClusterSnapshot): boolean =>
	nodes.length > 0 && leases !== undefined && (source === 'cluster' || leases.some(isControllerManagerLease));

const isUnknown = (node: Node): boolean => nodeCondition(node, 'Ready')?.status === 'Unknown';

const isRegistration = (observation: Observation): boolean =>
	observation.type === 'eventApplied' && observation.event.reason === 'RegisteredNode';
