import type {ClusterEvent} from '../../core/model/clusterEvent.ts';
import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {isControllerManagerLease, type Lease, nodeLeaseNamespace} from '../../core/model/lease.ts';
import {isReadyNode, type Node} from '../../core/model/node.ts';
import type {Observation} from '../../core/model/observation.ts';
import {type Pod, podKey} from '../../core/model/pod.ts';
import type {RepairObject} from '../../core/model/repairObject.ts';
import {isSameTolerations} from '../../core/model/toleration.ts';
import {withKnownZoneLabels} from '../../core/model/zone.ts';
import {countsAlike, isExcludedFromDisruptionChecks} from '../../core/nodelifecycle/nodeLabels.ts';
import {beginningOfTime, type Duration, type Instant} from '../../core/time/instant.ts';
import type {StoreChange} from '../../store/change.ts';
import type {ClusterStore} from '../../store/clusterStore.ts';
import type {PodIndex} from '../../store/podIndex.ts';
import type {PodTimers} from './countdowns/podTimers.ts';
import {TimerEvidence, type TimersFound} from './countdowns/timerEvidence.ts';
import {EventEvidence} from './eventEvidence.ts';
import type {Interval} from './interval.ts';
import {watchDelivery} from './latencies.ts';
import {DeletedNodes} from './nodes/deletedNodes.ts';
import {wasUntainted} from './nodes/lifecycleTaint.ts';
import {MissingNodes} from './nodes/missingNodes.ts';
import {type NodeEvidence, turnedUnknownAt} from './nodes/nodeEvidence.ts';
import {isAffected, returnsMatterFor} from './nodes/nodeLiveness.ts';
import {ObservedNodes} from './nodes/observedNodes.ts';
import {ControllerEvidence} from './passes/controllerEvidence.ts';
import {withMarks} from './passes/passCalls.ts';
import {type PassObservation, turnedUnknownIn} from './passes/passObservations.ts';

/** Derives from each change what it proves of nodes, monitor passes, countdowns and the controllers, as intervals. */
export class Evidence {
	readonly settings: ControllerSettings;
	readonly pods: PodIndex;
	/** The nodes of which only is known that they are there. */
	readonly unseenNodes: ReadonlySet<string>;
	readonly events = new EventEvidence();
	/** The nodes that were seen to be deleted, or to change how they count. */
	readonly deletedNodes = new DeletedNodes();
	/** The nodes that do not exist though pods are bound to them. */
	readonly missingNodes = new MissingNodes();
	/** Who leads, since when, and observations of monitor passes. */
	readonly controllers: ControllerEvidence;
	readonly repair: ReadonlyMap<string, RepairObject>;
	readonly observedNodes: ObservedNodes;
	readonly #returnsMatterFor: Duration;
	readonly #timers: TimerEvidence;
	#now: Instant = 0;
	#watchingSince: Instant = 0;
	#hasLooked = false;
	/** Kept until the next change: a forecast asks several times, and many pods may have to be read. */
	#passObservations: readonly PassObservation[] | undefined;

	/** @param store holds each batch before it is observed here */
	constructor(settings: ControllerSettings, store: ClusterStore) {
		this.settings = settings;
		this.pods = store.pods;
		this.unseenNodes = store.unseenNodes;
		this.repair = store.repair;
		this.#returnsMatterFor = returnsMatterFor(settings);
		this.observedNodes = new ObservedNodes(settings, this.pods, this.events);
		this.controllers = new ControllerEvidence(settings, this.events);
		this.#timers = new TimerEvidence(settings, this.pods, this.events);
	}

	get nodes(): ReadonlyMap<string, NodeEvidence> {
		return this.observedNodes.all;
	}

	get timers(): PodTimers {
		return this.#timers.timers;
	}

	get now(): Instant {
		return this.#now;
	}

	/** When the controllers that run now started; the beginning of time if that cannot be seen. */
	get controllersStarted(): Interval {
		return this.controllers.started;
	}

