import {setImmediate} from 'node:timers/promises';
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import {expect, test} from 'vitest';
import {mergeJointly, nthOf} from '../../../src/forecast/conclude/merge.ts';
import {usualLatency} from '../../../src/forecast/observe/latencies.ts';
import {Range} from '../../../src/forecast/range.ts';
import type {Occurrence} from '../../../src/forecast/simulate/occurrence.ts';

const at = (instant: number): Occurrence => ({lo: instant, hi: instant});
const runs = [0, 1].map((phase) => ({
	draw: {phase: `${phase}`, quantile: 0, weight: 1, isOfSettings: false},
}));
const rangeOf = (...occurrences: readonly (Occurrence | undefined)[]): Range => {
	const {range} = mergeJointly(occurrences, 0, runs);
	if (!range) throw new Error('it never comes');
	return range;
};

test('the last of several events has the odds of the runs, not of each event alone', () => {
	const [some, others] = [rangeOf(at(10_000), at(20_000)), rangeOf(at(20_000), at(10_000))];
	expect(some.likely?.from).toBeLessThan(11_000);
	const both = nthOf([some, others], 2);
	const first = nthOf([some, others], 1);
	expect(
		[both?.likely?.from, both?.likely?.until].map((time) => Math.round((time ?? 0) - usualLatency)),
	).toEqual([20_000, 20_001]);
	expect(Math.round((first?.likely?.until ?? 0) - usualLatency)).toBe(10_001);
});

test('events that never come in the same run never come all', () => {
	const both = nthOf([rangeOf(at(10_000), undefined), rangeOf(undefined, at(10_000))], 2);
	expect(both?.probability).toBe(0);
	const together = nthOf([rangeOf(at(10_000), undefined), rangeOf(at(12_000), undefined)], 2);
	expect(together?.probability).toBe(0.5);
});

test('of events that are not from the same runs, all come at most as likely as the least likely one', () => {
	const known = new Range(0, 1000, 2000);
	expect(nthOf([rangeOf(at(10_000), undefined), known], 2)).toMatchObject({latest: null, probability: 0.5});
	expect(nthOf([known], 2)).toBeNull();
});

test('a range that is kept keeps nothing of its runs but what they stand for', async () => {
	setFlagsFromString('--expose-gc');
	const collect: () => void = runInNewContext('gc');
	const trajectoryOf = () => {
		const own = runs.map((run) => ({...run, trajectory: {}}));
		const {range} = mergeJointly([at(10_000), at(20_000)], 0, own);
		return {range, trajectory: new WeakRef(own)};
	};
	const {range, trajectory} = trajectoryOf();
	await setImmediate();
	collect();
	expect(trajectory.deref()).toBeUndefined();
	expect(range?.expected).toBeGreaterThan(10_000);
});
