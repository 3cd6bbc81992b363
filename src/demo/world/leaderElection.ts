import {controllerManagerLease} from '../../core/model/lease.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import {encodeDemoLease} from '../encode/encodeOthers.ts';
import {uidOf} from '../encode/workload.ts';
import type {DemoCluster} from './demoCluster.ts';
import {controlPlaneNode} from './initialCluster.ts';

const retryPeriod: Duration = 2 * second;
const leaseDuration: Duration = 15 * second;

/** The leader lease of kube-controller-manager. */
export function leaderElection({store, schedule}: DemoCluster) {
	/** Distinguishes a leader from earlier ones. */
	let term = 0;
	let isLed = false;

	const lead = (ofTerm: number, acquireTime: Instant, now: Instant) => {
		if (!isLed || ofTerm !== term) return;
		const holderIdentity = `${controlPlaneNode}_${uidOf('process', '', String(term))}`;
		const writes = [{manager: controllerManagerLease.name, operation: 'Update', time: now}];
		const lease = {...controllerManagerLease, holderIdentity, leaseDuration, leaseTransitions: term - 1};
		store.put('leases', encodeDemoLease({...lease, acquireTime, renewTime: now, writes}, acquireTime));
		schedule(now + retryPeriod, (at) => lead(ofTerm, acquireTime, at));
	};

	return {
		/** A new process acquires the lease. */
		acquire(now: Instant) {
			term++;
			isLed = true;
			lead(term, now, now);
		},
		/** The leader's process ends without releasing the lease. */
		abandon() {
			isLed = false;
		},
	};
}
