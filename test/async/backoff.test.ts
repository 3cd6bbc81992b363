import {expect, test} from 'vitest';
import {Backoff} from '../../src/async/backoff.ts';
import {minute, second} from '../../src/core/time/instant.ts';

test('each wait is longer than the one before, up to a limit', () => {
	const backoff = new Backoff(() => 0);
	expect(Array.from({length: 7}, () => backoff.next())).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000]);
	expect(backoff.isLongest).toBe(true);
	backoff.reset();
	expect(backoff.isLongest).toBe(false);
	expect(backoff.next()).toBe(250);
});

test.for([
	{asked: 7 * second, want: 7 * second},
	{asked: minute, want: minute},
	{asked: 30 * 24 * 60 * minute, want: minute},
	{asked: Number.POSITIVE_INFINITY, want: minute},
	{asked: -5 * second, want: 250},
])('$asked ms that a server asks for are $want', ({asked, want}) => {
	expect(new Backoff(() => 0).next(asked)).toBe(want);
});
