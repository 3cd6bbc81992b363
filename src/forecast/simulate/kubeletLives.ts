import type {Simulation} from '../../core/simulation/simulation.ts';
import type {Duration, Instant} from '../../core/time/instant.ts';
import {statusInterval} from '../infer/machine.ts';
import {at, type Interval, isEarly} from '../observe/interval.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {jitterOf} from '../observe/nodes/renewInterval.ts';
import type {Change} from './change.ts';

/** An action on a simulated cluster at an instant. */
export type Action = {readonly at: Instant; readonly act: (machine: Simulation) => void};

/** A kubelet falls silent this long before its next renewal. */
const margin: Duration = 1;

/**
 * The actions of kubelets that are to fall silent until they do, so that each gives its last sign of life at one point of its
 * possible range. The changes themselves are not included.
 *
 * @param quantile the point in that range
 */
export function kubeletLives(
	one: NodeEvidence,
	changes: readonly Change[],
	quantile: number,
	now: Instant,
): readonly Action[] {
	const {name} = one.node;
	const actions: Action[] = [];
	let backAt: Instant | undefined;
	let isUp: boolean | undefined;
	for (const change of changes) {
		if (change.type === 'nodeBack') [backAt, isUp] = [change.at, true];
		else if (change.type === 'nodeDown' && isUp !== false) {
			const seen = backAt === undefined ? one : afterReturn(one, backAt);
			actions.push(...lastSigns(name, seen, backAt, change.at, quantile, now));
			isUp = false;
		}
	}
	return actions;
}

/** A kubelet that came back renewed and posted then, whatever was seen of it before. */
const afterReturn = (one: NodeEvidence, at: Instant): NodeEvidence => ({
	...one,
	renewedAt: {lo: at, hi: at},
	heartbeatAt: {lo: at, hi: at},
	hasWrongClock: false,
});

function lastSigns(
	name: string,
	one: NodeEvidence,
	backAt: Instant | undefined,
	stop: Instant,
	quantile: number,
	now: Instant,
): readonly Action[] {
	const {renewal, mayPost} = lastSignBefore(one, stop, now);
	const last = at(renewal, quantile);
	const silence = (machine: Simulation) => machine.stopKubelet(name);
	if (last <= (backAt ?? now)) return backAt === undefined ? [{at: now, act: silence}] : [];
	const heartbeat = renewalsUntil(last, one.renewInterval, backAt, now);
	const begin = (machine: Simulation) => {
		if (!machine.kubelets.isAlive(name)) return;
		const hasLease = one.isLeaseHidden || one.renewTime !== undefined || backAt !== undefined;
		machine.stopKubelet(name);
		machine.startKubelet(name, {...heartbeat, statusInterval, hasLease}, false);
	};
	const post = (machine: Simulation) => {
		if (!machine.kubelets.isAlive(name)) return;
		machine.editNode(name, (node) => ({
			...node,
			conditions: node.conditions.map((condition) => ({...condition, lastHeartbeatTime: machine.now})),
		}));
	};
	return [
		{at: backAt ?? now, act: begin},
		...(mayPost && !isEarly(quantile) ? [{at: last, act: post}] : []),
		...(last + one.renewInterval <= stop ? [{at: last + one.renewInterval - margin, act: silence}] : []),
	];
}

/** Renewals that end with the last one. Of a kubelet that came back by a change, the first is known as well. */
function renewalsUntil(last: Instant, renewInterval: Duration, backAt: Instant | undefined, now: Instant) {
	if (backAt === undefined)
		return {firstRenewalAt: last - Math.floor((last - now) / renewInterval) * renewInterval, renewInterval};
	const renewals = Math.max(1, Math.round((last - backAt) / renewInterval));
	return {firstRenewalAt: backAt, renewInterval: (last - backAt) / renewals};
}

/** The last sign of life of a kubelet that lives until some instant. */
type LastSign = {
	/** When it last renewed its lease before. */
	readonly renewal: Interval;
	/** Whether it may have posted its status with that renewal, which the controller's next pass counts as another sign. */
	readonly mayPost: boolean;
};

/**
 * When a living kubelet will last have renewed its lease before an instant: it continues at its interval, each renewal up to
 * `jitterOf` late.
 */
export function lastSignBefore(one: NodeEvidence, stop: Instant, now: Instant): LastSign {
	const {renewInterval} = one;
	const slowest = renewInterval + jitterOf(renewInterval);
	const seen = one.renewedAt ?? one.heartbeatAt;
	const anywhere = {lo: Math.max(stop - slowest, Math.min(now, seen?.lo ?? now)), hi: stop};
	const renewal = (seen && !one.hasWrongClock && atInterval(seen, stop, renewInterval, slowest)) || anywhere;
	return {renewal, mayPost: mayPostWithin(one, renewal, slowest)};
}

/** If the interval determines how many renewals come before the stop, the last of them is known as well as the first. */
function atInterval(
	seen: Interval,
	stop: Instant,
	interval: Duration,
	slowest: Duration,
): Interval | undefined {
	const most = Math.floor((stop - seen.lo) / interval);
	const least = Math.floor((stop - seen.hi) / slowest);
	// Far in the future: a clock that is wrong.
	if (most < -1) return undefined;
	if (most < 0) return seen;
	const lo = seen.lo + least * interval;
	const hi = Math.min(stop, seen.hi + most * slowest);
	if (most === least) return {lo, hi};
	return least < 0 ? undefined : {lo: Math.max(lo, stop - slowest), hi};
}

/** Kubelets post their status every five minutes, with a renewal. */
function mayPostWithin({heartbeatAt}: NodeEvidence, {lo, hi}: Interval, slowest: Duration) {
	if (!heartbeatAt) return true;
	const heartbeats = Math.max(1, Math.ceil((lo - heartbeatAt.hi) / (statusInterval + slowest)));
	return heartbeatAt.lo + heartbeats * statusInterval <= hi;
}
