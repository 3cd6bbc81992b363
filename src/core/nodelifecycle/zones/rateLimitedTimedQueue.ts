import {NeverLimiter, type RateLimiter, TokenBucket} from '../../client/tokenBucket.ts';
import type {Duration, Instant} from '../../time/instant.ts';
import type {Random} from '../../time/random.ts';
import {ChanceOrder, type TimedValue, type WaitingOrder} from './waitingOrder.ts';

/** How often a NoExecute pass comes. */
export const nodeEvictionPeriod: Duration = 100;

const evictionRateLimiterBurst = 1;
const oneNanosecond: Duration = 1e-6;

/**
 * The nodes of one zone that wait for their NoExecute taint, and the limiter that lets them through. A value that was
 * taken stays known, so that it is not added again until it is removed.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/nodelifecycle/scheduler/rate_limited_queue.go RateLimitedTimedQueue
 */
export class RateLimitedTimedQueue {
	#waiting: WaitingOrder;
	#known = new Set<string>();
	#limiter: RateLimiter;

	/**
	 * @param rate nodes per second
	 * @param order decides who goes first
	 */
	constructor(rate: number, order: WaitingOrder = new ChanceOrder()) {
		this.#waiting = order;
		this.#limiter = new TokenBucket(rate, evictionRateLimiterBurst);
	}

	get size(): number {
		return this.#waiting.size;
	}

	get limiter(): RateLimiter {
		return this.#limiter;
	}

	/** The values that wait, sorted. */
	get values(): readonly string[] {
		return [...this.#waiting.names].toSorted();
	}

	/** Queues a value unless it is known; tells whether it did. */
	add(value: string, now: Instant, random: Random): boolean {
		if (this.#known.has(value)) return false;
		this.#known.add(value);
		this.#waiting.add(value, now, random);
		return true;
	}

	/** Forgets a value, so that it can be added again; tells whether it was known. */
	remove(value: string): boolean {
		const wasKnown = this.#known.delete(value);
		if (wasKnown) this.#waiting.remove(value);
		return wasKnown;
	}

	/**
	 * Takes the next value that is due, where the limiter lets one through. The caller must say `processed` or `retry`.
	 *
	 * @quirk a token is spent before the head is looked at
	 */
	tryNext(now: Instant): TimedValue | undefined {
		if (this.#waiting.size === 0 || !this.#limiter.tryAccept(now)) return undefined;
		const head = this.#waiting.head();
		return head && head.processAt <= now ? head : undefined;
	}

	/** The value is done with; it stays known. */
	processed({value}: TimedValue): void {
		this.#waiting.remove(value);
	}

	/** The attempt at `triedAt` failed: another one follows after `wait`, if the value is still queued. */
	retry(failed: TimedValue, triedAt: Instant, wait: Duration): void {
		this.#waiting.replace({...failed, processAt: triedAt + wait + oneNanosecond});
	}

	/**
	 * Changes the rate. A limiter that was waiting for its next token hands that wait on: the new one starts drained.
	 *
	 * @quirk a stopped limiter reports a rate of 1, so a zone once stopped stays stopped at a rate of 1
	 * @quirk a limiter swapped in for an empty one starts drained
	 */
	swapLimiter(rate: number, now: Instant): void {
		const qps = Math.fround(rate);
		if (this.#limiter.qps === qps) return;
		const next = qps <= 0 ? new NeverLimiter() : new TokenBucket(qps, evictionRateLimiterBurst);
		if (qps > 0 && !this.#limiter.tryAccept(now)) next.tryAccept(now);
		this.#limiter = next;
	}

	/** Puts another limiter in force: for a machine that starts in the middle of things. */
	setLimiter(limiter: RateLimiter): void {
		this.#limiter = limiter;
	}

	fork(): RateLimitedTimedQueue {
		const copy = new RateLimitedTimedQueue(0, this.#waiting.fork());
		copy.#known = new Set(this.#known);
		copy.#limiter = this.#limiter.fork();
		return copy;
	}
}
