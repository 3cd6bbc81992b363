import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import type {WatchEnd} from './watch.ts';

/** How long a watch takes to bring word of a change. */
const delivery: Duration = second / 10;
/** After so long a pause all that was missed has come: the server sends it at once, in one go. */
const pauseAfterBacklog: Duration = second;
/** And after so long it has come in any case. */
const longestBacklog: Duration = 10 * second;
/**
 * What was written so long before a watch was opened is no news. The time of a write is cut to whole seconds, and ours may
 * be wrong by two.
 */
const surelyBefore: Duration = 3 * second;

/** What a batch tells of the watch that brought it. */
type Sign = {
	readonly arrivedAt: Instant;
	readonly isBookmarked: boolean;
	readonly writtenAt?: Instant | undefined;
};

/**
 * Tells what of a watch is news and what is backlog. A watch begins where another ended, and first brings what happened
 * meanwhile: that is older than it looks.
 */
export class WatchProgress {
	readonly #since: Instant;
	readonly #openedAt: Instant;
	#lastAt: Instant;
	#isCaughtUp = false;

	/**
	 * @param since up to when all was seen before
	 * @param openedAt when the server began to answer
	 */
	constructor(since: Instant, openedAt: Instant) {
		this.#since = since;
		this.#openedAt = openedAt;
		this.#lastAt = openedAt;
	}

	/** When the server began to answer. */
	get openedAt(): Instant {
		return this.#openedAt;
	}

	/** Since when a batch may have happened, where it may be backlog. */
	arrived({arrivedAt, isBookmarked, writtenAt = arrivedAt}: Sign): Instant | undefined {
		// An API server that lags opens a watch at once, and sends what was missed a moment later. Real news may come as late
		// where nothing happened before: only the time of a write tells the two apart, and not all objects tell it.
		const isBacklog = writtenAt < this.#openedAt - surelyBefore;
		const isAfterPause = arrivedAt - this.#lastAt >= pauseAfterBacklog && !isBacklog;
		this.#isCaughtUp ||= isAfterPause || arrivedAt - this.#openedAt >= longestBacklog;
		const since = this.#isCaughtUp ? undefined : this.#since;
		// A bookmark comes after all that it covers.
		this.#isCaughtUp ||= isBookmarked;
		this.#lastAt = arrivedAt;
		return since;
	}

	/**
	 * Whether a batch shows the present: all that was missed before it has come, in the order in which it was written.
	 * Undefined where nothing in it tells when it was written.
	 */
	reachesPresent({lastWrittenAt}: {readonly lastWrittenAt: Instant | undefined}): boolean | undefined {
		return lastWrittenAt === undefined ? undefined : lastWrittenAt >= this.#openedAt - surelyBefore;
	}

	/** Up to when all was seen, once the watch has come to its end. */
	seenUntil(end: WatchEnd, now: Instant): Instant {
		if (!this.#isCaughtUp && now - this.#lastAt < pauseAfterBacklog) return this.#since;
		// A server that ends a watch by itself has sent what there was, but for the last moment.
		return (end === 'ended' ? now : this.#lastAt) - delivery;
	}
}
