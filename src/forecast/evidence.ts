import type {ClusterSnapshot} from '../core/model/clusterSnapshot.ts';
import type {ControllerSettings} from '../core/model/controllerSettings.ts';
import {isControllerManagerLease, type Lease, nodeLeaseNamespace} from '../core/model/lease.ts';
import type {Node} from '../core/model/node.ts';
import type {Observation} from '../core/model/observation.ts';
import {type Pod, podKey} from '../core/model/pod.ts';
import {isSameTolerations} from '../core/model/toleration.ts';
import {zoneKey} from '../core/model/zone.ts';
import {noExecuteTaints} from '../core/tainteviction/taintEvictionController.ts';
import {type Duration, type Instant, second} from '../core/time/instant.ts';
import {GoneNodes} from './goneNodes.ts';
import {type Interval, narrowed} from './interval.ts';
import {acquiredAt, judgeLeader, type Leader} from './leader.ts';
import {lookAtTimers} from './lookAtTimers.ts';
import {type NodeEvidence, nextNodeEvidence, renewedAtFirstLook, turnedUnknownAt} from './nodeEvidence.ts';
import {isSameTaints, wasCleared} from './ownTaint.ts';
import type {PassSign} from './passPhase.ts';
import {PodIndex} from './podIndex.ts';
import {PodTimers, tolerationOf} from './podTimers.ts';
import {snapshotOf} from './snapshotOf.ts';
import {isSuspect} from './suspects.ts';

/** How long a watch takes to bring word of a change. */
const delivery: Duration = second / 10;
/** How long a sign of a pass is kept. */
const signsCountFor: Duration = 3600 * second;
/** How long after its start a controller begins its first pass: its caches have to fill. */
const startLag: Duration = second / 2;

/** All that was seen of a cluster, and what it says of the controllers' hidden state. */
export class Evidence {
	readonly #settings: ControllerSettings;
	#nodes = new Map<string, NodeEvidence>();
	#pods = new PodIndex();
	#leaderLease: Lease | undefined;
	#signs: PassSign[] = [];
	#timers = new PodTimers();
	#goneNodes = new GoneNodes();
	#now: Instant = 0;
	#hasLeases = true;

	constructor(settings: ControllerSettings) {
		this.#settings = settings;
	}

	get nodes(): ReadonlyMap<string, NodeEvidence> {
		return this.#nodes;
	}

	get pods(): PodIndex {
		return this.#pods;
	}

	get timers(): PodTimers {
		return this.#timers;
	}

	/** The nodes that pods are bound to and that are not there. */
	get goneNodes(): GoneNodes {
		return this.#goneNodes;
	}

	/** Whether node leases can be read at all. */
	get hasLeases(): boolean {
		return this.#hasLeases;
	}

	/** The instant up to which things were seen. */
	get now(): Instant {
		return this.#now;
	}

