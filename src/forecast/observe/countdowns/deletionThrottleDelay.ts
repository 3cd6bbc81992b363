import {deletionAttempts, retryAfter} from '../../../core/tainteviction/podDeletion.ts';
import {type Duration, type Instant, second} from '../../../core/time/instant.ts';
import type {Interval} from '../interval.ts';
import {type ClientLimits, callDuration, throttleWait} from '../latencies.ts';

/** The calls of the taint-eviction controller for a deletion: an event, a get, a status patch, a delete. */
const callsPerDeletion = 4;

/** Deletions that are due this close together begin together. */
const together: Duration = second / 10;

/**
 * The latest instants of deletions, given that the controller's client is throttled. Deletions that are due together share a
 * queue, and each may be the last in it.
 *
 * @param dueAt when each deletion is due, in order
 * @returns for each deletion, when the queue that it joins is empty; never before it is due
 */
export function throttledEnds(
	dueAt: readonly Instant[],
	{kubeApiQps: qps, kubeApiBurst: burst}: ClientLimits,
): readonly Instant[] {
	if (qps <= 0) return dueAt;
	const ends = [...dueAt];
	let begin = 0;
	let tokens = burst;
	let before = dueAt[0] ?? 0;
	const setEnds = (from: number, to: number, end: Instant) => {
		for (let index = from; index < to; index += 1) ends[index] = Math.max(dueAt[index] ?? end, end);
	};
	for (const [index, at] of dueAt.entries()) {
		const owed = tokens;
		tokens = Math.min(burst, owed + ((at - before) / second) * qps);
		// Deletions that begin together share the queue, whichever gets the tokens.
		if (tokens >= 0 && at - before > together) {
			setEnds(begin, index, before + waitFor(owed, qps));
			begin = index;
		}
		tokens -= callsPerDeletion;
		before = at;
	}
	setEnds(begin, dueAt.length, before + waitFor(tokens, qps));
	return ends;
}

const waitFor = (tokens: number, qps: number): Duration => (tokens < 0 ? (-tokens / qps) * second : 0);

/** How long the last of several deletions waits if all are due at the same instant. */
export const throttleDelayFor = (deletions: number, limits: ClientLimits): Duration =>
	throttleWait(deletions * callsPerDeletion, limits);

/** The calls of one attempt: a get, a status patch, a delete. */
const callsPerTry = 3;

/** How long five attempts last if each fails at its last call. */
function triesLast(kubeApiQps: number): Duration {
	const call = Math.max(callDuration.hi, kubeApiQps > 0 ? second / kubeApiQps : 0);
	return deletionAttempts * callsPerTry * call + (deletionAttempts - 1) * retryAfter;
}

/**
 * When the controller may attempt to delete a pod: first when the countdown ends, for the fifth and last time soon after. A
 * later deletion is not the controller's.
 *
 * @param queueDelay how long due deletions may delay each other, in milliseconds
 */
export const triesAfter = (fires: Interval, queueDelay: Duration, kubeApiQps: number): Interval => ({
	lo: fires.lo,
	hi: fires.hi + queueDelay + triesLast(kubeApiQps),
});
