import type {Lease} from '../core/model/lease.ts';
import type {Duration, Instant} from '../core/time/instant.ts';

/** What kube-controller-manager's own lease tells: whether one runs, and since when. */
export type Leader =
	/** The lease cannot be seen: a controller is assumed to run. */
	| {readonly type: 'unseen'}
	| {readonly type: 'running'; readonly since: Instant | undefined; readonly holder: string}
	/** The lease was not renewed for longer than its duration. */
	| {readonly type: 'absent'; readonly since: Instant; readonly holder: string};

const defaultLeaseDuration: Duration = 15_000;

/** Judges the leader lease at an instant. */
export function judgeLeader(lease: Lease | undefined, now: Instant): Leader {
	if (!lease?.renewTime) return {type: 'unseen'};
	const holder = lease.holderIdentity ?? '';
	const expires = lease.renewTime + (lease.leaseDuration ?? defaultLeaseDuration);
	if (now > expires) return {type: 'absent', since: lease.renewTime, holder};
	return {type: 'running', since: lease.acquireTime, holder};
}