	leader(now: Instant): Leader {
		return judgeLeader(this.#leaderLease, now);
	}

	/** When the controllers that run now started; from the beginning of time where that cannot be seen. */
	get controllersStarted(): Interval {
		const acquired = this.#leaderLease && acquiredAt(this.#leaderLease);
		return acquired === undefined
			? {lo: Number.NEGATIVE_INFINITY, hi: Number.NEGATIVE_INFINITY}
			: {lo: acquired.lo, hi: acquired.hi + startLag};
	}

	/** All signs of monitor passes of the controllers that run now. */
	get passSigns(): readonly PassSign[] {
		const {lo, hi} = this.controllersStarted;
		const after = this.#settings.firstPassAfter;
		const first: PassSign[] = Number.isFinite(lo)
			? [{at: {lo: lo + after, hi: hi + after}, calls: 0, source: `the controllers' start`}]
			: [];
		return [...first, ...this.#signs.filter(({at}) => at.hi >= lo)];
	}

	/** Takes in a whole list. A later one only tells of what changed since. */
	observeSnapshot(snapshot: ClusterSnapshot): void {
		const isFirst = this.#nodes.size === 0;
		const seen = isFirst ? undefined : {lo: this.#now, hi: snapshot.observedAt};
		this.#now = snapshot.observedAt;
		this.#hasLeases = snapshot.leases !== undefined;
		for (const lease of snapshot.leases ?? []) this.#applyLease(lease, seen);
		for (const pod of snapshot.pods) {
			if (seen) this.#applyPod(pod, seen);
			else this.#pods.put(pod);
		}
		for (const node of snapshot.nodes) this.#applyNode(node, seen);
		for (const lease of snapshot.leases ?? []) this.#applyLease(lease, seen);
		if (isFirst) lookAtTimers(this, this.#settings);
		else this.#dropMissing(snapshot, seen ?? this.#atFirst);
		this.#lookForNodes(snapshot.pods, seen ?? this.#atFirst);
	}

	/**
	 * Takes in what a watch brought at an instant of our own clock. The first batch is the state as the watch found it:
	 * a first look like any other.
	 *
	 * @param since when these may have happened at the earliest, where nobody watched; at any time before, where these
	 *   objects were never looked at
	 */
	observe(observations: readonly Observation[], arrivedAt: Instant, since: Instant = arrivedAt): void {
		if (this.#nodes.size === 0) {
			this.observeSnapshot(snapshotOf(observations, arrivedAt));
			return;
		}
		this.#now = Math.max(this.#now, arrivedAt);
		const seen = {lo: Math.min(since, arrivedAt - delivery), hi: arrivedAt};
		for (const observation of observations) this.#observe(observation, seen);
		const pods = observations.flatMap((one) => (one.type === 'podApplied' ? one.pod : []));
		if (since === Number.NEGATIVE_INFINITY) lookAtTimers(this, this.#settings, new Set(pods.map(podKey)));
		this.#lookForNodes(pods, seen);
	}

	/** Judges all anew by the present state, as a first look would: what led to it was not all seen. */
	forgetHistory(): void {
		this.#signs = [];
		this.#timers.clear();
		for (const [name, {node, renewTime, renewedAt}] of this.#nodes) {
			const atFirst = nextNodeEvidence(undefined, node, this.#pods.onNode(name), undefined);
			this.#nodes.set(name, {...atFirst, renewTime, renewedAt});
		}
		lookAtTimers(this, this.#settings);
	}

	/** Whether an observation tells nothing but that a healthy node is still alive. */
	isRoutine(observation: Observation, now: Instant): boolean {
		if (observation.type === 'leaseApplied') {
			if (isControllerManagerLease(observation.lease)) {
				return observation.lease.acquireTime === this.#leaderLease?.acquireTime;
			}
			const known = this.#nodes.get(observation.lease.name);
			return known !== undefined && !isSuspect(known, now);
		}
		if (observation.type !== 'nodeApplied') return false;
		const known = this.#nodes.get(observation.node.name);
		if (!known || isSuspect(known, now)) return false;
		const seen = {lo: now, hi: now};
		const next = {...known, node: observation.node, readyChangedAt: known.readyChangedAt, postedAt: seen};
		return !isSuspect(next, now) && zoneKey(known.node) === zoneKey(observation.node);
	}

	#observe(observation: Observation, seen: Interval): void {
		switch (observation.type) {
			case 'nodeApplied':
				this.#applyNode(observation.node, seen);
				break;
			case 'nodeDeleted':
				this.#deleteNode(observation.name, seen);
				break;
			case 'podApplied':
				this.#applyPod(observation.pod, seen);
				break;
			case 'podDeleted':
				this.#removePod(podKey(observation));
				break;
			case 'leaseApplied':
				this.#applyLease(observation.lease, seen);
				break;
			case 'leaseDeleted':
				break;
		}
	}

	#applyLease(lease: Lease, seen: Interval | undefined): void {
		if (isControllerManagerLease(lease)) {
			// Without an election, a lease that is left over tells nothing of the controllers.
			if (this.#settings.leaderElection) this.#applyLeader(lease);
			return;
		}
		const known = this.#nodes.get(lease.name);
		if (lease.namespace !== nodeLeaseNamespace || !known || known.renewTime === lease.renewTime) return;
		const renewedAt = narrowed(seen, renewedAtFirstLook(lease));
		this.#nodes.set(lease.name, {...known, renewTime: lease.renewTime, renewedAt});
	}

	/** New controllers know nothing: every timer starts again. */
	#applyLeader(lease: Lease): void {
		const isNew = this.#leaderLease !== undefined && this.#leaderLease.acquireTime !== lease.acquireTime;
		this.#leaderLease = lease;
		if (!isNew) return;
		this.#timers.clear();
		for (const {node} of this.#nodes.values())
			this.#lookAtPods(node, this.controllersStarted, 'the controllers started again');
	}

	#applyNode(node: Node, seen: Interval | undefined): void {
		const before = this.#nodes.get(node.name);
		const after = nextNodeEvidence(before, node, this.#pods.onNode(node.name), seen);
		this.#goneNodes.nodeApplied(node.name);
		this.#nodes.set(node.name, after);
		const unknownAt = turnedUnknownAt(before, after);
		if (unknownAt) {
			// A status write, two taint writes, and a write and an event for each pod.
			const calls = 2 * this.#pods.mapOfNode(node.name).size + 5;
			this.#sawPass({at: unknownAt, calls, source: `node ${node.name} turned Unknown`});
		}
		if (before && seen && wasCleared(before.node, node)) {
			this.#sawPass({at: seen, calls: 4, source: `the taint of node ${node.name} was taken off`});
		}
		if (seen) this.#followTaints(node, before?.node, seen);
	}

	/** Signs that are too old tell nothing: every pass on the way adds to what is not known. */
	#sawPass(sign: PassSign): void {
		this.#signs = this.#signs.filter(({at}) => at.hi > this.#now - signsCountFor);
		this.#signs.push(sign);
	}

	#deleteNode(name: string, seen: Interval): void {
		const node = this.#nodes.get(name)?.node;
		this.#nodes.delete(name);
		if (node) this.#goneNodes.nodeDeleted(node, this.#pods.onNode(name), seen);
	}

	/** What is missing at a first look may be so since ever. */
	get #atFirst(): Interval {
		return {lo: Number.NEGATIVE_INFINITY, hi: this.#now};
	}

	/** Finds pods without a node among those that were seen, once all nodes are known. */
	#lookForNodes(pods: readonly Pod[], seen: Interval): void {
		if (this.#nodes.size === 0) return;
		for (const pod of pods) {
			if (pod.nodeName !== '' && !this.#nodes.has(pod.nodeName)) this.#goneNodes.podSeen(pod, seen);
		}
	}

	#followTaints(node: Node, before: Node | undefined, seen: Interval): void {
		const [old, young] = [before ? noExecuteTaints(before) : [], noExecuteTaints(node)];
		if (!isSameTaints(old, young)) this.#lookAtPods(node, seen, `the taint was seen arriving`);
	}

	#lookAtPods(node: Node, seen: Interval, source: string): void {
		const taints = noExecuteTaints(node);
		for (const pod of this.#pods.onNode(node.name)) {
			this.#timers.look(pod, tolerationOf(pod, taints, this.#settings.comparisonOperators), seen, source);
		}
	}

	#applyPod(pod: Pod, seen: Interval): void {
		const before = this.#pods.get(podKey(pod));
		this.#pods.put(pod);
		const isSame =
			before?.nodeName === pod.nodeName && isSameTolerations(before.tolerations, pod.tolerations);
		const node = this.#nodes.get(pod.nodeName)?.node;
		// One that was never looked at did not arrive now: its timer is judged once all of them are known.
		if (isSame || !node || seen.lo === Number.NEGATIVE_INFINITY) return;
		const toleration = tolerationOf(pod, noExecuteTaints(node), this.#settings.comparisonOperators);
		this.#timers.look(pod, toleration, seen, 'the pod was seen arriving');
	}

	#removePod(key: string): void {
		this.#pods.delete(key);
		this.#timers.delete(key);
	}

	#dropMissing({nodes, pods}: ClusterSnapshot, seen: Interval): void {
		const [names, keys] = [new Set(nodes.map(({name}) => name)), new Set(pods.map(podKey))];
		for (const name of this.#nodes.keys()) if (!names.has(name)) this.#deleteNode(name, seen);
		for (const key of this.#pods.keys()) if (!keys.has(key)) this.#removePod(key);
	}
}
