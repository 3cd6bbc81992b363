import {Backoff} from '../../async/backoff.ts';
import type {Timing} from '../../async/timing.ts';
import {RequestError} from './requestError.ts';

/** What waiting takes. */
export type RetryTiming = Pick<Timing, 'sleep' | 'random'> & {
	/** How often a server that asks us to wait is asked in all; 5 times where nothing is said. */
	readonly mostAttempts?: number;
};

/**
 * Asks again where the server says that it is too busy now: with 429, or with an error and Retry-After. So one page of many is
 * asked for again, rather than all of them.
 *
 * @throws what the last attempt threw
 */
export async function retryOnThrottle<T>(
	ask: () => Promise<T>,
	{sleep, random, mostAttempts = 5}: RetryTiming,
	signal: AbortSignal,
): Promise<T> {
	const backoff = new Backoff(random);
	for (let attempt = 1; ; attempt++) {
		try {
			return await ask();
		} catch (error) {
			if (!asksToWait(error) || attempt === mostAttempts || signal.aborted) throw error;
			await sleep(backoff.next(error.retryAfter), signal);
		}
	}
}

function asksToWait(error: unknown): error is RequestError {
	if (!(error instanceof RequestError) || error.status === undefined) return false;
	return error.status === 429 || (error.status >= 500 && error.retryAfter > 0);
}
