import {deletionAttempts, retryAfter} from '../../../core/tainteviction/podDeletion.ts';
import {type Duration, type Instant, second} from '../../../core/time/instant.ts';
import type {Interval} from '../interval.ts';
import {callDuration} from '../latencies.ts';

/** What a deletion costs the taint-eviction controller's client: an event, the pod read, its status patched, the delete. */
const callsPerDeletion = 4;

/** Deletions that are due within this time of each other begin together. */
const together: Duration = second / 10;

/**
 * How much later than due deletions may come, since the controller's client is throttled: those that are due together
 * wait in one line, and each may be its last.
 *
 * @param dueAt when each deletion is due, in order
 * @param qps calls per second; zero where nothing limits the client
 * @returns the end of the line that each one joins, never before it is due
 */
export function throttledEnds(dueAt: readonly Instant[], qps: number, burst: number): readonly Instant[] {
	if (qps <= 0) return dueAt;
	const ends = [...dueAt];
	let begin = 0;
	let tokens = burst;
	let before = dueAt[0] ?? 0;
	const lineOf = (from: number, to: number, end: Instant) => {
		for (let index = from; index < to; index += 1) ends[index] = Math.max(dueAt[index] ?? end, end);
	};
	for (const [index, at] of dueAt.entries()) {
		const owed = tokens;
		tokens = Math.min(burst, owed + ((at - before) / second) * qps);
		// Those that begin together share the line, whoever has the tokens.
		if (tokens >= 0 && at - before > together) {
			lineOf(begin, index, before + waitFor(owed, qps));
			begin = index;
		}
		tokens -= callsPerDeletion;
		before = at;
	}
	lineOf(begin, dueAt.length, before + waitFor(tokens, qps));
	return ends;
}

const waitFor = (tokens: number, qps: number): Duration => (tokens < 0 ? (-tokens / qps) * second : 0);

/** How long the last of so many deletions waits that are due at one instant. */
export function throttleDelayFor(deletions: number, qps: number, burst: number): Duration {
	return qps > 0 ? waitFor(burst - deletions * callsPerDeletion, qps) : 0;
}

/** What a try costs the controller's client: the pod read, its status patched, the delete. */
const callsPerTry = 3;

/** How long five tries of a deletion last, where each of them fails at the last of its calls. */
export function triesLast(kubeApiQps: number): Duration {
	const call = Math.max(callDuration.hi, kubeApiQps > 0 ? second / kubeApiQps : 0);
	return deletionAttempts * callsPerTry * call + (deletionAttempts - 1) * retryAfter;
}

/**
 * When the controller tried to delete a pod whose countdown is over: the first try at its end, the fifth and last
 * soon after. What comes later is nobody's deletion but somebody else's.
 *
 * @param line how long deletions that are due may keep each other waiting
 */
export const triesAfter = (fires: Interval, line: Duration, kubeApiQps: number): Interval => ({
	lo: fires.lo,
	hi: fires.hi + line + triesLast(kubeApiQps),
});
