import type {ClusterSnapshot} from '../core/model/clusterSnapshot.ts';
import type {ControllerSettings} from '../core/model/controllerSettings.ts';
import {isControllerManagerLease, type Lease, nodeLeaseNamespace} from '../core/model/lease.ts';
import {type Node, nodeCondition} from '../core/model/node.ts';
import type {Observation} from '../core/model/observation.ts';
import {type Pod, podKey} from '../core/model/pod.ts';
import {taintNotReady, taintUnreachable} from '../core/model/taint.ts';
import {isSameTolerations} from '../core/model/toleration.ts';
import {noExecuteTaints} from '../core/tainteviction/taintEvictionController.ts';
import {type Duration, type Instant, second} from '../core/time/instant.ts';
import {timerAtFirstLook} from './firstLook.ts';
import {type Interval, wholeSecond} from './interval.ts';
import {judgeLeader, type Leader} from './leader.ts';
import {type NodeEvidence, renewedAtFirstLook} from './nodeEvidence.ts';
import type {PassSign} from './passPhase.ts';
import {PodTimers, tolerationOf} from './podTimers.ts';

const noPods: ReadonlyMap<string, Pod> = new Map();

/** How long a watch takes to bring word of a change. */
const delivery: Duration = second / 10;
/** How long after its start a controller begins its first pass: its caches have to fill. */
const startLag: Duration = second / 2;
/** What a call of the controllers takes at the most, where nothing throttles it. */
const callDuration: Duration = 20;

/** All that was seen of a cluster, and what it says of the controllers' hidden state. */
export class Evidence {
	readonly #settings: ControllerSettings;
	#nodes = new Map<string, NodeEvidence>();
	#pods = new Map<string, Pod>();
	#podsByNode = new Map<string, Map<string, Pod>>();
	#leaderLease: Lease | undefined;
	#signs: PassSign[] = [];
	#timers = new PodTimers();
	#now: Instant = 0;
	#hasLeases = true;

	constructor(settings: ControllerSettings) {
		this.#settings = settings;
	}

	get nodes(): ReadonlyMap<string, NodeEvidence> {
		return this.#nodes;
	}

	get pods(): ReadonlyMap<string, Pod> {
		return this.#pods;
	}

	get timers(): PodTimers {
		return this.#timers;
	}

	/** Whether node leases can be read at all. */
	get hasLeases(): boolean {
		return this.#hasLeases;
	}

	/** The instant up to which things were seen. */
	get now(): Instant {
		return this.#now;
	}

	podsOnNode(name: string): readonly Pod[] {
		return [...this.podMapOfNode(name).values()];
	}

	/** The pods of a node, by key. */
	podMapOfNode(name: string): ReadonlyMap<string, Pod> {
		return this.#podsByNode.get(name) ?? noPods;
	}

	leader(now: Instant): Leader {
		return judgeLeader(this.#leaderLease, now);
	}

	/** When the controllers that run now started; from the beginning of time where that cannot be seen. */
	get controllersStarted(): Interval {
		const acquired = this.#leaderLease?.acquireTime;
		return acquired === undefined
			? {lo: Number.NEGATIVE_INFINITY, hi: Number.NEGATIVE_INFINITY}
			: {lo: acquired, hi: acquired + startLag};
	}

	/** All signs of monitor passes of the controllers that run now. */
	get passSigns(): readonly PassSign[] {
		const {lo, hi} = this.controllersStarted;
		const after = this.#settings.firstPassAfter;
		const first: PassSign[] = Number.isFinite(lo)
			? [{began: {lo: lo + after, hi: hi + after}, extraWork: 0, source: `the controllers' start`}]
			: [];
		return [...first, ...this.#signs.filter(({began}) => began.hi >= lo)];
	}

	/** Takes in a whole list. A later one only tells of what changed since. */
	observeSnapshot(snapshot: ClusterSnapshot): void {
		const isFirst = this.#nodes.size === 0;
		const seen = isFirst ? undefined : {lo: this.#now, hi: snapshot.observedAt};
		this.#now = snapshot.observedAt;
		this.#hasLeases = snapshot.leases !== undefined;
		for (const lease of snapshot.leases ?? []) this.#applyLease(lease, seen);
		for (const pod of snapshot.pods) this.#putPod(pod);
		for (const node of snapshot.nodes) this.#applyNode(node, seen);
		for (const lease of snapshot.leases ?? []) this.#applyLease(lease, seen);
		if (isFirst) this.#lookAtTimers();
		else this.#dropMissing(snapshot);
	}

	/** Takes in what a watch brought at an instant of our own clock. */
	observe(observations: readonly Observation[], arrivedAt: Instant): void {
		this.#now = Math.max(this.#now, arrivedAt);
		const seen = {lo: arrivedAt - delivery, hi: arrivedAt};
		for (const observation of observations) this.#observe(observation, seen);
	}

	#observe(observation: Observation, seen: Interval): void {
		switch (observation.type) {
			case 'nodeApplied':
				this.#applyNode(observation.node, seen);
				break;
			case 'nodeDeleted':
				this.#nodes.delete(observation.name);
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
			this.#applyLeader(lease);
			return;
		}
		const known = this.#nodes.get(lease.name);
		if (lease.namespace !== nodeLeaseNamespace || !known || known.renewTime === lease.renewTime) return;
		const renewedAt = seen ?? renewedAtFirstLook(lease);
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
		const ready = nodeCondition(node, 'Ready');
		const readyBefore = before && nodeCondition(before.node, 'Ready');
		const changed =
			ready?.status !== readyBefore?.status || ready?.lastTransitionTime !== readyBefore?.lastTransitionTime;
		const hasPosted = ready?.lastHeartbeatTime !== readyBefore?.lastHeartbeatTime;
		const changedAt = seen ?? (ready ? wholeSecond(ready.lastTransitionTime) : undefined);
		const postedAt = seen ?? (ready ? wholeSecond(ready.lastHeartbeatTime) : undefined);
		this.#nodes.set(node.name, {
			node,
			renewTime: before?.renewTime,
			renewedAt: before?.renewedAt,
			postedAt: hasPosted ? postedAt : before?.postedAt,
			readyChangedAt: changed ? changedAt : before?.readyChangedAt,
			taintedAt: this.#taintedAt(node, before, seen),
		});
		if (changed && changedAt && ready?.status === 'Unknown') this.#sawPass(node, changedAt);
		if (before && seen && wasCleared(before.node, node)) {
			this.#signs.push({began: seen, extraWork: 0, source: `the taint of node ${node.name} was taken off`});
		}
		if (seen) this.#followTaints(node, before?.node, seen);
	}

