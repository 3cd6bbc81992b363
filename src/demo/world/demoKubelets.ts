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
export function demoKubelets({simulation, store, random, follow, schedule, putPod, removePod}: DemoCluster) {
	/** Distinguishes the run of a kubelet from its earlier ones. */
	const runs = new Map<string, number>();
	const renewAt = new Map<string, Instant>();
	/** Before the demo is visible, renewals are not written to the store. */
	let isSeen = false;

	const nextRun = (node: string) => {
		const run = (runs.get(node) ?? 0) + 1;
		runs.set(node, run);
		return run;
	};

	const putLease = (node: string, now: Instant, writtenAt = now) => {
		const renewTime = isSeen ? simulation.kubelets.renewTime(node, now) : undefined;
		if (renewTime === undefined) return;
		// The renewal is dated by the holder's clock, the write by the API server's.
		const writes = [{manager: 'kubelet', operation: 'Update', time: writtenAt}];
		const lease = {namespace: nodeLeaseNamespace, name: node, holderIdentity: node};
		const createdAt = simulation.state.node(node)?.node.createdAt ?? now;
		store.put('leases', encodeDemoLease({...lease, leaseDuration, renewTime, writes}, createdAt));
	};

	const scheduleRenewal = (node: string, run: number, dueAt: Instant) => {
		renewAt.set(node, dueAt);
		schedule(dueAt, (now) => {
			if (runs.get(node) !== run) return;
			putLease(node, now);
			scheduleRenewal(node, run, now + renewInterval);
		});
	};

	const catchUp = (node: string) => {
		for (const {readyChangedAt: _, ...pod} of simulation.state.podsOnNode(node)) {
			if (pod.deletionTimestamp !== undefined) removePod(pod);
			else if (pod.ready !== 'True')
				putPod({...pod, phase: 'Running', ready: 'True', readySince: simulation.now});
		}
	};

	return {
		/** Starts a kubelet at a random point of its renewal interval, or at once if it is returning. */
		start(node: string, isReturning: boolean, now: Instant) {
			const run = nextRun(node);
			const firstRenewalAt = isReturning ? now : now + random.next() * renewInterval;
			const clockOffset = (2 * random.next() - 1) * clockError;
			const heartbeat = {firstRenewalAt, renewInterval, statusInterval, hasLease: true, clockOffset};
			follow(simulation.startKubelet(node, heartbeat, isReturning));
			scheduleRenewal(node, run, firstRenewalAt);
			if (!isReturning) return;
			schedule(now + catchUpDuration, () => {
				if (runs.get(node) === run) catchUp(node);
			});
		},
		/** Writes the current leases to the store, and from now on each renewal. */
		show(now: Instant) {
			isSeen = true;
			for (const [node, dueAt] of renewAt) putLease(node, now, dueAt - renewInterval);
		},
		/** Stops a kubelet; its lease and its pods stay as they are. */
		stop(node: string, now: Instant) {
			// The controllers have seen a renewal at this very instant, so clients must see it as well.
			if (renewAt.get(node) === now) putLease(node, now);
			nextRun(node);
			simulation.stopKubelet(node);
		},
	};
}
