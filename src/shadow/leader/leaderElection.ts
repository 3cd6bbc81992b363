import type {Timing} from '../../async/timing.ts';
import {type LeaseStore, leaseDurationOf, type StoredRecord} from '../../cluster/controlplane/leaseWriter.ts';
import {hasStatus} from '../../cluster/transport/requestError.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import {messageOf} from '../../text/userError.ts';
import type {Log} from '../log/log.ts';

// Those of Kubernetes' own components.
const leaseDuration: Duration = 15 * second;
const renewDeadline: Duration = 10 * second;
const retryPeriod: Duration = 2 * second;
const jitterFactor = 1.2;

export type ElectionParts = {
	readonly store: LeaseStore;
	/** Who we are; no two processes may have the same. */
	readonly identity: string;
	/** A clock that nothing turns back. */
	readonly timing: Pick<Timing, 'now' | 'sleep' | 'random'>;
	readonly log: Log;
};

/**
 * Elects one of several processes by a lease, as client-go does. Times in the lease are another machine's and are not
 * believed: what counts is for how long we have seen no change. Who cannot renew for ten seconds leads no more, five before
 * anybody else may.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/tools/leaderelection/leaderelection.go LeaderElector
 */
export class LeaderElection {
	readonly #parts: ElectionParts;
	#observed: StoredRecord | undefined;
	#observedAt: Instant = 0;
	/** When we last held the lease for certain: before the request that renewed it was sent. */
	#renewedAt: Instant | undefined;
	#leads = false;
	/** Whether the end cut a request off that may have arrived. */
	#wasCutOff = false;

	constructor(parts: ElectionParts) {
		this.#parts = parts;
	}

	/** Whether we lead now, by the clock: a process that slept does not think so for long. */
	get isLeader(): boolean {
		const {timing} = this.#parts;
		return this.#leads && this.#renewedAt !== undefined && timing.now() - this.#renewedAt < renewDeadline;
	}

	/** Who leads as far as is known; empty where nobody is known to. */
	get leader(): string {
		return this.#observed?.holderIdentity ?? '';
	}

	/** Takes part until the signal; gives the lease back then, so that another need not wait. */
	async run(signal: AbortSignal): Promise<void> {
		const {timing} = this.#parts;
		while (!signal.aborted) {
			await this.#tryOnce(signal);
			const wait = this.#leads ? retryPeriod : retryPeriod * (1 + timing.random() * jitterFactor);
			await timing.sleep(wait, signal);
		}
		await this.#release();
	}

	async #tryOnce(signal: AbortSignal): Promise<void> {
		const {log, identity} = this.#parts;
		const before = this.#leads;
		try {
			const hasLease = await this.#acquireOrRenew(
				AbortSignal.any([signal, AbortSignal.timeout(renewDeadline)]),
			);
			this.#leads = hasLease;
			if (hasLease && !before) log.info('this process leads', {identity});
		} catch (error) {
			if (signal.aborted) {
				this.#wasCutOff = true;
				return;
			}
			// The next attempt tells what another wrote in between.
			if (!hasStatus(error, 409)) log.warn('the lease cannot be read or written', {error: messageOf(error)});
			this.#leads = this.isLeader;
		}
		if (before && !this.#leads) log.warn('this process leads no more', {leader: this.leader});
	}

	/** Whether the lease is ours then. */
	async #acquireOrRenew(signal: AbortSignal): Promise<boolean> {
		const {store, timing, identity} = this.#parts;
		const now = timing.now();
		const ours = {
			holderIdentity: identity,
			leaseDurationSeconds: leaseDuration / second,
			renewTime: now,
			acquireTime: now,
			leaseTransitions: 0,
		};
		const found = await store.read(signal);
		if (!found) return this.#hold(await store.create(ours, signal), now);
		this.#observe(found, timing.now());
		const isOurs = found.holderIdentity === identity;
		const isValid = this.#observedAt + leaseDurationOf(found) > timing.now();
		if (!isOurs && found.holderIdentity !== '' && isValid) return false;
		const {resourceVersion, acquireTime, leaseTransitions} = found;
		const next = isOurs ? {acquireTime, leaseTransitions} : {leaseTransitions: leaseTransitions + 1};
		return this.#hold(await store.update({...ours, ...next, resourceVersion}, signal), now);
	}

	#hold(record: StoredRecord, sentAt: Instant): boolean {
		this.#observe(record, sentAt);
		this.#renewedAt = sentAt;
		return true;
	}

	#observe(record: StoredRecord, now: Instant): void {
		if (record.resourceVersion === this.#observed?.resourceVersion) return;
		this.#observed = record;
		this.#observedAt = now;
	}

	async #release(): Promise<void> {
		const {store, identity, log} = this.#parts;
		this.#leads = false;
		const signal = AbortSignal.timeout(renewDeadline / 2);
		try {
			const record = this.#wasCutOff ? await store.read(signal) : this.#observed;
			if (record?.holderIdentity !== identity) return;
			await this.#giveBack(record, signal).catch(async (error: unknown) => {
				if (!hasStatus(error, 409)) throw error;
				// Our own last word may have come in between; what another wrote is theirs.
				const found = await store.read(signal);
				if (found?.holderIdentity === identity) await this.#giveBack(found, signal);
			});
		} catch (error) {
			log.warn('the lease cannot be given back; another takes it when it ends', {error: messageOf(error)});
		}
	}

	async #giveBack(record: StoredRecord, signal: AbortSignal): Promise<void> {
		const now = this.#parts.timing.now();
		const free = {holderIdentity: '', leaseDurationSeconds: 1, renewTime: now, acquireTime: now};
		await this.#parts.store.update({...record, ...free}, signal);
	}
}