	/** All observations of monitor passes of the controllers that run now. */
	get passObservations(): readonly PassObservation[] {
		this.#passObservations ??= this.controllers
			.observations(this.nodes, this.#now)
			.map((one) =>
				one.node
					? withMarks(one, this.nodes.get(one.node), this.pods.mapOfNode(one.node).values(), this.settings)
					: one,
			);
		return this.#passObservations;
	}

	/**
	 * Takes in changes seen at an instant of our own clock. The first batch is a first look.
	 *
	 * @param since the earliest time at which the changes may have happened; minus infinity for objects that were never seen
	 */
	observe(changes: readonly StoreChange[], arrivedAt: Instant, since: Instant = arrivedAt) {
		this.#passObservations = undefined;
		// A first look without nodes: they may not be readable. If they come later, that is a first look again.
		const hasNodes = changes.some(({type}) => type === 'nodeApplied');
		if (this.nodes.size === 0 && (hasNodes || !this.#hasLooked)) {
			this.#firstLook(changes, arrivedAt);
			return;
		}
		this.#now = Math.max(this.#now, arrivedAt);
		const seen = {lo: Math.min(since, arrivedAt - watchDelivery), hi: arrivedAt};
		for (const change of changes) {
			switch (change.type) {
				case 'nodeApplied':
					this.#applyNode(withKnownZoneLabels(change.node, this.settings), seen);
					break;
				case 'leaseApplied':
					this.#applyLeader(change.lease);
					this.observedNodes.applyLease(change.lease, seen, this.controllersStarted);
					break;
				case 'podApplied':
					this.#applyPod(change.pod, change.before, seen);
					break;
				case 'eventApplied':
					if (this.events.take(change.event)) this.#follow(change.event);
					break;
				case 'leaseDeleted':
					this.observedNodes.deleteLease(change, arrivedAt);
					break;
				case 'nodeDeleted':
					this.#deleteNode(change.name, seen);
					break;
				case 'podDeleted':
					this.#removePod(podKey(change), change.before);
					break;
				default:
			}
		}
		if (changes.some(isRegistration)) this.#learnStart();
		const pods = podsIn(changes);
		if (since === beginningOfTime) this.#timers.find(this.#found, new Set(pods.map(podKey)));
		this.#lookForNodes(pods, seen);
	}

	/** Takes in the whole state: objects that are missing may have been missing for any time. */
	#firstLook(changes: readonly StoreChange[], now: Instant) {
		this.#now = now;
		this.#watchingSince = now;
		this.#hasLooked = true;
		const pods = podsIn(changes);
		const leases = changes.flatMap((one) => (one.type === 'leaseApplied' ? one.lease : []));
		const events = changes.flatMap((one) =>
			one.type === 'eventApplied' && this.events.take(one.event) ? one.event : [],
		);
		for (const lease of leases) this.#applyLeader(lease);
		if (leases.some(({namespace}) => namespace === nodeLeaseNamespace)) this.observedNodes.showLeases();
		for (const one of changes)
			if (one.type === 'nodeApplied')
				this.#applyNode(withKnownZoneLabels(one.node, this.settings), undefined);
		for (const lease of leases) this.observedNodes.applyLease(lease, undefined, this.controllersStarted);
		this.observedNodes.redate(now);
		this.#learnStart();
		this.observedNodes.estimateHeartbeats(now);
		this.#timers.find(this.#found);
		for (const event of events) this.#follow(event);
		this.#lookForNodes(pods, {lo: beginningOfTime, hi: now});
	}

	/** Judges everything by the present state, as a first look would: some earlier changes were not seen. */
	forgetHistory() {
		this.#passObservations = undefined;
		this.controllers.forgetObservations();
		this.timers.clear();
		this.observedNodes.forgetHistory(this.#now);
		for (const [name, one] of this.nodes) {
			const unknownAt = turnedUnknownAt(undefined, one);
			if (unknownAt) this.#sawUnknown(name, unknownAt, false);
		}
		this.#timers.find(this.#found);
	}

	/** Whether a change that is still to be observed shows only that a healthy node is alive. */
	isRoutine(change: Observation, now: Instant) {
		if (change.type === 'leaseApplied' && isControllerManagerLease(change.lease))
			return this.controllers.isSameLeader(change.lease);
		if (change.type === 'leaseApplied') {
			const renewing = this.nodes.get(change.lease.name);
			return renewing !== undefined && !this.isAffected(renewing, now);
		}
		// Any rollout has events of its owner.
		if (change.type === 'eventApplied') return change.event.reason === 'SuccessfulDelete';
		if (change.type !== 'nodeApplied') return change.type === 'eventDeleted';
		const node = withKnownZoneLabels(change.node, this.settings);
		const known = this.nodes.get(node.name);
		if (!known || this.isAffected(known, now)) return false;
		const next = {...known, node, heartbeatAt: {lo: now, hi: now}};
		return !this.isAffected(next, now) && countsAlike(known.node, node, this.settings);
	}

	/** Whether other nodes of the cluster are not seen, as in a file that lacks them: the states of zones are open then. */
	get lacksNodes() {
		return this.unseenNodes.size > 0;
	}

	/** Whether something is wrong with a node, or was so recently that it still matters. */
	isAffected(one: NodeEvidence, now: Instant) {
		const remembered = this.#returnsMatterFor;
		return isAffected(one, now, remembered) || this.deletedNodes.has(one.node.name, now - remembered);
	}

	/** Without leader election, a leftover lease shows nothing of the controllers. */
	#applyLeader(lease: Lease) {
		if (!this.settings.leaderElection || !isControllerManagerLease(lease)) return;
		if (this.controllers.applyLeader(lease)) this.#learnStart();
	}

	/** Restarts the countdowns on existing nodes, and ends those on deleted ones: new controllers have no memory. */
	#learnStart() {
		this.controllers.findFirstPass(this.nodes);
		const started = this.controllersStarted;
		this.#timers.restart(this.nodes, this.missingNodes.missingBefore(started.lo), started);
	}

