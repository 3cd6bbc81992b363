import {type Duration, type Instant, second} from '../time/instant.ts';

/** Limits how often something may happen. */
export interface RateLimiter {
	/** Events per second, as the limiter itself reports it. */
	readonly qps: number;
	tryAccept(now: Instant): boolean;
	/** The wait until a token is available, without taking it; zero if one is available now. */
	waitAt(now: Instant): Duration;
	fork(): RateLimiter;
}

/**
 * A token bucket: full at the start, refilled at a steady rate, never above its burst.
 *
 * @quirk the rate is a float32: at 0.01 a token is a hair less than full after 100 s
 * @upstream golang.org/x/time v0.14.0 rate/rate.go Limiter
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/util/flowcontrol/throttle.go tokenBucketRateLimiter
 */
export class TokenBucket implements RateLimiter {
	readonly qps: number;
	readonly burst: number;
	#tokens: number;
	#last: Instant | undefined;

	/** @param qps tokens per second; at zero only the first `burst` are ever granted. */
	constructor(qps: number, burst: number) {
		this.qps = Math.fround(qps);
		this.burst = burst;
		this.#tokens = burst;
	}

	tryAccept(now: Instant): boolean {
		return this.#take(now, 0) !== undefined;
	}

	waitAt(now: Instant): Duration {
		const left = this.tokensAt(now) - 1;
		return left < 0 ? this.#timeFor(-left) : 0;
	}

	/** Takes a token in advance if none is available; returns the wait. First come, first served. */
	reserve(now: Instant): Duration {
		return this.#take(now, Number.POSITIVE_INFINITY) ?? Number.POSITIVE_INFINITY;
	}

	/** The number of tokens; negative if some are reserved in advance. */
	tokensAt(now: Instant): number {
		const elapsed = this.#last === undefined ? 0 : Math.max(0, now - this.#last);
		return Math.min(this.burst, this.#tokens + (elapsed / second) * this.qps);
	}

	fork(): TokenBucket {
		return this.withTokens(this.#tokens, this.#last);
	}

	/** A bucket of the same rate that held `tokens` at an instant. */
	withTokens(tokens: number, at: Instant | undefined): TokenBucket {
		const copy = new TokenBucket(this.qps, this.burst);
		copy.#tokens = tokens;
		copy.#last = at;
		return copy;
	}

	#take(now: Instant, longestWait: Duration): Duration | undefined {
		const wait = this.waitAt(now);
		if (wait > longestWait) return undefined;
		this.#tokens = this.tokensAt(now) - 1;
		this.#last = now;
		return wait;
	}

	/** In milliseconds, rounded down to whole nanoseconds as Go does. */
	#timeFor(tokens: number): Duration {
		if (this.qps <= 0) return Number.POSITIVE_INFINITY;
		return Math.floor((tokens / this.qps) * 1e9) / 1e6;
	}
}

/**
 * Never grants anything: a stopped zone's limiter.
 *
 * @quirk it reports a rate of 1
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/util/flowcontrol/throttle.go fakeNeverRateLimiter
 */
export class NeverLimiter implements RateLimiter {
	readonly qps = 1;

	tryAccept(): boolean {
		return false;
	}

	waitAt(): Duration {
		return Number.POSITIVE_INFINITY;
	}

	fork(): NeverLimiter {
		return this;
	}
}
