import {nodeLeaseNamespace} from '../../core/model/lease.ts';
import {type Duration, type Instant, minute, second} from '../../core/time/instant.ts';
import {encodeDemoLease} from '../encode/encodeOthers.ts';
import type {DemoCluster} from './demoCluster.ts';

const renewInterval: Duration = 10 * second;
const leaseDuration: Duration = 40 * second;
const statusInterval: Duration = 5 * minute;
/** How long a kubelet takes after its return to learn which of its pods are deleted. */
const catchUpDuration: Duration = 1500;
/** The largest error of kubelets' clocks, ahead or behind. */
const clockError: Duration = 300;

/** The kubelets of the demo. They write leases to the store, and end pods whose deletion reaches them. */
export class DemoKubelets {
	readonly #cluster: DemoCluster;
	/** Distinguishes the run of a kubelet from its earlier ones. */
	readonly #runs = new Map<string, number>();
	readonly #renewAt = new Map<string, Instant>();
	/** Before the demo is visible, renewals are not written to the store. */
	#isSeen = false;

	constructor(cluster: DemoCluster) {
		this.#cluster = cluster;
	}

	/** Starts a kubelet at a random point of its renewal interval, or at once if it is returning. */
	start(node: string, isReturning: boolean, now: Instant): void {
		const {simulation, random, follow, schedule} = this.#cluster;
		const run = this.#nextRun(node);
		const firstRenewalAt = isReturning ? now : now + random.next() * renewInterval;
		const clockOffset = (2 * random.next() - 1) * clockError;
		const heartbeat = {firstRenewalAt, renewInterval, statusInterval, hasLease: true, clockOffset};
		follow(simulation.startKubelet(node, heartbeat, isReturning));
		this.#scheduleRenewal(node, run, firstRenewalAt);
		if (!isReturning) return;
		schedule(now + catchUpDuration, () => {
			if (this.#runs.get(node) === run) this.#catchUp(node);
		});
	}

	/** Writes the current leases to the store, and from now on each renewal. */
	show(now: Instant): void {
		this.#isSeen = true;
		for (const [node, dueAt] of this.#renewAt) this.#putLease(node, now, dueAt - renewInterval);
	}

	/** Stops a kubelet; its lease and its pods stay as they are. */
	stop(node: string, now: Instant): void {
		// The controllers have seen a renewal at this very instant, so clients must see it as well.
		if (this.#renewAt.get(node) === now) this.#putLease(node, now);
		this.#nextRun(node);
		this.#cluster.simulation.stopKubelet(node);
	}

	#scheduleRenewal(node: string, run: number, dueAt: Instant): void {
		this.#renewAt.set(node, dueAt);
		this.#cluster.schedule(dueAt, (now) => {
			if (this.#runs.get(node) !== run) return;
			this.#putLease(node, now);
			this.#scheduleRenewal(node, run, now + renewInterval);
		});
	}

	#nextRun(node: string): number {
		const run = (this.#runs.get(node) ?? 0) + 1;
		this.#runs.set(node, run);
		return run;
	}

	#putLease(node: string, now: Instant, writtenAt = now): void {
		if (!this.#isSeen) return;
		const {simulation, store} = this.#cluster;
		const renewTime = simulation.kubelets.renewTime(node, now);
		if (renewTime === undefined) return;
		// The renewal is dated by the holder's clock, the write by the API server's.
		const writes = [{manager: 'kubelet', operation: 'Update', time: writtenAt}];
		const lease = {namespace: nodeLeaseNamespace, name: node, holderIdentity: node};
		const createdAt = simulation.state.node(node)?.node.createdAt ?? now;
		store.put('leases', encodeDemoLease({...lease, leaseDuration, renewTime, writes}, createdAt));
	}

	#catchUp(node: string): void {
		const {simulation, putPod, removePod} = this.#cluster;
		for (const {readyChangedAt: _, ...pod} of simulation.state.podsOnNode(node)) {
			if (pod.deletionTimestamp !== undefined) removePod(pod);
			else if (pod.ready !== 'True')
				putPod({...pod, phase: 'Running', ready: 'True', readySince: simulation.now});
		}
	}
}
