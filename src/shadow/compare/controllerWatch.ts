import {hasNewLeader, type Lease} from '../../core/model/lease.ts';
import {
	beginningOfTime,
	type Duration,
	type Instant,
	minute,
	never,
	second,
} from '../../core/time/instant.ts';
import type {Interval} from '../../forecast/observe/interval.ts';
import {acquiredAt, judgeLeader} from '../../forecast/observe/leader.ts';
import type {ObservedTime} from '../../forecast/observe/observedTime.ts';
import type {ControllerState} from '../shadowView.ts';

/** How long an event of the controllers may explain divergences. */
export const remembered: Duration = 30 * minute;
/** Largest difference to the local clock at which an acquire time is used. */
const maxClockError: Duration = 10 * second;
/** Leaders renew every two seconds; a longer delay is a pause. */
const maxRenewalDelay: Duration = 6 * second;
/** Work that a pause delayed is done within this time: two passes, and the queue. */
export const catchUpTime: Duration = 12 * second;

type Period = Interval & {readonly type: 'absence' | 'takeover' | 'pause'};

/** Follows kube-controller-manager's leader lease: who leads, since when, and when nobody did. */
export class ControllerWatch {
	readonly #seen: ObservedTime;
	#lease: Lease | undefined;
	#arrivedAt: Instant = beginningOfTime;
	/** The periods without controllers (`hi` is infinite while one lasts), the takeovers, and the pauses of a holder. */
	#periods: readonly Period[] = [];

	/** @param seen the periods in which the cluster was watched */
	constructor(seen: ObservedTime) {
		this.#seen = seen;
	}

	observe(lease: Lease, arrivedAt: Instant) {
		const before = this.#lease;
		this.checkLease(arrivedAt);
		this.#findPause(before, lease, arrivedAt);
		this.#lease = lease;
		if (before?.renewTime !== lease.renewTime) this.#arrivedAt = arrivedAt;
		const isRunning = this.#leaderAt(arrivedAt).type === 'running';
		if (isRunning) this.#periods = this.#periods.map((one) => ({...one, hi: Math.min(one.hi, arrivedAt)}));
		if (hasNewLeader(before, lease)) {
			const acquired = acquiredAt(lease);
			// The time of a wrong clock is not used.
			const isNear = acquired && Math.abs(acquired.lo - arrivedAt) < maxClockError;
			const lo = isNear ? Math.min(acquired.lo, arrivedAt) : arrivedAt;
			this.#add('takeover', lo, arrivedAt);
		}
		this.#periods = this.#periods.filter(({hi}) => hi > arrivedAt - remembered);
	}

	/** A holder that renews late was paused, or could not reach the API server; the pause is at most the gap between renewals. */
	#findPause(before: Lease | undefined, lease: Lease, arrivedAt: Instant) {
		if (before?.renewTime === undefined || before.acquireTime !== lease.acquireTime) return;
		const byLease = (lease.renewTime ?? before.renewTime) - before.renewTime;
		const length = Math.min(byLease, this.#seen.between(this.#arrivedAt, arrivedAt));
		if (length > maxRenewalDelay) this.#add('pause', arrivedAt - length, arrivedAt);
	}

	checkLease(now: Instant) {
		const leader = this.#leaderAt(now);
		if (leader.type === 'absent' && !this.#periods.some(({hi}) => hi === never))
			this.#add('absence', leader.since, never);
	}

	/** Whether certainly no controllers run. */
	isDown(now: Instant) {
		return this.#leaderAt(now).type === 'absent';
	}

	/** Whether no controllers have run since before an instant until now. */
	isDownSince(at: Instant) {
		return this.#periods.some(({lo, hi}) => lo <= at && hi === never);
	}

	/** Whether their lease has shown since an instant that they run, or that they do not; true without a lease. */
	hasShownSince(at: Instant, now: Instant) {
		if (!this.#lease?.renewTime) return true;
		return this.#arrivedAt > at || this.isDown(now);
	}

	/** Whether they may soon count as absent, or have just resumed: overdue actions may still come. */
	isDoubtful(now: Instant) {
		if (this.#lease === undefined || this.isDown(now)) return false;
		const isPausing = this.#seen.between(this.#arrivedAt, now) > maxRenewalDelay;
		return isPausing || this.#periods.some(({type, hi}) => type === 'pause' && now - hi < catchUpTime);
	}

	/** The newest absence, pause or takeover that overlaps a period. */
	latest(type: Period['type'], {lo, hi}: Interval): Interval | undefined {
		return this.#periods.findLast((one) => one.type === type && one.lo <= hi && one.hi >= lo);
	}

	stateAt(now: Instant): ControllerState {
		const leader = this.#leaderAt(now);
		const {renewTime, holderIdentity} = this.#lease ?? {};
		return {
			isUp: leader.type === 'unseen' ? null : leader.type === 'running',
			leader: holderIdentity ?? null,
			leaderSince: leader.type === 'running' ? (leader.since ?? null) : null,
			renewedAt: renewTime ?? null,
		};
	}

	#leaderAt(now: Instant) {
		return judgeLeader(this.#lease, now, this.#seen);
	}

	#add(type: Period['type'], lo: Instant, hi: Instant) {
		this.#periods = [...this.#periods, {type, lo, hi}];
	}
}
