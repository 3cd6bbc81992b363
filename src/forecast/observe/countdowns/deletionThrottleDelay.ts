import {ascending} from '../../../core/collections/ascending.ts';
import {firstIndex} from '../../../core/collections/firstIndex.ts';
import {deletionAttempts, retryAfter} from '../../../core/tainteviction/podDeletion.ts';
import {
	beginningOfTime,
	type Duration,
	type Instant,
	never,
	oldestFirst,
	second,
} from '../../../core/time/instant.ts';
import type {Interval} from '../interval.ts';
import {type ClientLimits, callDuration, perCall, throttleWait} from '../latencies.ts';

/** The calls of the taint-eviction controller for a deletion: an event, a get, a status patch, a delete. */
const callsPerDeletion = 4;

/** Deletions that are due alike. */
export type DueDeletions = Interval & {readonly count: number};

/**
 * When deletions end at the latest that share a throttled client. Each is a goroutine of its own that makes its calls one after
 * another, and each call waits in turn: one waits for all calls of those that are due before it, and for the first ones of those
 * that become due while it waits.
 *
 * @param due when each deletion is due, in any order
 * @returns for each, in the same order; never before the end of its interval
 */
export function throttledEnds(
	due: readonly DueDeletions[],
	{kubeApiQps: qps, kubeApiBurst: burst}: ClientLimits,
): readonly Instant[] {
	if (qps <= 0) return due.map(({hi}) => hi);
	const byBegin = due.toSorted(ascending(({lo}) => lo));
	const begun = [0];
	for (const {count} of byBegin) begun.push((begun.at(-1) ?? 0) + count);
	const dueBy = (at: Instant) =>
		begun[firstIndex(byBegin.length, (index) => (byBegin[index]?.lo ?? never) > at)] ?? 0;
	const lasts = (calls: number) => (calls / qps) * second;
	const ends = new Map<Instant, Instant>();
	let since = Number.NEGATIVE_INFINITY;
	let ended = 0;
	for (const {hi: at, count} of due.toSorted(ascending(({hi}) => hi))) {
		if (!ends.has(at)) since = Math.max(since, at - lasts(callsPerDeletion * ended));
		ended += count;
		if (ends.has(at)) continue;
		const before = dueBy(at);
		const endOf = (others: number) => Math.max(at, since + lasts(callsPerDeletion * before + others - burst));
		const during = dueBy(endOf(0)) - before;
		const later = dueBy(endOf(during)) - before - during;
		ends.set(at, endOf(2 * during + later));
	}
	return due.map(({hi}) => ends.get(hi) ?? hi);
}

/** The calls that a deletion usually waits for: its event is often posted after it. Measured on real control planes. */
const usualCalls = 3.7;
/** The share of its calls that an overdue deletion has usually still to make. */
const yetToMake = 0.75;

/**
 * The share of the calls for deletions that are due together that comes after half of them have ended: each makes its first call, then
 * each its second, so that all end with the last of three rounds.
 */
const madeAfter = 0.32;

/** When deletions are due, in order, each with its wait from then on, or from now on if it is overdue. */
export type UsualWaits = readonly {readonly at: Instant; readonly wait: Duration}[];

/** How long deletions usually wait that share a throttled client: those that are due first are done first. */
export function usualWaits(
	due: readonly DueDeletions[],
	{kubeApiQps: qps, kubeApiBurst: burst}: ClientLimits,
	now: Instant,
): UsualWaits {
	const perDeletion = qps > 0 ? (usualCalls / qps) * second : 0;
	const inTurn = due
		.map(({lo, hi, count}) => ({at: (lo + hi) / 2, lasts: count * perDeletion * (hi < now ? yetToMake : 1)}))
		.toSorted(oldestFirst);
	const isOverdue = inTurn.some(({at}) => at < now);
	const saved = qps > 0 ? (burst / qps) * second : 0;
	let busyUntil = isOverdue ? now : beginningOfTime;
	return inTurn.map(({at, lasts}) => {
		busyUntil = Math.max(busyUntil, at - saved) + lasts;
		return {at, wait: Math.max(0, busyUntil - lasts * madeAfter - Math.max(now, at))};
	});
}

/** How long the last of several deletions waits if all are due at the same instant. */
export const throttleDelayFor = (deletions: number, limits: ClientLimits): Duration =>
	throttleWait(deletions * callsPerDeletion, limits);

/** The calls of one attempt: a get, a status patch, a delete. */
const callsPerTry = 3;

/** How long five attempts last if each fails at its last call. */
function triesLast(limits: ClientLimits): Duration {
	const call = Math.max(callDuration.hi, perCall(limits));
	return deletionAttempts * callsPerTry * call + (deletionAttempts - 1) * retryAfter;
}

/**
 * When the controller may attempt to delete a pod: first when the countdown ends, for the fifth and last time soon after. A
 * later deletion is not the controller's.
 *
 * @param queueDelay how long due deletions may delay each other, in milliseconds
 */
export const triesAfter = (fires: Interval, queueDelay: Duration, limits: ClientLimits): Interval => ({
	lo: fires.lo,
	hi: fires.hi + queueDelay + triesLast(limits),
});
