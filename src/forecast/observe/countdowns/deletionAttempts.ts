import {deletionAttempts, retryAfter} from '../../../core/tainteviction/podDeletion.ts';
import {type Duration, second} from '../../../core/time/instant.ts';
import type {Interval} from '../interval.ts';
import {callDuration} from '../latencies.ts';

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