	#sawPass(node: Node, changedAt: Interval): void {
		const extraWork = (this.podsOnNode(node.name).length + 4) * callDuration;
		const began = {lo: changedAt.lo - extraWork, hi: changedAt.hi};
		this.#signs.push({began, extraWork, source: `node ${node.name} turned Unknown`});
	}

	#taintedAt(node: Node, before: NodeEvidence | undefined, seen: Interval | undefined): Interval | undefined {
		const own = ownTaint(node);
		if (!own) return undefined;
		if (before && ownTaint(before.node)) return before.taintedAt;
		return seen ?? (own.timeAdded === undefined ? undefined : wholeSecond(own.timeAdded));
	}

	#followTaints(node: Node, before: Node | undefined, seen: Interval): void {
		const [old, young] = [before ? noExecuteTaints(before) : [], noExecuteTaints(node)];
		const isSame = old.length === young.length && old.every((taint, i) => isSameTaint(taint, young[i]));
		if (!isSame) this.#lookAtPods(node, seen, `the taint was seen arriving`);
	}

	#lookAtPods(node: Node, seen: Interval, source: string): void {
		const taints = noExecuteTaints(node);
		for (const pod of this.podsOnNode(node.name)) {
			this.#timers.look(pod, tolerationOf(pod, taints, this.#settings.comparisonOperators), seen, source);
		}
	}

	#applyPod(pod: Pod, seen: Interval): void {
		const before = this.#pods.get(podKey(pod));
		this.#putPod(pod);
		const isSame =
			before?.nodeName === pod.nodeName && isSameTolerations(before.tolerations, pod.tolerations);
		const node = this.#nodes.get(pod.nodeName)?.node;
		if (isSame || !node) return;
		const toleration = tolerationOf(pod, noExecuteTaints(node), this.#settings.comparisonOperators);
		this.#timers.look(pod, toleration, seen, 'the pod was seen arriving');
	}

	#putPod(pod: Pod): void {
		const key = podKey(pod);
		const before = this.#pods.get(key);
		this.#pods.set(key, pod);
		if (before && before.nodeName !== pod.nodeName) this.#podsByNode.get(before.nodeName)?.delete(key);
		const onNode = this.#podsByNode.get(pod.nodeName) ?? new Map<string, Pod>();
		this.#podsByNode.set(pod.nodeName, onNode.set(key, pod));
	}

	#removePod(key: string): void {
		const pod = this.#pods.get(key);
		if (pod) this.#podsByNode.get(pod.nodeName)?.delete(key);
		this.#pods.delete(key);
		this.#timers.delete(key);
	}

	#lookAtTimers(): void {
		const {nodeMonitorPeriod, comparisonOperators} = this.#settings;
		for (const {node} of this.#nodes.values()) {
			const noExecute = noExecuteTaints(node);
			if (noExecute.length === 0) continue;
			const [pods, {controllersStarted}, now] = [this.podsOnNode(node.name), this, this.#now];
			const look = {node, pods, noExecute, controllersStarted, nodeMonitorPeriod, comparisonOperators, now};
			for (const pod of pods) {
				const toleration = tolerationOf(pod, noExecute, comparisonOperators);
				if (toleration.type !== 'limited') continue;
				const {started, fires, source} = timerAtFirstLook(pod, toleration, look);
				this.#timers.look(pod, toleration, started, source, fires);
			}
		}
	}

	#dropMissing({nodes, pods}: ClusterSnapshot): void {
		const [names, keys] = [new Set(nodes.map(({name}) => name)), new Set(pods.map(podKey))];
		for (const name of this.#nodes.keys()) if (!names.has(name)) this.#nodes.delete(name);
		for (const key of this.#pods.keys()) if (!keys.has(key)) this.#removePod(key);
	}
}

const ownTaint = (node: Node) =>
	noExecuteTaints(node).find(({key}) => key === taintNotReady || key === taintUnreachable);

const wasCleared = (before: Node, after: Node) =>
	ownTaint(before) !== undefined && !ownTaint(after) && nodeCondition(after, 'Ready')?.status === 'True';

const isSameTaint = (a: {key: string; value: string}, b: {key: string; value: string} | undefined) =>
	a.key === b?.key && a.value === b.value;
