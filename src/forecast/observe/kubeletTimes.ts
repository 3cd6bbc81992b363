import {type Node, nodeCondition} from '../../core/model/node.ts';
import type {Instant} from '../../core/time/instant.ts';
import {clockSkew} from './clockSkew.ts';
import type {Interval} from './interval.ts';
import type {NodeEvidence} from './nodeEvidence.ts';

/**
 * When a kubelet did what it dated by its own clock, by the API server's, as far as its lease shows how the two differ.
 * Nothing that is seen can lie in the future.
 */
export function byServerClock(dated: Interval, one: NodeEvidence | undefined, now: Instant): Interval {
	const {renewTime, renewedAt} = one ?? {};
	const isWrong = one !== undefined && renewTime !== undefined && renewedAt && clockSkew(one) !== 0;
	const [least, most] = isWrong ? [renewTime - renewedAt.hi, renewTime - renewedAt.lo] : [0, 0];
	return {lo: Math.min(now, dated.lo - most), hi: Math.min(now, dated.hi - least)};
}

/** Whether the Ready condition was written by the kubelet: only the controllers say Unknown. */
export const isByKubelet = (node: Node): boolean => nodeCondition(node, 'Ready')?.status !== 'Unknown';

/** A node as a first look shows it, its kubelet's times by the API server's clock. */
export function redated(one: NodeEvidence, now: Instant): NodeEvidence {
	const {node, postedAt, readyChangedAt} = one;
	return {
		...one,
		postedAt: postedAt && atFirstLook(postedAt, one, now),
		readyChangedAt:
			readyChangedAt && isByKubelet(node) ? atFirstLook(readyChangedAt, one, now) : readyChangedAt,
	};
}

/** What a kubelet dated before its last renewals, it may have dated before its clock was set, by one that was right. */
function atFirstLook(dated: Interval, one: NodeEvidence, now: Instant): Interval {
	const corrected = byServerClock(dated, one, now);
	const {renewTime, renewedAt, renewInterval} = one;
	if (renewTime === undefined || !renewedAt || dated.hi + renewInterval >= renewTime) return corrected;
	// By a clock that was right, it cannot have come after the renewal.
	const hi = Math.max(corrected.hi, Math.min(now, renewedAt.hi, dated.hi));
	return {lo: Math.min(corrected.lo, dated.lo), hi};
}
