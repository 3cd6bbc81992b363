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

/** When nobody ran the controllers; `hi` is infinite while that lasts. */
type Absence = Interval & {readonly holder: string};

/** When controllers took over, and from whom they were taken. */
type Takeover = {readonly at: Interval; readonly holder: string};

/** How long what happened to the controllers may explain anything. */
export const remembered: Duration = 30 * minute;
/** Two takeovers that are no further apart than clocks may be are one. */
const fresh: Duration = 10 * second;
/** A leader renews every two seconds; one that is late by more may be gone. */
const soonAgain: Duration = 6 * second;
/** What a pause put off is done so long after it at the latest: two passes, and the queue. */
export const catchingUp: Duration = 12 * second;

/** Follows kube-controller-manager's leader lease: who runs the controllers, since when, and when nobody did. */
export class ControllerWatch {
	readonly #seen: ObservedTime;
	#lease: Lease | undefined;
	#arrivedAt: Instant = beginningOfTime;
	#absences: readonly Absence[] = [];
	#takeovers: readonly Takeover[] = [];
	#pauses: readonly Interval[] = [];

	/** @param seen for which time the cluster was seen */
	constructor(seen = new ObservedTime()) {
		this.#seen = seen;
	}

	/** Takes in the lease as it was seen. */
	observe(lease: Lease, arrivedAt: Instant): void {
		const before = this.#lease;
		this.look(arrivedAt);
		this.#findPause(before, lease, arrivedAt);
		this.#lease = lease;
		if (before?.renewTime !== lease.renewTime) this.#arrivedAt = arrivedAt;
		const isRunning = judgeLeader(lease, arrivedAt, this.#seen).type === 'running';
		if (isRunning) this.#absences = this.#absences.map((one) => ({...one, hi: Math.min(one.hi, arrivedAt)}));
		if (hasNewLeader(before, lease)) {
			const acquired = acquiredAt(lease);
			// A clock that is far off says nothing.
			const isNear = acquired && Math.abs(acquired.lo - arrivedAt) < fresh;
			const at = isNear
				? {lo: Math.min(acquired.lo, arrivedAt), hi: arrivedAt}
				: {lo: arrivedAt, hi: arrivedAt};
			this.#takeovers = [...this.#takeovers, {at, holder: lease.holderIdentity ?? ''}];
		}
		this.#forget(arrivedAt - remembered);
	}

	/** A holder that renews late was at work no more than its lease was: it stood still, or the API server did. */
	#findPause(before: Lease | undefined, lease: Lease, arrivedAt: Instant): void {
		if (before?.renewTime === undefined || before.acquireTime !== lease.acquireTime) return;
		const byLease = (lease.renewTime ?? before.renewTime) - before.renewTime;
		const length = Math.min(byLease, this.#seen.between(this.#arrivedAt, arrivedAt));
		if (length > soonAgain) this.#pauses = [...this.#pauses, {lo: arrivedAt - length, hi: arrivedAt}];
	}

	/** Looks at the clock: a lease that is not renewed tells by that. */
	look(now: Instant): void {
		const leader = judgeLeader(this.#lease, now, this.#seen);
		if (leader.type !== 'absent' || this.#absences.some(({hi}) => hi === never)) return;
		const absence = {lo: leader.since, hi: never, holder: leader.holder};
		this.#absences = [...this.#absences, absence];
	}

	/** Whether nobody runs them for certain. */
	isDown(now: Instant): boolean {
		return judgeLeader(this.#lease, now, this.#seen).type === 'absent';
	}

	/** Whether nobody has run them since before an instant, and nobody does now. */
	isDownSince(at: Instant): boolean {
		return this.#absences.some(({lo, hi}) => lo <= at && hi === never);
	}

	/** Whether they have shown since an instant that they run, or that they do not; true where neither can be seen. */
	hasShownSince(at: Instant, now: Instant): boolean {
		if (!this.#lease?.renewTime) return true;
		return this.#arrivedAt > at || this.isDown(now);
	}

	/** Whether they may be about to be found missing, or have only just gone on: what is late may still come. */
	isDoubtful(now: Instant): boolean {
		if (this.#lease === undefined || this.isDown(now)) return false;
		const isPausing = this.#seen.between(this.#arrivedAt, now) > soonAgain;
		return isPausing || this.#pauses.some(({hi}) => now - hi < catchingUp);
	}

	/** A time without controllers that overlaps another; the newest. */
	absenceIn({lo, hi}: Interval): Absence | undefined {
		return this.#absences.findLast((one) => one.lo <= hi && one.hi >= lo);
	}

	/** A time without renewals that overlaps another, though its holder went on; the newest. */
	pauseIn({lo, hi}: Interval): Interval | undefined {
		return this.#pauses.findLast((one) => one.lo <= hi && one.hi >= lo);
	}

	/** The newest takeover within a time. */
	takeoverIn({lo, hi}: Interval): Takeover | undefined {
		return this.#takeovers.findLast(({at}) => at.lo <= hi && at.hi >= lo);
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
		this.#takeovers = this.#takeovers.filter(({at}) => at.hi > before);
	}
}

/** A client that is throttled to the slowest usual rate still writes so often that something of it is seen. */
const longestWritePause: Duration = 2 * second;
const fewest = 5;
const mostKept = 2000;

/** When the controllers were seen to write: one that writes without a pause is kept waiting by its own client. */
export class ControllerWrites {
	#writes: Instant[] = [];

	add(at: Instant): void {
		this.#writes.push(at);
		if (this.#writes.length > 2 * mostKept) this.#writes = this.#writes.slice(-mostKept);
	}

	/** How many writes were seen in a time, from the first to its end without a pause; undefined where there was one. */
	busyIn({lo, hi}: Interval): number | undefined {
		const within = this.#writes.filter((at) => at >= lo - longestWritePause && at <= hi);
		if (within.length < fewest) return undefined;
		// Reads come first, and are not seen.
		const ends = [...within, hi];
		const hasPause = ends.some((at, index) => index > 0 && at - (ends[index - 1] ?? at) > longestWritePause);
		return hasPause ? undefined : within.length;
	}
}
