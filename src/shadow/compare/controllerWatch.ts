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
import {ObservedTime} from '../../forecast/observe/observedTime.ts';
import type {ControllerState} from '../shadowView.ts';

/** How long an event of the controllers may explain divergences. */
export const remembered: Duration = 30 * minute;
/** Largest difference to the local clock at which an acquire time is used. */
const maxClockError: Duration = 10 * second;
/** Leaders renew every two seconds; a longer delay is a pause. */
const maxRenewalDelay: Duration = 6 * second;
/** Work that a pause delayed is done within this time: two passes, and the queue. */
export const catchUpTime: Duration = 12 * second;

/** Follows kube-controller-manager's leader lease: who leads, since when, and when nobody did. */
export class ControllerWatch {
	readonly #seen: ObservedTime;
	#lease: Lease | undefined;
	#arrivedAt: Instant = beginningOfTime;
	/** Periods without controllers; `hi` is infinite while one lasts. */
	#absences: readonly Interval[] = [];
	#takeovers: readonly Interval[] = [];
	#pauses: readonly Interval[] = [];

	/** @param seen the periods in which the cluster was watched */
	constructor(seen = new ObservedTime()) {
		this.#seen = seen;
	}

	observe(lease: Lease, arrivedAt: Instant): void {
		const before = this.#lease;
		this.checkLease(arrivedAt);
		this.#findPause(before, lease, arrivedAt);
		this.#lease = lease;
		if (before?.renewTime !== lease.renewTime) this.#arrivedAt = arrivedAt;
		const isRunning = judgeLeader(lease, arrivedAt, this.#seen).type === 'running';
		if (isRunning) this.#absences = this.#absences.map((one) => ({...one, hi: Math.min(one.hi, arrivedAt)}));
		if (hasNewLeader(before, lease)) {
			const acquired = acquiredAt(lease);
			// The time of a wrong clock is not used.
			const isNear = acquired && Math.abs(acquired.lo - arrivedAt) < maxClockError;
			const lo = isNear ? Math.min(acquired.lo, arrivedAt) : arrivedAt;
			this.#takeovers = [...this.#takeovers, {lo, hi: arrivedAt}];
		}
		this.#forget(arrivedAt - remembered);
	}

	/** A holder that renews late was paused, or could not reach the API server; the pause is at most the gap between renewals. */
	#findPause(before: Lease | undefined, lease: Lease, arrivedAt: Instant): void {
		if (before?.renewTime === undefined || before.acquireTime !== lease.acquireTime) return;
		const byLease = (lease.renewTime ?? before.renewTime) - before.renewTime;
		const length = Math.min(byLease, this.#seen.between(this.#arrivedAt, arrivedAt));
		if (length > maxRenewalDelay) this.#pauses = [...this.#pauses, {lo: arrivedAt - length, hi: arrivedAt}];
	}

	checkLease(now: Instant): void {
		const leader = judgeLeader(this.#lease, now, this.#seen);
		if (leader.type !== 'absent' || this.#absences.some(({hi}) => hi === never)) return;
		this.#absences = [...this.#absences, {lo: leader.since, hi: never}];
	}

	/** Whether certainly no controllers run. */
	isDown(now: Instant): boolean {
		return judgeLeader(this.#lease, now, this.#seen).type === 'absent';
	}

	/** Whether no controllers have run since before an instant until now. */
	isDownSince(at: Instant): boolean {
		return this.#absences.some(({lo, hi}) => lo <= at && hi === never);
	}

	/** Whether their lease has shown since an instant that they run, or that they do not; true without a lease. */
	hasShownSince(at: Instant, now: Instant): boolean {
		if (!this.#lease?.renewTime) return true;
		return this.#arrivedAt > at || this.isDown(now);
	}

	/** Whether they may soon count as absent, or have just resumed: overdue actions may still come. */
	isDoubtful(now: Instant): boolean {
		if (this.#lease === undefined || this.isDown(now)) return false;
		const isPausing = this.#seen.between(this.#arrivedAt, now) > maxRenewalDelay;
		return isPausing || this.#pauses.some(({hi}) => now - hi < catchUpTime);
	}

	/** The newest period without controllers that overlaps a period. */
	absenceIn({lo, hi}: Interval): Interval | undefined {
		return this.#absences.findLast((one) => one.lo <= hi && one.hi >= lo);
	}

	/** The newest pause of a holder that overlaps a period. */
	pauseIn({lo, hi}: Interval): Interval | undefined {
		return this.#pauses.findLast((one) => one.lo <= hi && one.hi >= lo);
	}

	/** The newest takeover within a period. */
	takeoverIn({lo, hi}: Interval): Interval | undefined {
		return this.#takeovers.findLast((one) => one.lo <= hi && one.hi >= lo);
	}

	stateAt(now: Instant): ControllerState {
		const leader = judgeLeader(this.#lease, now, this.#seen);
		const {renewTime, holderIdentity} = this.#lease ?? {};
		return {
			isUp: leader.type === 'unseen' ? null : leader.type === 'running',
			leader: holderIdentity ?? null,
			leaderSince: leader.type === 'running' ? (leader.since ?? null) : null,
			renewedAt: renewTime === undefined ? null : renewTime,
		};
	}

	#forget(before: Instant): void {
		this.#absences = this.#absences.filter(({hi}) => hi > before);
		this.#pauses = this.#pauses.filter(({hi}) => hi > before);
		this.#takeovers = this.#takeovers.filter(({hi}) => hi > before);
	}
}
