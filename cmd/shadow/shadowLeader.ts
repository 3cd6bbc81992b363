import {randomUUID} from 'node:crypto';
import {hostname} from 'node:os';
import {systemTiming} from '../../src/async/timing.ts';
import {openLease} from '../../src/cluster/controlplane/leaseWriter.ts';
import {systemClock} from '../../src/live/clock.ts';
import {LeaderElection} from '../../src/shadow/leader/leaderElection.ts';
import type {Log} from '../../src/shadow/log/log.ts';
import type {FlagValues} from '../args/options.ts';

/** An election that runs, or none: then everybody leads. */
export type Leadership = {
	readonly isLeader: () => boolean;
	/** Gives the lease back. */
	readonly close: () => Promise<void>;
};

/** Takes part in the election that the flags ask for. @throws UserError where no cluster is configured. */
export async function takePart(flags: FlagValues, log: Log): Promise<Leadership | undefined> {
	if (!flags.leaderElect) return undefined;
	const name = flags.leaderElectResourceName ?? 'evictwatch-shadow';
	const store = await openLease(flags, {namespace: flags.leaderElectResourceNamespace, name});
	// As Kubernetes' own components: two processes on one host differ.
	const identity = `${hostname()}_${randomUUID()}`;
	const timing = {...systemTiming, now: systemClock.now};
	const election = new LeaderElection({store, identity, timing, log});
	const end = new AbortController();
	const running = election.run(end.signal);
	log.info('this process takes part in an election', {identity, namespace: store.namespace, lease: name});
	return {
		isLeader: () => election.isLeader,
		close: async () => {
			end.abort();
			await running;
			await store.close();
		},
	};
}
