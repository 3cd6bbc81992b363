import {expect, test} from 'vitest';
import {NeverLimiter, type RateLimiter, TokenBucket} from '../../../../src/core/client/tokenBucket.ts';
import {RateLimitedTimedQueue} from '../../../../src/core/nodelifecycle/zones/rateLimitedTimedQueue.ts';
import {type Instant, second} from '../../../../src/core/time/instant.ts';
import {Random} from '../../../../src/core/time/random.ts';

const always: RateLimiter = {qps: 1e6, tryAccept: () => true, waitAt: () => 0, fork: () => always};

/** A queue without a rate limit whose values were added one millisecond apart. */
function openQueue(...values: readonly string[]): RateLimitedTimedQueue {
	const queue = new RateLimitedTimedQueue(0);
	queue.setLimiter(always);
	for (const [index, value] of values.entries()) queue.add(value, index + 1, new Random(index));
	return queue;
}

/** Takes all that the queue returns at an instant, each successfully. */
function takeAll(queue: RateLimitedTimedQueue, now: Instant): string[] {
	const taken: string[] = [];
	for (let next = queue.tryNext(now); next; next = queue.tryNext(now)) {
		taken.push(next.value);
		queue.processed(next);
	}
	return taken;
}

test('values come out in the order in which they became due', () => {
	expect(takeAll(openQueue('first', 'second', 'third'), 10)).toEqual(['first', 'second', 'third']);
});

test.for([
	{removed: 'first', want: ['second', 'third']},
	{removed: 'second', want: ['first', 'third']},
	{removed: 'third', want: ['first', 'second']},
])('with the $removed value removed the others are left', ({removed, want}) => {
	const queue = openQueue('first', 'second', 'third');
	expect(queue.remove(removed)).toBe(true);
	expect([queue.size, queue.values, takeAll(queue, 10)]).toEqual([2, want, want]);
});

test('a value that failed comes back once its wait is over, with the time at which it was added', () => {
	const queue = openQueue('first', 'second', 'third');
	queue.remove('first');
	const failed = queue.tryNext(5);
	expect(failed).toMatchObject({value: 'second', addedAt: 2});
	if (failed) queue.retry(failed, 5, 2);
	expect(takeAll(queue, 5)).toEqual(['third']);
	expect(takeAll(queue, 7)).toEqual([]);
	expect(queue.tryNext(8)).toMatchObject({value: 'second', addedAt: 2});
});

test('a value that fails without a wait does not come back at the same instant', () => {
	const queue = openQueue('only');
	const failed = queue.tryNext(5);
	if (failed) queue.retry(failed, 5, 0);
	expect([queue.tryNext(5), queue.tryNext(6)?.value]).toEqual([undefined, 'only']);
});

test('a value removed while it is tried is not tried again', () => {
	const queue = openQueue('only');
	const tried = queue.tryNext(5);
	queue.remove('only');
	if (tried) queue.retry(tried, 5, 0);
	expect([queue.size, queue.tryNext(100)]).toEqual([0, undefined]);
});

test('a value that was processed is not taken again unless it is removed first', () => {
	const queue = openQueue('only');
	takeAll(queue, 5);
	expect(queue.add('only', 6, new Random(1))).toBe(false);
	expect(queue.tryNext(7)).toBeUndefined();
	queue.remove('only');
	expect(queue.add('only', 8, new Random(1))).toBe(true);
	expect(takeAll(queue, 9)).toEqual(['only']);
});

test('a value that is not known cannot be removed', () => {
	expect(openQueue().remove('nobody')).toBe(false);
});

test('chance decides which of the values of one instant goes first', () => {
	const orders = Array.from({length: 20}, (_, seed) => {
		const [queue, random] = [new RateLimitedTimedQueue(1), new Random(seed)];
		queue.setLimiter(always);
		for (const value of ['a', 'b', 'c']) queue.add(value, 0, random);
		return takeAll(queue, 0).join('');
	});
	expect(new Set(orders).size).toBeGreaterThan(3);
});

test('a token is spent before the head is looked at', () => {
	const queue = new RateLimitedTimedQueue(0.1);
	queue.add('later', 5 * second, new Random(1));
	expect(queue.tryNext(0)).toBeUndefined();
	expect(queue.tryNext(9 * second)).toBeUndefined();
	expect(queue.tryNext(10 * second)?.value).toBe('later');
});

test('an empty queue spends no token', () => {
	const queue = new RateLimitedTimedQueue(0.1);
	expect(queue.tryNext(0)).toBeUndefined();
	queue.add('a', 1, new Random(1));
	expect(queue.tryNext(1)?.value).toBe('a');
});

test('at a rate of zero the one token of the start is still there', () => {
	const queue = new RateLimitedTimedQueue(0);
	for (const value of ['a', 'b']) queue.add(value, 0, new Random(1));
	expect(takeAll(queue, 1e9)).toHaveLength(1);
});

test('the rate in force is the one that was asked for last, as a float32', () => {
	const queue = openQueue();
	queue.swapLimiter(0, 0);
	expect([queue.limiter, queue.limiter.qps]).toEqual([expect.any(NeverLimiter), 1]);
	queue.swapLimiter(5.5, 0);
	expect(queue.limiter.qps).toBe(5.5);
	queue.swapLimiter(0.1, 0);
	expect(queue.limiter.qps).toBe(Math.fround(0.1));
});

test('a swap to the rate that is in force keeps the limiter and its tokens', () => {
	const queue = new RateLimitedTimedQueue(0.1);
	const {limiter} = queue;
	limiter.tryAccept(0);
	queue.swapLimiter(0.1, 5 * second);
	expect(queue.limiter).toBe(limiter);
	expect(limiter.tryAccept(9.9 * second)).toBe(false);
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

test('a limiter swapped in for one that has a token starts full, and costs the old one its token', () => {
	const queue = new RateLimitedTimedQueue(0.1);
	const before = queue.limiter;
	queue.add('a', 0, new Random(1));
	queue.swapLimiter(1, 0);
	expect(queue.tryNext(0)?.value).toBe('a');
	expect(before.tryAccept(0)).toBe(false);
});

test('a limiter can be put in force as it was at an instant', () => {
	const queue = new RateLimitedTimedQueue(0.1);
	queue.add('a', 0, new Random(1));
	queue.setLimiter(new TokenBucket(0.1, 1).withTokens(0, 0));
	expect([queue.tryNext(9.9 * second), queue.tryNext(10 * second)?.value]).toEqual([undefined, 'a']);
});

test('a fork has its own values, memory and tokens', () => {
	const queue = new RateLimitedTimedQueue(0.1);
	for (const value of ['a', 'b']) queue.add(value, 0, new Random(1));
	const fork = queue.fork();
	takeAll(fork, 0);
	fork.remove('a');
	fork.remove('b');
	expect([fork.size, queue.size]).toEqual([0, 2]);
	expect(queue.add('a', 0, new Random(1))).toBe(false);
	expect(takeAll(queue, 0)).toHaveLength(1);
});
