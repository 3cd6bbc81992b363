import {expect, test} from 'vitest';
import {RateLimitedTimedQueue} from '../../../../src/core/nodelifecycle/zones/rateLimitedTimedQueue.ts';
import {second} from '../../../../src/core/time/instant.ts';
import {Random} from '../../../../src/core/time/random.ts';

test('a token is spent before the head is looked at', () => {
	const queue = new RateLimitedTimedQueue(0.1);
	queue.add('later', 5 * second, new Random(1));
	expect(queue.tryNext(0)).toBeUndefined();
	expect(queue.tryNext(9 * second)).toBeUndefined();
	expect(queue.tryNext(10 * second)?.value).toBe('later');
});

test('a stopped limiter reports a rate of 1, so a zone once stopped stays stopped at a rate of 1', () => {
	const queue = new RateLimitedTimedQueue(1);
	queue.add('a', 0, new Random(1));
	queue.swapLimiter(0, 0);
	queue.swapLimiter(1, 0);
	expect(queue.tryNext(1e9)).toBeUndefined();
	queue.swapLimiter(2, 1e9);
	expect(queue.tryNext(1e9 + 500)?.value).toBe('a');
});

test('a limiter swapped in for an empty one starts drained', () => {
	const queue = new RateLimitedTimedQueue(0.1);
	queue.add('a', 0, new Random(1));
	queue.limiter.tryAccept(0);
	queue.swapLimiter(1, 0);
	expect([queue.tryNext(999), queue.tryNext(1000)?.value]).toEqual([undefined, 'a']);
});
