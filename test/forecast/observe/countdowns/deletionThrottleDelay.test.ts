import {expect, test} from 'vitest';
import {second} from '../../../../src/core/time/instant.ts';
import {
	throttleDelayFor,
	throttledEnds,
} from '../../../../src/forecast/observe/countdowns/deletionThrottleDelay.ts';

const at = (count: number, instant: number) => Array.from({length: count}, () => instant);

test.for<{name: string; due: readonly number[]; qps: number; burst: number; want: readonly number[]}>([
	{name: 'nothing waits where nothing limits the client', due: [0, 0], qps: 0, burst: 0, want: [0, 0]},
	{name: 'a few together are within the burst', due: at(7, 0), qps: 20, burst: 30, want: at(7, 0)},
	{
		name: 'a hundred together wait until the last of their four hundred calls',
		due: at(100, 0),
		qps: 20,
		burst: 30,
		want: at(100, (370 / 20) * second),
	},
	{
		name: 'a second batch does not wait for a first one that is long gone',
		due: [...at(10, 0), ...at(2, 10 * second)],
		qps: 20,
		burst: 30,
		want: [...at(10, second / 2), ...at(2, 10 * second)],
	},
	{
		name: 'one that comes while the line is long waits as well',
		due: [...at(100, 0), 5 * second],
		qps: 20,
		burst: 30,
		want: [...at(100, (374 / 20) * second), (374 / 20) * second],
	},
])('$name', ({due, qps, burst, want}) => {
	const ends = throttledEnds(due, {kubeApiQps: qps, kubeApiBurst: burst});
	expect(ends.map((end) => Math.round(end))).toEqual(want);
});

test('the last of so many deletions waits for all calls beyond the burst', () => {
	const limits = {kubeApiQps: 20, kubeApiBurst: 30};
	expect(throttleDelayFor(7, limits)).toBe(0);
	expect(throttleDelayFor(100, limits)).toBe((370 / 20) * second);
	expect(throttleDelayFor(100, {kubeApiQps: 0, kubeApiBurst: 0})).toBe(0);
});
