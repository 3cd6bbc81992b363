import {setTimeout as delay} from 'node:timers/promises';
import {type Duration, type Instant, minute, second} from '../core/time/instant.ts';

/** The clock, the waits and the chance that cluster access needs. Tests bring their own, and wait for nothing. */
export type Timing = {
	/** This machine's wall clock. */
	readonly now: () => Instant;
	/** Resolves after the time, or as soon as the signal is aborted. */
	readonly sleep: (duration: Duration, signal: AbortSignal) => Promise<void>;
	/** Chance in [0, 1): spreads many clients over time. */
	readonly random: () => number;
	/** How long the answer to a request may be awaited, where the user sets no limit. */
	readonly answerTimeout: Duration;
	/** How long a watch may be silent. The API server sends a bookmark about every minute. */
	readonly silenceTimeout: Duration;
	/** The same for a collection that is written all the time: leases are renewed every few seconds. */
	readonly livelySilenceTimeout: Duration;
};

export const systemTiming: Timing = {
	now: Date.now,
	// An abort ends the wait; whoever waited looks at the signal anyway.
	sleep: (duration, signal) => delay(duration, undefined, {signal}).catch(() => undefined),
	random: Math.random,
	answerTimeout: 30 * second,
	silenceTimeout: 1.5 * minute,
	livelySilenceTimeout: 15 * second,
};
