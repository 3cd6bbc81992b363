import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {NeverLimiter, TokenBucket} from '../../../src/core/client/tokenBucket.ts';
import {type Instant, second} from '../../../src/core/time/instant.ts';

const grants = (bucket: TokenBucket, times: readonly Instant[]) =>
	times.filter((time) => bucket.tryAccept(time));

const every = (period: number, until: Instant) =>
	Array.from({length: Math.floor(until / period) + 1}, (_, index) => index * period);

test('the rate is a float32: at 0.01 a token is a hair less than full after 100 s', () => {
	const [, next] = grants(new TokenBucket(0.01, 1), every(100, 101 * second));
	expect(next).toBe(100.1 * second);
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
