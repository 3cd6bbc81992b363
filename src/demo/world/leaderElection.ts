import {controllerManagerLease} from '../../core/model/lease.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import {encodeLease} from '../encode/encodeLease.ts';
import {uidOf} from '../encode/workload.ts';
import {controlPlaneNode} from './initialCluster.ts';
import type {ObjectStore} from './objectStore.ts';

/** The leader's next renewal; `term` distinguishes it from earlier leaders. */
export type LeaderEvent = {readonly type: 'leadOn'; readonly term: number};

const retryPeriod: Duration = 2 * second;
const leaseDuration: Duration = 15 * second;

/** The leader lease of kube-controller-manager. */
export class LeaderElection {
	readonly #store: ObjectStore;
	readonly #schedule: (dueAt: Instant, event: LeaderEvent) => void;
	#term = 0;
	#isLed = false;
	#acquireTime: Instant = 0;

	constructor(store: ObjectStore, schedule: (dueAt: Instant, event: LeaderEvent) => void) {
		this.#store = store;
		this.#schedule = schedule;
	}

	/** A new process acquires the lease. */
	acquire(now: Instant): void {
		this.#term++;
		this.#isLed = true;
		this.#acquireTime = now;
		this.handle({type: 'leadOn', term: this.#term}, now);
	}

	/** The leader's process ends without releasing the lease. */
	abandon(): void {
		this.#isLed = false;
	}

	handle({type, term}: LeaderEvent, now: Instant): void {
		if (!this.#isLed || term !== this.#term) return;
		const holderIdentity = `${controlPlaneNode}_${uidOf('process', '', String(term))}`;
		const writes = [{manager: controllerManagerLease.name, operation: 'Update', time: now}];
		const lease = {...controllerManagerLease, holderIdentity, leaseDuration, leaseTransitions: term - 1};
		this.#store.put(
			'leases',
			encodeLease({...lease, acquireTime: this.#acquireTime, renewTime: now, writes}),
		);
		this.#schedule(now + retryPeriod, {type, term});
	}
}
