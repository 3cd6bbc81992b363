import {expect, test} from 'vitest';
import type {NodePod} from '../../../src/core/nodepressure/nodePod.ts';
import type {PodStats} from '../../../src/core/nodepressure/summary.ts';
import type {EvictionConfig} from '../../../src/core/nodepressure/thresholds/evictionSettings.ts';
import {type Instant, minute, second} from '../../../src/core/time/instant.ts';
import {forecastPressure} from '../../../src/forecast/pressure/forecastPressure.ts';
import type {PressureEvidence} from '../../../src/forecast/pressure/observe/pressureEvidence.ts';
import {aNodePod, bytes, memoryStats, nodeFs} from '../../support/pressure.ts';

const now = 10 * minute;

/** A node that was measured ten seconds apart, the last time just now, with so many mebibytes of memory left. */
function seen(
	lefts: readonly number[],
	pods: readonly NodePod[],
	statsAt: (at: Instant, index: number) => readonly PodStats[],
	fields: Partial<PressureEvidence> = {},
): PressureEvidence {
	const samples = lefts.map((left, index) => {
		const seenAt = now - (lefts.length - 1 - index) * 10 * second;
		const availableBytes = bytes(`${left}Mi`);
		const memory = {availableBytes, workingSetBytes: bytes('8Gi') - availableBytes, time: seenAt};
		const fs = {...nodeFs('50Gi').fs, time: seenAt};
		return {seenAt, summary: {node: {memory, fs, imageFs: fs}, pods: statsAt(seenAt, index)}};
	});
	const config: EvictionConfig = {enforceNodeAllocatable: [], evictionHard: {'memory.available': '500Mi'}};
	return {node: 'n1', samples, config, pods, conditions: [], ...fields};
}

const falling = [1000, 980, 960, 940, 920, 900, 880, 860];
const [leak, calm] = [aNodePod('leak'), aNodePod('calm')];
const growing = (at: Instant, startTime?: Instant): readonly PodStats[] => [
	{
		...memoryStats('leak', `${900 - (2 * (now - at)) / second}Mi`),
		...(startTime !== undefined && {startTime}),
	},
	memoryStats('calm', '300Mi'),
];

test('while a pod that has just begun may take anything, an eviction may come any moment', () => {
	const settled = forecastPressure(
		seen(falling, [leak, calm], (at) => growing(at, 0)),
		now,
	);
	const young = forecastPressure(
		seen(falling, [leak, calm], (at) => growing(at, now - 30 * second)),
		now,
	);
	expect(settled.evictions[0]).toMatchObject({pod: {name: 'leak'}, isCertain: true});
	expect(settled.evictions[0]?.when.earliest).toBeGreaterThan(now + 2 * minute);
	expect(young.evictions[0]).toMatchObject({pod: {name: 'leak'}, when: {earliest: now}});
	expect(young.evictions[0]?.when.expected).toBe(settled.evictions[0]?.when.expected);
	const [ofSettled, ofYoung] = [settled, young].map(({signals}) => signals[0]?.thresholds[0]);
	expect(ofSettled?.crossing).toMatchObject({type: 'expected'});
	expect(ofYoung?.crossing).toMatchObject({type: 'expected', at: {earliest: now}});
});

test('a reclaim that a pass may have begun since the newest measurement goes on until its minimum is free', () => {
	const config: EvictionConfig = {
		enforceNodeAllocatable: [],
		evictionHard: {'memory.available': '500Mi'},
		evictionMinimumReclaim: {'memory.available': '1Gi'},
	};
	const gone = {namespace: 'shop', name: 'leak', uid: 'uid-leak', at: now + 5 * second, message: ''};
	const evidence = seen([620, 600, 580, 560, 540, 520, 499], [calm], growing, {
		...{config, evicted: [gone], listedBefore: new Set(['uid-leak'])},
	});
	const later = now + 6 * second;
	// What the first victim gave back is above the threshold, and less than the minimum.
	expect(forecastPressure(evidence, later).evictions[0]).toMatchObject({
		pod: {name: 'calm'},
		when: {earliest: later},
	});
	const without = forecastPressure({...evidence, config: {...config, evictionMinimumReclaim: {}}}, later);
	expect(without.evictions.every(({when}) => when.earliest > later + minute)).toBe(true);
});

test('once a soft grace period is over, a pod may be being killed that is not told of yet: nobody else is certain', () => {
	const config = (maxPodGracePeriod: number): EvictionConfig => ({
		enforceNodeAllocatable: [],
		evictionHard: {'memory.available': '100Mi'},
		evictionSoft: {'memory.available': '1Gi'},
		evictionSoftGracePeriod: {'memory.available': '20s'},
		evictionMaxPodGracePeriod: maxPodGracePeriod,
	});
	const first = (maxPodGracePeriod: number) =>
		forecastPressure(
			seen([1100, ...falling], [leak, calm], growing, {config: config(maxPodGracePeriod)}),
			now,
		).evictions[0];
	expect(first(30)).toMatchObject({pod: {name: 'leak'}, isCertain: false, when: {latest: null}});
	expect(first(0)).toMatchObject({pod: {name: 'leak'}, isCertain: true});
});

test('a soft threshold that is met by less than the noise may be left again, which begins its grace anew', () => {
	const config: EvictionConfig = {
		enforceNodeAllocatable: [],
		evictionHard: {'memory.available': '100Mi'},
		evictionSoft: {'memory.available': '1Gi'},
		evictionSoftGracePeriod: {'memory.available': '2m'},
	};
	const graceLeft = (lefts: readonly number[]) =>
		forecastPressure(seen(lefts, [leak, calm], growing, {config}), now).signals[0]?.thresholds[1]?.graceLeft;
	expect(graceLeft([1030, 1026, 1022, 1018, 1014, 1010])?.most).toBe(100 * second);
	expect(graceLeft([1040, 1015, 1020, 1008, 1022, 1020])?.most).toBe(130 * second);
});

test('of a limit of storage that is not reached yet nothing is certain from two looks', () => {
	const limited = aNodePod('limited', {limits: {'ephemeral-storage': '500Mi'}});
	const stats = (at: Instant): readonly PodStats[] => {
		const written = {time: at, usedBytes: bytes(`${400 - (4 * (now - at)) / second}Mi`)};
		const memory = memoryStats('limited', '100Mi').memory;
		return [
			{
				...{uid: limited.uid, ...(memory && {memory}), volumes: []},
				...{containers: [{name: 'app', rootfs: written}], ephemeralStorage: written},
			},
		];
	};
	const of = (looks: number) =>
		forecastPressure(seen(Array(looks).fill(4000), [limited], stats), now).evictions[0];
	expect(of(2)).toMatchObject({
		pod: {name: 'limited'},
		isCertain: false,
		when: {earliest: now, latest: null},
	});
	expect(of(8)).toMatchObject({pod: {name: 'limited'}, isCertain: true});
});
