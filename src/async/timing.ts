import {setTimeout as delay} from 'node:timers/promises';
import {type Duration, type Instant, minute, second} from '../core/time/instant.ts';

/** The clock, waits and randomness that cluster access needs. Tests pass their own and do not wait. */
export type Timing = Readonly<{
	/** This machine's wall clock. */
	now: () => Instant;
	/** Monotonic real time since an arbitrary start: neither clock corrections nor a fast demo affect it. */
	elapsed: () => Duration;
	/** Resolves after `lookPeriod` of real time, when the watches are to be checked again, or when the signal aborts. */
	nextLook: (signal: AbortSignal) => Promise<void>;
	/** Time between two checks of the watches while the process is not suspended. */
	lookPeriod: Duration;
	/** Resolves after the duration, or when the signal aborts. */
	sleep: (duration: Duration, signal: AbortSignal) => Promise<void>;
	/** Random number in [0, 1); adds jitter. */
	random: () => number;
	/** Timeout of a request without a limit of the user's; also of the headers of a watch, even if the user asks for no timeout. */
	answerTimeout: Duration;
	/** Timeout of a credential plugin that does not own the terminal; `isAttended`: a user may be logging in. */
	pluginTimeout: (isAttended: boolean) => Duration;
	/** How long a watch may be silent. The API server sends a bookmark about every minute. */
	silenceTimeout: Duration;
	/** The same for a collection that changes all the time: leases are renewed every few seconds. */
	livelySilenceTimeout: Duration;
}>;

const lookPeriod: Duration = second / 10;

export const systemTiming: Timing = {
	now: Date.now,
	elapsed: () => performance.now(),
	nextLook: (signal) => delay(lookPeriod, undefined, {signal}).catch(() => undefined),
	lookPeriod,
	// An abort ends the wait; the caller checks the signal.
	sleep: (duration, signal) => delay(duration, undefined, {signal}).catch(() => undefined),
	random: Math.random,
	answerTimeout: 30 * second,
	// A login in a browser includes finding the password: kubelogin allows three minutes.
	pluginTimeout: (isAttended) => (isAttended ? 5 * minute : minute),
	silenceTimeout: 1.5 * minute,
	livelySilenceTimeout: 15 * second,
};
