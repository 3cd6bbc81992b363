import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {NeverLimiter, TokenBucket} from '../../../src/core/client/tokenBucket.ts';
import {type Instant, second} from '../../../src/core/time/instant.ts';

const grants = (bucket: TokenBucket, times: readonly Instant[]) =>
	times.filter((time) => bucket.tryAccept(time));

const every = (period: number, until: Instant) =>
	Array.from({length: Math.floor(until / period) + 1}, (_, index) => index * period);

test.for([
	{name: 'a full bucket grants its burst at once', qps: 1, burst: 3, at: [0, 0, 0, 0], want: 3},
	{
		name: 'an empty bucket has its next token after one interval',
		qps: 2,
		burst: 1,
		at: [0, 499, 500],
		want: 2,
	},
	{name: 'tokens do not pile up above the burst', qps: 1, burst: 2, at: [0, 0, 9000, 9000, 9000], want: 4},
	{name: 'at a rate of zero only the burst is ever granted', qps: 0, burst: 1, at: [0, 1e12], want: 1},
	{name: 'a refused attempt costs nothing', qps: 1, burst: 1, at: [0, 300, 600, 900, 1000], want: 2},
	{name: 'a clock that steps back takes no tokens away', qps: 1, burst: 2, at: [5000, 1000, 1000], want: 2},
])('$name', ({qps, burst, at, want}) => {
	expect(grants(new TokenBucket(qps, burst), at)).toHaveLength(want);
});

test('the rate is a float32: at 0.01 a token is a hair less than full after 100 s', () => {
	const [, next] = grants(new TokenBucket(0.01, 1), every(100, 101 * second));
	expect(next).toBe(100.1 * second);
});

test('at 0.1 the float32 is a hair more, and a token is full after 10 s', () => {
	const [, next] = grants(new TokenBucket(0.1, 1), every(100, 11 * second));
	expect(next).toBe(10 * second);
});

test('whoever reserves waits for all that reserved before', () => {
	const bucket = new TokenBucket(20, 2);
	expect(Array.from({length: 5}, () => bucket.reserve(0))).toEqual([0, 0, 50, 100, 150]);
	expect(bucket.reserve(100)).toBe(100);
	expect(bucket.tokensAt(200)).toBeCloseTo(0);
});

test('a debt is paid before anything is granted', () => {
	const bucket = new TokenBucket(1, 1);
	bucket.reserve(0);
	bucket.reserve(0);
	expect(grants(bucket, every(500, 3 * second))).toEqual([2 * second, 3 * second]);
});

test('at a rate of zero a reservation waits for ever', () => {
	const bucket = new TokenBucket(0, 1);
	expect([bucket.reserve(0), bucket.reserve(0)]).toEqual([0, Number.POSITIVE_INFINITY]);
});

test('a fork has its own tokens', () => {
	const bucket = new TokenBucket(1, 2);
	bucket.tryAccept(0);
	const fork = bucket.fork();
	expect(grants(fork, [0, 0])).toHaveLength(1);
	expect(bucket.tokensAt(0)).toBe(1);
});

test('a bucket can be made as it was at an instant', () => {
	const bucket = new TokenBucket(0.1, 1).withTokens(0.5, 1000);
	expect(bucket.tokensAt(1000)).toBe(0.5);
	expect(grants(bucket, [5999, 6000])).toEqual([6000]);
});

test('it reports a rate of 1', () => {
	const never = new NeverLimiter();
	expect([never.qps, never.tryAccept(), never.fork().tryAccept()]).toEqual([1, false, false]);
});

const limits = fc.record({
	qps: fc.constantFrom(0.01, 0.1, 0.5, 1, 3, 20),
	burst: fc.integer({min: 1, max: 30}),
});
const attempts = fc.array(fc.nat(20_000), {maxLength: 200}).map((times) => times.toSorted((a, b) => a - b));

test('a bucket never grants more than its burst and its rate in any window', () => {
	fc.assert(
		fc.property(limits, attempts, ({qps, burst}, times) => {
			const granted = grants(new TokenBucket(qps, burst), times);
			for (const [first, from] of granted.entries()) {
				for (const [last, to] of granted.entries()) {
					if (last < first) continue;
					expect(last - first + 1).toBeLessThanOrEqual(burst + ((to - from) / second) * qps + 1e-6);
				}
			}
		}),
		{numRuns: 100},
	);
});

test('reservations are served in order, and as fast as the rate allows', () => {
	fc.assert(
		fc.property(limits, attempts, ({qps, burst}, times) => {
			const bucket = new TokenBucket(qps, burst);
			const served = times.map((time) => time + bucket.reserve(time));
			expect(served).toEqual(served.toSorted((a, b) => a - b));
			for (const [index, at] of served.entries()) {
				const earlier = served[index - burst];
				if (earlier !== undefined) expect(((at - earlier) / second) * qps).toBeGreaterThan(1 - 1e-3);
			}
		}),
		{numRuns: 100},
	);
});
