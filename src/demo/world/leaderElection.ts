import {controllerManagerLease} from '../../core/model/lease.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import {encodeDemoLease} from '../encode/encodeOthers.ts';
import {uidOf} from '../encode/workload.ts';
import type {DemoCluster} from './demoCluster.ts';
import {controlPlaneNode} from './initialCluster.ts';

const retryPeriod: Duration = 2 * second;
const leaseDuration: Duration = 15 * second;

/** The leader lease of kube-controller-manager. */
export class LeaderElection {
	readonly #cluster: DemoCluster;
	/** Distinguishes a leader from earlier ones. */
	#term = 0;
	#isLed = false;

	constructor(cluster: DemoCluster) {
		this.#cluster = cluster;
	}

	/** A new process acquires the lease. */
	acquire(now: Instant): void {
		this.#term++;
		this.#isLed = true;
		this.#lead(this.#term, now, now);
	}

	/** The leader's process ends without releasing the lease. */
	abandon(): void {
		this.#isLed = false;
	}

	#lead(term: number, acquireTime: Instant, now: Instant): void {
		if (!this.#isLed || term !== this.#term) return;
		const holderIdentity = `${controlPlaneNode}_${uidOf('process', '', String(term))}`;
		const writes = [{manager: controllerManagerLease.name, operation: 'Update', time: now}];
		const lease = {...controllerManagerLease, holderIdentity, leaseDuration, leaseTransitions: term - 1};
		this.#cluster.store.put(
			'leases',
			encodeDemoLease({...lease, acquireTime, renewTime: now, writes}, acquireTime),
		);
		this.#cluster.schedule(now + retryPeriod, (at) => this.#lead(term, acquireTime, at));
	}
}
