import {setTimeout as delay} from 'node:timers/promises';
import {type Duration, type Instant, minute, second} from '../core/time/instant.ts';

/** The clock, the waits and the chance that cluster access needs. Tests bring their own, and wait for nothing. */
export type Timing = {
	/** This machine's wall clock. */
	readonly now: () => Instant;
	/** Real time that has passed since some instant: nobody sets it, and no demo makes it pass faster. */
	readonly elapsed: () => Duration;
	/** Resolves when the watches are to be looked at again, in real time, or as soon as the signal is aborted. */
	readonly nextLook: (signal: AbortSignal) => Promise<void>;
	/** How long it is from one look to the next while nothing keeps this program from running. */
	readonly lookPeriod: Duration;
	/** Resolves after the time, or as soon as the signal is aborted. */
	readonly sleep: (duration: Duration, signal: AbortSignal) => Promise<void>;
	/** Chance in [0, 1): spreads many clients over time. */
	readonly random: () => number;
	/**
	 * How long the answer to a request may be awaited, where the user sets no limit; and the headers of a watch, also where
	 * the user wants none.
	 */
	readonly answerTimeout: Duration;
	/** How long a credential plugin may take that has not the terminal; `isAttended` tells whether a person may be at work with it. */
	readonly pluginTimeout: (isAttended: boolean) => Duration;
	/** How long a watch may be silent. The API server sends a bookmark about every minute. */
	readonly silenceTimeout: Duration;
	/** The same for a collection that is written all the time: leases are renewed every few seconds. */
	readonly livelySilenceTimeout: Duration;
};

const lookPeriod: Duration = second / 10;

export const systemTiming: Timing = {
	now: Date.now,
	elapsed: () => performance.now(),
	nextLook: (signal) => delay(lookPeriod, undefined, {signal}).catch(() => undefined),
	lookPeriod,
	// An abort ends the wait; whoever waited looks at the signal anyway.
	sleep: (duration, signal) => delay(duration, undefined, {signal}).catch(() => undefined),
	random: Math.random,
	answerTimeout: 30 * second,
	// Who logs in by a browser has to find the password first: kubelogin gives them three minutes.
	pluginTimeout: (isAttended) => (isAttended ? 5 * minute : minute),
	silenceTimeout: 1.5 * minute,
	livelySilenceTimeout: 15 * second,
};
