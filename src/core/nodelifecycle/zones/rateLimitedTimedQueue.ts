import {NeverLimiter, type RateLimiter, TokenBucket} from '../../client/tokenBucket.ts';
import type {Duration, Instant} from '../../time/instant.ts';
import type {Random} from '../../time/random.ts';
import {RandomOrder, type TimedValue, type WaitingOrder} from './waitingOrder.ts';

/** How often a NoExecute pass runs. */
export const nodeEvictionPeriod: Duration = 100;

const evictionRateLimiterBurst = 1;
const oneNanosecond: Duration = 1e-6;

/**
 * The nodes of one zone that wait for their NoExecute taint, and the rate limiter. A value that was taken stays
 * known, and so is not added again until it is removed.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/nodelifecycle/scheduler/rate_limited_queue.go RateLimitedTimedQueue
 */
export class RateLimitedTimedQueue {
	#waiting: WaitingOrder;
	#known = new Set<string>();
	#limiter: RateLimiter;

	/**
	 * @param rate nodes per second
	 * @param order decides which node is next
	 */
	constructor(rate: number, order: WaitingOrder = new RandomOrder()) {
		this.#waiting = order;
		this.#limiter = new TokenBucket(rate, evictionRateLimiterBurst);
	}

	get size(): number {
		return this.#waiting.size;
	}

	get limiter(): RateLimiter {
		return this.#limiter;
	}

	/** The waiting values, sorted. */
	get values(): readonly string[] {
		return [...this.#waiting.names].toSorted();
	}

	/** Queues a value unless it is known; returns whether it did. */
	add(value: string, now: Instant, random: Random): boolean {
		if (this.#known.has(value)) return false;
		this.#known.add(value);
		this.#waiting.add(value, now, random);
		return true;
	}

	/** Queues a value with a new place, whether it is known or not. */
	requeue(value: string, now: Instant, random: Random) {
		this.#known.add(value);
		this.#waiting.add(value, now, random);
	}

	/** Removes a value, so that it can be added again; returns whether it was known. */
	remove(value: string): boolean {
		const wasKnown = this.#known.delete(value);
		if (wasKnown) this.#waiting.remove(value);
		return wasKnown;
	}

	/**
	 * Takes the next due value, if the limiter grants a token. The caller must then call `processed` or `retry`.
	 *
	 * @quirk a token is spent before the head is looked at
	 */
	tryNext(now: Instant): TimedValue | undefined {
		if (this.#waiting.size === 0 || !this.#limiter.tryAccept(now)) return undefined;
		const head = this.#waiting.head();
		return head && head.processAt <= now ? head : undefined;
	}

	/** Ends the processing of a value; it stays known. */
	processed({value}: Pick<TimedValue, 'value'>) {
		this.#waiting.remove(value);
	}

	/** Reschedules a value whose attempt at `triedAt` failed, if it is still queued. */
	retry(failed: TimedValue, triedAt: Instant, wait: Duration) {
		this.#waiting.replace({...failed, processAt: triedAt + wait + oneNanosecond});
	}

	/**
	 * Changes the rate. If the old limiter had no token, the new one starts without one as well.
	 *
	 * @quirk a stopped limiter reports a rate of 1, so a zone once stopped stays stopped at a rate of 1
	 * @quirk a limiter swapped in for an empty one starts drained
	 */
	swapLimiter(rate: number, now: Instant) {
		const qps = Math.fround(rate);
		if (this.#limiter.qps === qps) return;
		const next = qps <= 0 ? new NeverLimiter() : new TokenBucket(qps, evictionRateLimiterBurst);
		if (qps > 0 && !this.#limiter.tryAccept(now)) next.tryAccept(now);
		this.#limiter = next;
	}

	/** Replaces the limiter, for a controller that starts in the middle of a pass. */
	setLimiter(limiter: RateLimiter) {
		this.#limiter = limiter;
	}

	fork(): RateLimitedTimedQueue {
		const copy = new RateLimitedTimedQueue(0, this.#waiting.fork());
		copy.#known = new Set(this.#known);
		copy.#limiter = this.#limiter.fork();
		return copy;
	}
}
