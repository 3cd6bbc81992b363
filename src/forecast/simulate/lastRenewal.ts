import type {Duration, Instant} from '../../core/time/instant.ts';
import {statusInterval} from '../infer/machineProcess.ts';
import type {Interval} from '../observe/interval.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {jitterOf} from '../observe/nodes/renewInterval.ts';

/** What a kubelet that lives until some instant leaves behind. */
type LastSign = {
	/** When it last renewed its lease before. */
	readonly renewal: Interval;
	/** Whether it may have posted its status with that renewal, which the controller's next pass takes for another sign. */
	readonly mayPost: boolean;
};

/**
 * When a living kubelet will last have renewed its lease before an instant: it goes on in its own rhythm, each renewal up
 * to `jitterOf` late.
 */
export function lastSignBefore(one: NodeEvidence, stop: Instant, now: Instant): LastSign {
	const {renewInterval} = one;
	const slowest = renewInterval + jitterOf(renewInterval);
	const seen = one.renewedAt ?? one.heartbeatAt;
	const anywhere = {lo: Math.max(stop - slowest, Math.min(now, seen?.lo ?? now)), hi: stop};
	const renewal = (seen && !one.hasWrongClock && inRhythm(seen, stop, renewInterval, slowest)) || anywhere;
	return {renewal, mayPost: mayPostWithin(one, renewal, slowest)};
}

/** Where the rhythm tells how many renewals come before the stop, the last of them is known as well as the first. */
function inRhythm(
	seen: Interval,
	stop: Instant,
	interval: Duration,
	slowest: Duration,
): Interval | undefined {
	const most = Math.floor((stop - seen.lo) / interval);
	const least = Math.floor((stop - seen.hi) / slowest);
	if (most < 0) return seen;
	const lo = seen.lo + least * interval;
	const hi = Math.min(stop, seen.hi + most * slowest);
	if (most === least) return {lo, hi};
	return least < 0 ? undefined : {lo: Math.max(lo, stop - slowest), hi};
}

/** Kubelets post their status every five minutes, with a renewal. */
function mayPostWithin({heartbeatAt}: NodeEvidence, {lo, hi}: Interval, slowest: Duration): boolean {
	if (!heartbeatAt) return true;
	const heartbeats = Math.max(1, Math.ceil((lo - heartbeatAt.hi) / (statusInterval + slowest)));
	return heartbeatAt.lo + heartbeats * statusInterval <= hi;
}
