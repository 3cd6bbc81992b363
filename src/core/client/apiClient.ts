import type {Duration, Instant} from '../time/instant.ts';
import {TokenBucket} from './tokenBucket.ts';

/**
 * A controller's own client. Calls wait in one first-in, first-out line for the rate limiter, then take
 * `callDuration`.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/rest/request.go tryThrottle
 */
export class ApiClient {
	/** Undefined if nothing limits the client. */
	readonly #bucket: TokenBucket | undefined;
	readonly #callDuration: Duration;

	/** @param qps calls per second; zero for no limit */
	constructor(qps: number, burst: number, callDuration: Duration, bucket?: TokenBucket) {
		this.#bucket = bucket ?? (qps > 0 ? new TokenBucket(qps, burst) : undefined);
		this.#callDuration = callDuration;
	}

	/** Queues a call; returns when it has been answered. */
	call(now: Instant): Instant {
		return this.turn(now) + this.#callDuration;
	}

	/** Queues for a token only; returns when it is granted. */
	turn(now: Instant): Instant {
		return now + (this.#bucket?.reserve(now) ?? 0);
	}

	/** Takes a token if one is available. */
	takeIfThere(now: Instant) {
		this.#bucket?.tryAccept(now);
	}

	/** The same client with the given number of tokens; a negative number stands for calls already in line. */
	withTokens(tokens: number, at: Instant): ApiClient {
		return new ApiClient(0, 0, this.#callDuration, this.#bucket?.withTokens(tokens, at));
	}

	fork(): ApiClient {
		return new ApiClient(0, 0, this.#callDuration, this.#bucket?.fork());
	}
}
