import {nodeLeaseNamespace} from '../../core/model/lease.ts';
import type {Pod} from '../../core/model/pod.ts';
import type {Heartbeat} from '../../core/simulation/kubelets.ts';
import type {Simulation} from '../../core/simulation/simulation.ts';
import {type Duration, type Instant, minute, second} from '../../core/time/instant.ts';
import type {Random} from '../../core/time/random.ts';
import {encodeLease} from '../encode/encodeLease.ts';
import type {ObjectStore} from './objectStore.ts';

/** The next action of a kubelet. `run` distinguishes it from earlier runs of that kubelet. */
export type KubeletEvent = {
	readonly type: 'renewLease' | 'catchUp';
	readonly node: string;
	readonly run: number;
};

type KubeletPorts = {
	readonly simulation: Simulation;
	readonly store: ObjectStore;
	readonly random: Random;
	readonly schedule: (dueAt: Instant, event: KubeletEvent) => void;
	/** Starts the simulation's kubelet and processes the effects. */
	readonly startKubelet: (node: string, heartbeat: Heartbeat, postsReady: boolean) => void;
	readonly putPod: (pod: Pod) => void;
	readonly removePod: (pod: Pod) => void;
};

const renewInterval: Duration = 10 * second;
const leaseDuration: Duration = 40 * second;
const statusInterval: Duration = 5 * minute;
/** How long a kubelet takes after its return to learn which of its pods are deleted. */
const catchUpDuration: Duration = 1500;
/** The largest error of kubelets' clocks, ahead or behind. */
const clockError: Duration = 300;

/** The kubelets of the demo. They write leases to the store, and end pods whose deletion reaches them. */
export class DemoKubelets {
	readonly #ports: KubeletPorts;
	readonly #runs = new Map<string, number>();
	readonly #renewAt = new Map<string, Instant>();
	/** Before the demo is visible, renewals are not written to the store. */
	#isSeen = false;

	constructor(ports: KubeletPorts) {
		this.#ports = ports;
	}

	/** Starts a kubelet at a random point of its renewal interval, or at once if it is returning. */
	start(node: string, isReturning: boolean, now: Instant): void {
		const {random, schedule, startKubelet} = this.#ports;
		const run = this.#nextRun(node);
		const firstRenewalAt = isReturning ? now : now + random.next() * renewInterval;
		const clockOffset = (2 * random.next() - 1) * clockError;
		const heartbeat = {firstRenewalAt, renewInterval, statusInterval, hasLease: true, clockOffset};
		startKubelet(node, heartbeat, isReturning);
		this.#scheduleRenewal(node, run, firstRenewalAt);
		if (isReturning) schedule(now + catchUpDuration, {type: 'catchUp', node, run});
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
		this.#ports.simulation.stopKubelet(node);
	}

	handle({type, node, run}: KubeletEvent, now: Instant): void {
		if (this.#runs.get(node) !== run) return;
		switch (type) {
			case 'renewLease':
				this.#putLease(node, now);
				this.#scheduleRenewal(node, run, now + renewInterval);
				break;
			case 'catchUp':
				this.#catchUp(node);
				break;
		}
	}

	#scheduleRenewal(node: string, run: number, dueAt: Instant): void {
		this.#renewAt.set(node, dueAt);
		this.#ports.schedule(dueAt, {type: 'renewLease', node, run});
	}

	#nextRun(node: string): number {
		const run = (this.#runs.get(node) ?? 0) + 1;
		this.#runs.set(node, run);
		return run;
	}

	#putLease(node: string, now: Instant, writtenAt = now): void {
		if (!this.#isSeen) return;
		const {simulation, store} = this.#ports;
		const renewTime = simulation.kubelets.renewTime(node, now);
		if (renewTime === undefined) return;
		// The renewal is dated by the holder's clock, the write by the API server's.
		const writes = [{manager: 'kubelet', operation: 'Update', time: writtenAt}];
		const lease = {namespace: nodeLeaseNamespace, name: node, holderIdentity: node};
		const createdAt = simulation.state.node(node)?.node.createdAt ?? now;
		store.put('leases', encodeLease({...lease, leaseDuration, renewTime, writes}, createdAt));
	}

	#catchUp(node: string): void {
		const {simulation, putPod, removePod} = this.#ports;
		for (const {readyChangedAt: _, ...pod} of simulation.state.podsOnNode(node)) {
			if (pod.deletionTimestamp !== undefined) removePod(pod);
			else if (pod.ready !== 'True')
				putPod({...pod, phase: 'Running', ready: 'True', readySince: simulation.now});
		}
	}
}
