import type {Duration, Instant} from '../time/instant.ts';
import {TokenBucket} from './tokenBucket.ts';

/**
 * A controller's own client: each call waits for its turn in one line, first come, first served, and takes its time.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/rest/request.go tryThrottle
 */
export class ApiClient {
	/** Undefined where nothing limits the client. */
	readonly #bucket: TokenBucket | undefined;
	readonly #callDuration: Duration;

	/** @param qps calls per second; zero for no limit */
	constructor(qps: number, burst: number, callDuration: Duration, bucket?: TokenBucket) {
		this.#bucket = bucket ?? (qps > 0 ? new TokenBucket(qps, burst) : undefined);
		this.#callDuration = callDuration;
	}

	/** Lines up a call; tells when it has been answered. */
	call(now: Instant): Instant {
		return this.turn(now) + this.#callDuration;
	}

	/** Lines up for a token alone; tells when it is there. */
	turn(now: Instant): Instant {
		return now + (this.#bucket?.reserve(now) ?? 0);
	}

	/** Uses up a token if there is one. */
	takeIfThere(now: Instant): void {
		this.#bucket?.tryAccept(now);
	}

	/** The same client with so many tokens in its bucket, or so many calls in its line where they are below zero. */
	withTokens(tokens: number, at: Instant): ApiClient {
		return new ApiClient(0, 0, this.#callDuration, this.#bucket?.withTokens(tokens, at));
	}

	fork(): ApiClient {
		return new ApiClient(0, 0, this.#callDuration, this.#bucket?.fork());
	}
}