	/** Draws conclusions from an event that is new. */
	#follow({reason, about}: ClusterEvent) {
		// These are looked up in `events` where they matter.
		if (reason === 'RegisteredNode' || reason === 'DeletingAllPods' || reason === 'DeletingNode') return;
		if (reason === 'NodeNotReady') {
			const known = this.nodes.get(about);
			if (!known) return;
			this.observedNodes.dateByEvent(known);
			// The watch itself showed later transitions, dated by our own clock.
			const before = this.events.notReady(about).filter(({at}) => at.hi <= this.#watchingSince);
			for (const seen of before) this.#sawUnknown(about, turnedUnknownIn(seen, this.settings), true);
			return;
		}
		const pod = this.pods.get(about);
		const one = pod && this.nodes.get(pod.nodeName);
		if (pod && one) this.#timers.reported(pod, one, this.#found);
	}

	#applyNode(node: Node, seen: Interval | undefined) {
		const {before, unknownAt, isReported} = this.observedNodes.apply(node, seen, this.#now);
		this.missingNodes.nodeApplied(node.name, this.#now);
		if (unknownAt) this.#sawUnknown(node.name, unknownAt, isReported);
		if (before && seen && !countsAlike(before.node, node, this.settings))
			this.deletedNodes.add(before, seen, this.#returnsMatterFor, node);
		// Of running controllers, only a pass that finds all zones down takes the taints off nodes that are down.
		const isByPass = before && wasUntainted(before.node, node) && (isReadyNode(node) || this.#areAllDown);
		if (seen && isByPass) this.controllers.sawCleared(node.name, seen, this.#now);
		const one = this.nodes.get(node.name);
		if (seen && one) this.#timers.lookAtNode(before?.node, one, seen, this.#found);
	}

	get #areAllDown() {
		const isDown = ({node}: NodeEvidence) =>
			!isReadyNode(node) || isExcludedFromDisruptionChecks(node, this.settings);
		return [...this.nodes.values()].every(isDown);
	}

	#sawUnknown(node: string, at: Interval, isReported: boolean) {
		this.controllers.sawUnknown(node, this.pods.mapOfNode(node).size, at, isReported, this.#now);
	}

	#deleteNode(name: string, seen: Interval) {
		const one = this.observedNodes.delete(name);
		if (!one) return;
		this.deletedNodes.add(one, seen, this.#returnsMatterFor);
		this.missingNodes.nodeDeleted(one.node, this.pods.onNode(name), seen);
	}

	/** Finds pods whose node does not exist, once nodes are known. */
	#lookForNodes(pods: readonly Pod[], seen: Interval) {
		if (this.nodes.size === 0) return;
		for (const pod of pods) {
			const isThere = this.pods.get(podKey(pod)) === pod;
			if (
				isThere &&
				pod.nodeName !== '' &&
				!this.nodes.has(pod.nodeName) &&
				!this.unseenNodes.has(pod.nodeName)
			)
				this.missingNodes.podSeen(pod, seen);
		}
	}

	#applyPod(pod: Pod, before: Pod | undefined, seen: Interval) {
		if (before && (before.uid !== pod.uid || before.nodeName !== pod.nodeName))
			this.missingNodes.podRemoved(before, this.#now);
		const isSame =
			before?.nodeName === pod.nodeName && isSameTolerations(before.tolerations, pod.tolerations);
		const node = this.nodes.get(pod.nodeName)?.node;
		// A pod that was never seen did not arrive now: `timers.find` judges its timer once all pods are known.
		if (isSame || !node || seen.lo === beginningOfTime) return;
		this.#timers.lookAtPod(pod, node, seen, 'the pod was seen arriving');
	}

	#removePod(key: string, pod: Pod | undefined) {
		if (pod) this.missingNodes.podRemoved(pod, this.#now);
		this.timers.delete(key);
	}

	get #found(): TimersFound {
		return {
			nodes: this.nodes,
			controllersStarted: this.controllersStarted,
			passesDuringTaints: this.controllers.passesDuringTaints,
			now: this.#now,
		};
	}
}

const podsIn = (changes: readonly StoreChange[]): readonly Pod[] =>
	changes.flatMap((one) => (one.type === 'podApplied' ? one.pod : []));

const isRegistration = (observation: Observation) =>
	observation.type === 'eventApplied' && observation.event.reason === 'RegisteredNode';
