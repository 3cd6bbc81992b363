import {maxOf} from '../../core/collections/extremes.ts';
import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import type {Lease} from '../../core/model/lease.ts';
import {beginningOfTime, type Duration, type Instant, second} from '../../core/time/instant.ts';
import type {Registration} from './eventEvidence.ts';
import {type Interval, intersect, shift, sinceBeginning} from './interval.ts';
import type {ObservedTime} from './observedTime.ts';

/** Whether a kube-controller-manager runs, and since when, by its own lease. */
export type Leader =
	/** The lease cannot be seen: a controller is assumed to run. */
	| {readonly type: 'unseen'}
	| Readonly<{
			type: 'running';
			since: Instant | undefined;
			holder: string;
			/** How long no renewal of its lease has been seen. */
			missedFor: Duration;
			/** Whether it may have given up: it has not renewed for longer than its renew deadline. */
			mayHaveEnded: boolean;
	  }>
	/** The lease was not renewed for longer than its duration, of observed time alone. */
	| {readonly type: 'absent'; readonly since: Instant; readonly holder: string};

const defaultLeaderLeaseDuration: Duration = 15 * second;
/** The share of the lease's duration, which is seen, after which its holder gives up, by default: the renew deadline is not seen. */
const deadlineShare = 10 / 15;

/**
 * Judges the leader lease at an instant of the API server's clock. A missing renewal counts only while it would have been
 * seen: while the API server does not answer, the lease cannot be renewed either.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/tools/leaderelection/leaderelection.go renew
 */
export function judgeLeader(
	lease: Lease | undefined,
	now: Instant,
	seen: Pick<ObservedTime, 'between'>,
): Leader {
	if (!lease?.renewTime) return {type: 'unseen'};
	const holder = lease.holderIdentity ?? '';
	const renewedAt = lease.renewTime - holderClockOffset(lease).lo;
	const missedFor = seen.between(renewedAt, now);
	const {leaseDuration = defaultLeaderLeaseDuration} = lease;
	if (missedFor > leaseDuration) return {type: 'absent', since: renewedAt, holder};
	// It gives up as well if the API server does not answer it.
	const mayHaveEnded = now - renewedAt > leaseDuration * deadlineShare;
	return {type: 'running', since: acquiredAt(lease)?.lo, holder, missedFor, mayHaveEnded};
}

/** Whether nothing that the controllers do is sure: none run, or those that do may have given up. */
export const mayBeGone = (leader: Leader) =>
	leader.type === 'absent' || (leader.type === 'running' && leader.mayHaveEnded);

/** When the holder took the lease, by the API server's clock; undefined if the lease lacks that. */
export function acquiredAt(lease: Lease): Interval | undefined {
	if (lease.acquireTime === undefined) return undefined;
	const offset = holderClockOffset(lease);
	return {lo: lease.acquireTime - offset.hi, hi: lease.acquireTime - offset.lo};
}

/** Clocks that differ by no more count as equal: the API server's times are whole seconds. */
const sameClock: Duration = second / 10;
const rightClock: Interval = {lo: 0, hi: 0};

/**
 * How far the holder's clock is ahead. Both times in the lease are by that clock, those in managedFields by the API server's.
 * Zero if the two may agree, and if there are no managedFields.
 */
export function holderClockOffset({renewTime, writes = []}: Lease): Interval {
	const written = maxOf(writes.map(({time}) => time));
	if (renewTime === undefined || writes.length === 0) return rightClock;
	const offset = {lo: renewTime - (written + second), hi: renewTime - written};
	return offset.lo <= sameClock && offset.hi >= -sameClock ? rightClock : offset;
}

/** A controller begins to work up to this long after its start: its caches have to fill. */
const startLag: Duration = second / 2;

/**
 * When the running controllers started, by the leader lease and by their first pass; minus infinity if neither is known. If
 * the two disagree, the pass is right: caches of a large cluster take long to fill.
 */
export function controllersStarted(
	acquired: Interval | undefined,
	firstPass: Registration | undefined,
	{firstPassAfter}: ControllerSettings,
): Interval {
	const byLease = acquired && {lo: acquired.lo, hi: acquired.hi + startLag};
	if (!firstPass) return byLease ?? sinceBeginning;
	const {lo, hi} = shift(firstPass.first.at, -firstPassAfter);
	const earliest = acquired?.lo ?? beginningOfTime;
	const byPass = {lo: Math.max(lo - startLag, earliest), hi: Math.max(hi, earliest) + startLag};
	return (byLease && intersect(byLease, byPass)) ?? byPass;
}
