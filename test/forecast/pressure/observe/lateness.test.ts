import {expect, test} from 'vitest';
import {minute, second} from '../../../../src/core/time/instant.ts';
import {forecastPressure} from '../../../../src/forecast/pressure/forecastPressure.ts';
import {aNodePod, bytes, memoryStats} from '../../../support/pressure.ts';

const now = 10 * minute;
const interval = 10 * second;

/** Looks every ten seconds, the last one just now, with measurements of these ages in seconds. */
function looks(ages: readonly number[], lefts: readonly number[] = []) {
	return ages.map((age, index) => {
		const seenAt = now - (ages.length - 1 - index) * interval;
		const time = seenAt - age * second;
		const availableBytes = bytes(`${lefts[index] ?? 400}Mi`);
		const memory = {time, availableBytes, workingSetBytes: bytes('8Gi') - availableBytes};
		const fs = {time: seenAt, availableBytes: bytes('50Gi'), capacityBytes: bytes('100Gi')};
		const imageFs = {...fs, time, availableBytes: availableBytes * 100n, capacityBytes: bytes('90Gi')};
		return {seenAt, summary: {node: {memory, fs, imageFs}, pods: [memoryStats('cart', '900Mi')]}};
	});
}

test('the same numbers evict nobody twice: of what is not measured any more nothing is certain', () => {
	const config = {enforceNodeAllocatable: [], evictionHard: {'memory.available': '500Mi'}};
	const first = (ages: readonly number[]) =>
		forecastPressure(
			{
				node: 'n1',
				samples: looks(ages),
				config,
				pods: [aNodePod('cart')],
				conditions: [],
				evicted: [],
				reports: [],
			},
			now,
		).evictions[0];
	expect(first([0, 0, 0, 0])).toMatchObject({isCertain: true, when: {earliest: now}});
	expect(first([0, 10, 20, 30])).toMatchObject({isCertain: false, when: {earliest: now, latest: null}});
});

test('a condition of a file system that the container runtime measures may be raised an interval later', () => {
	const config = {evictionHard: {'imagefs.available': '50Gi'}};
	const lefts = [590, 580, 570, 560, 550, 540];
	const raised = (age: number) =>
		forecastPressure(
			{
				node: 'n1',
				samples: looks(Array(6).fill(age), lefts),
				config,
				pods: [],
				conditions: [],
				evicted: [],
				reports: [],
			},
			now,
		).conditions.find(({condition}) => condition === 'DiskPressure')?.raised;
	// It was measured four seconds earlier, so it is crossed four seconds sooner.
	expect((raised(4)?.latest ?? 0) - (raised(0)?.latest ?? 0)).toBe(interval - 4 * second);
});
