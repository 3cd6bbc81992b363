import type {ClusterSnapshot} from '../../src/core/model/clusterSnapshot.ts';
import {controllerManagerLease, type Lease, nodeLeaseNamespace} from '../../src/core/model/lease.ts';
import type {Node} from '../../src/core/model/node.ts';
import type {Observation} from '../../src/core/model/observation.ts';
import type {Pod} from '../../src/core/model/pod.ts';
import type {Simulation} from '../../src/core/simulation/simulation.ts';
import type {Duration, Instant} from '../../src/core/time/instant.ts';

const wholeSecond = (instant: Instant) => Math.floor(instant / 1000) * 1000;

/** A node as the API shows it: times are whole seconds, and the kubelet's times are by its own clock. */
function shownNode(node: Node, clockOffset: (node: string) => Duration = () => 0): Node {
	const offset = clockOffset(node.name);
	return {
		...node,
		conditions: node.conditions.map((condition) => ({
			...condition,
			lastHeartbeatTime: wholeSecond(condition.lastHeartbeatTime + offset),
			lastTransitionTime: wholeSecond(
				condition.lastTransitionTime + (condition.status === 'Unknown' ? 0 : offset),
			),
		})),
		taints: node.taints.map(({timeAdded, ...taint}) =>
			timeAdded === undefined ? taint : {...taint, timeAdded: wholeSecond(timeAdded)},
		),
		...(node.taintWrites && {
			taintWrites: node.taintWrites.map((write) => ({...write, time: wholeSecond(write.time)})),
		}),
	};
}

function shownPod({readyChangedAt, readySince, evictedAt, deviceEvictedAt, ...pod}: Pod): Pod {
	return {
		...pod,
		...(readySince !== undefined && {readySince: wholeSecond(readySince)}),
		...(readyChangedAt !== undefined && {readyChangedAt: wholeSecond(readyChangedAt)}),
		...(evictedAt !== undefined && {evictedAt: wholeSecond(evictedAt)}),
		...(deviceEvictedAt !== undefined && {deviceEvictedAt: wholeSecond(deviceEvictedAt)}),
	};
}

const leaderRenewInterval = 2000;

/** A client's view of a simulated cluster: a list at an instant, and the changes since the last call. */
export class ClientView {
	readonly #simulation: Simulation;
	/** When the current controllers started, for their leader lease. */
	controllersStarted: Instant;
	/** When the last controllers stopped; undefined while some run. */
	controllersEnded: Instant | undefined;
	readonly #nodes = new Map<string, Node>();
	readonly #pods = new Map<string, Pod>();
	/** The last shown version of each lease. */
	readonly #leases = new Map<string, string>();
	#leaderRenewedAt: Instant = Number.NEGATIVE_INFINITY;

	readonly #clockOffset: ((node: string) => Duration) | undefined;

	/**
	 * @param clockOffset how far a kubelet's clock is ahead; if given, leases also carry the API server's own time of each
	 * renewal, in whole seconds, as their managed fields do
	 */
	constructor(simulation: Simulation, clockOffset?: (node: string) => Duration) {
		this.#simulation = simulation;
		this.#clockOffset = clockOffset;
		this.controllersStarted = simulation.now;
	}

	/** What a list returns now. */
	list(): ClusterSnapshot {
		const {state, now} = this.#simulation;
		const nodes = state.nodes().map(({node}) => node);
		return {
			observedAt: now,
			source: 'cluster',
			nodes: nodes.map((node) => shownNode(node, this.#clockOffset)),
			pods: [...state.pods.values()].map(shownPod),
			leases: [this.#leader(), ...nodes.flatMap(({name}) => this.#lease(name) ?? [])],
			problems: [],
		};
	}

	/** The changes since the last call; the leader's renewal comes first, as controllers lead before they act. */
	watch(): readonly Observation[] {
		const {nodes, pods} = this.#simulation.state.takeChanges();
		const changed = [...this.#changedNodes(nodes), ...this.#changedPods(pods)];
		return [...this.#renewalOfLeader(), ...changed, ...this.#renewedNodeLeases()];
	}

	#leader(): Lease {
		const {now} = this.#simulation;
		return {
			...controllerManagerLease,
			holderIdentity: 'control-plane',
			leaseDuration: 15_000,
			acquireTime: this.controllersStarted,
			renewTime: Math.min(now, this.controllersEnded ?? now),
		};
	}

	#lease(name: string): Lease | undefined {
		const {kubelets, state, now} = this.#simulation;
		const renewedAt = kubelets.renewTime(name, now) ?? state.leaseRenewTime(name);
		if (renewedAt === undefined) return undefined;
		const touched = state.leaseTouchedAt(name) ?? Number.NEGATIVE_INFINITY;
		const touchedAt = touched > renewedAt ? {touchedAt: wholeSecond(touched)} : {};
		if (!this.#clockOffset) return {namespace: nodeLeaseNamespace, name, renewTime: renewedAt, ...touchedAt};
		const writes = [{manager: 'kubelet', operation: 'Update', time: wholeSecond(renewedAt)}];
		return {
			namespace: nodeLeaseNamespace,
			name,
			renewTime: renewedAt + this.#clockOffset(name),
			writes,
			...touchedAt,
		};
	}

	#changedNodes(names: ReadonlySet<string>): readonly Observation[] {
		const {state} = this.#simulation;
		const [changed, gone]: [Observation[], Observation[]] = [[], []];
		for (const name of [...names].toSorted()) {
			const node = state.node(name)?.node;
			if (!node && this.#nodes.has(name)) gone.push({type: 'nodeDeleted', name});
			if (node && this.#nodes.get(name) !== node)
				changed.push({type: 'nodeApplied', node: shownNode(node, this.#clockOffset)});
			if (node) this.#nodes.set(name, node);
			else this.#nodes.delete(name);
		}
		return [...changed, ...gone];
	}

	#changedPods(keys: ReadonlySet<string>): readonly Observation[] {
		const {state} = this.#simulation;
		const [changed, gone]: [Observation[], Observation[]] = [[], []];
		for (const key of keys) {
			const [pod, before] = [state.pod(key), this.#pods.get(key)];
			if (!pod && before) gone.push({type: 'podDeleted', namespace: before.namespace, name: before.name});
			if (pod && before !== pod) changed.push({type: 'podApplied', pod: shownPod(pod)});
			if (pod) this.#pods.set(key, pod);
			else this.#pods.delete(key);
		}
		return [...changed, ...gone];
	}

	#renewalOfLeader(): readonly Observation[] {
		const leader = this.#leader();
		const isRenewed = (leader.renewTime ?? 0) - this.#leaderRenewedAt >= leaderRenewInterval;
		if (isRenewed) this.#leaderRenewedAt = leader.renewTime ?? 0;
		return isRenewed ? [{type: 'leaseApplied', lease: leader}] : [];
	}

	#renewedNodeLeases(): readonly Observation[] {
		return [...this.#nodes.keys()].flatMap((name): readonly Observation[] => {
			const lease = this.#lease(name);
			if (!lease && this.#leases.delete(name))
				return [{type: 'leaseDeleted', namespace: nodeLeaseNamespace, name}];
			const shown = lease && `${lease.renewTime} ${lease.touchedAt}`;
			if (!lease || this.#leases.get(name) === shown) return [];
			this.#leases.set(name, `${shown}`);
			return [{type: 'leaseApplied', lease}];
		});
	}
}
