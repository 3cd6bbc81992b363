import {beginningOfTime, type Duration, type Instant, never, second} from '../../../core/time/instant.ts';
import type {Interval} from '../interval.ts';

/** A renewal of a kubelet's lease: its time by the kubelet's own clock, and when the API server received it. */
export type LeaseRenewal = {
	readonly renewTime: Instant | undefined;
	readonly renewedAt: Interval | undefined;
	/** Whether it arrived late by a clock that is otherwise right, as while an API server stalls. */
	readonly isDelayed?: boolean;
};

/**
 * Converts a time of the kubelet's clock to the API server's clock, as far as the kubelet's lease shows the difference. What
 * was seen cannot lie in the future.
 */
export function byServerClock(dated: Interval, one: LeaseRenewal | undefined, now: Instant): Interval {
	const {renewTime, renewedAt} = one ?? {};
	const isWrong = one !== undefined && renewTime !== undefined && renewedAt && clockSkew(one) !== 0;
	const [least, most] = isWrong ? [renewTime - renewedAt.hi, renewTime - renewedAt.lo] : [0, 0];
	return {lo: Math.min(now, dated.lo - most), hi: Math.min(now, dated.hi - least)};
}

/** A smaller difference does not make a clock wrong: a renewal takes time to arrive. */
export const tolerated: Duration = 3 * second;

/** How far a kubelet's clock is ahead of the API server's; negative if behind, 0 if right or unknown. */
export const clockSkew = (one: LeaseRenewal): Duration => (one.isDelayed ? 0 : differenceOf(one));

/** Whether a renewal arrived late by a right clock: a slow clock would show the same difference twice. */
export const cameLate = (before: LeaseRenewal, one: LeaseRenewal): boolean =>
	(before.renewTime ?? never) < (one.renewTime ?? beginningOfTime) &&
	differenceOf(one) < 0 &&
	Math.abs(differenceOf(one) - differenceOf(before)) > tolerated;

/** How far a renewal's own time lies from its arrival; 0 if that is small, or one of them is unknown. */
function differenceOf(one: LeaseRenewal): Duration {
	const {renewTime, renewedAt} = one;
	if (renewTime === undefined || !renewedAt || Math.abs(distanceOf(one)) <= tolerated) return 0;
	return renewTime - (renewedAt.lo + renewedAt.hi) / 2;
}

/** How far it lies outside the interval of its arrival. */
export function distanceOf({renewTime, renewedAt}: LeaseRenewal): Duration {
	if (renewTime === undefined || !renewedAt) return 0;
	return renewTime - Math.min(Math.max(renewTime, renewedAt.lo), renewedAt.hi);
}
