import {expect, test} from 'vitest';
import type {NodePod} from '../../../src/core/nodepressure/nodePod.ts';
import type {PodStats} from '../../../src/core/nodepressure/summary.ts';
import type {EvictionConfig} from '../../../src/core/nodepressure/thresholds/evictionSettings.ts';
import {type Instant, minute, second} from '../../../src/core/time/instant.ts';
import {forecastPressure} from '../../../src/forecast/pressure/forecastPressure.ts';
import type {PressureEvidence} from '../../../src/forecast/pressure/observe/pressureEvidence.ts';
import {endWords, rankWords} from '../../../src/forecast/pressure/pressureWords.ts';
import {formatPressure} from '../../../src/print/pressure/pressure.ts';
import {tollWords} from '../../../src/print/pressure/pressureWords.ts';
import {aNodePod, bytes, memoryStats, nodeFs} from '../../support/pressure.ts';

const now = 10 * minute;

/** A node that was measured every ten seconds, the last time just now, with these amounts of memory left, in mebibytes. */
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
	return {node: 'n1', samples, config, pods, conditions: [], evicted: [], reports: [], ...fields};
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

const hard: EvictionConfig = {
	enforceNodeAllocatable: [],
	evictionHard: {'memory.available': '500Mi'},
	evictionPressureTransitionPeriod: '30s',
};
const message = 'The node was low on resource: memory. Threshold quantity: 500Mi, available: 490Mi. ';
const victim = (at: Instant) => ({namespace: 'shop', name: 'leak', uid: 'uid-leak', at, message});
const memoryPressure = (since: Instant) => ({
	...({type: 'MemoryPressure', status: 'True', lastHeartbeatTime: since, lastTransitionTime: since} as const),
});
/** The forecast of MemoryPressure after an eviction, when nothing is short any more. */
const conditionOf = (fields: Partial<PressureEvidence>, lefts = [520, 510, 1400, 1400, 1400, 1400]) =>
	forecastPressure(seen(lefts, [calm], growing, {config: hard, ...fields}), now).conditions[0];

test('a condition for which a pod was evicted just now is raised with the next status', () => {
	const evicted = [victim(now - 4 * second)];
	expect(conditionOf({evicted})).toMatchObject({isMet: false, raised: {earliest: now, latest: now + 7400}});
	expect(
		conditionOf({evicted: [{...victim(now), message: message.replace('memory', 'inodes')}]})?.raised,
	).toBeNull();
	expect(conditionOf({evicted: [victim(now - 35 * second)]})?.raised).toBeNull();
});

test('a condition whose threshold is met ends the transition period after evictions have freed enough, if they do; it has no end', () => {
	const conditions = [memoryPressure(now - 15 * second)];
	const held = conditionOf({conditions}, Array(8).fill(400))?.held;
	// The next pass, half an interval from now, evicts and frees enough.
	expect(held).toMatchObject({expected: now + 35 * second, about: now + 35 * second, latest: null});
	expect(held?.earliest).toBeLessThan(now + 30 * second);
	// A pod that is never evicted frees nothing, so it may end at any time, and no time is given.
	const pods = [{...leak, priority: 2_000_000_000}];
	const beyond = forecastPressure(seen([400], pods, growing, {config: hard, conditions}), now).conditions[0];
	expect(beyond?.held).toMatchObject({expected: now + 30 * second, about: null, latest: null});
	expect(beyond && endWords(beyond, now)).toBe('ends 30s after the kubelet last finds a threshold crossed');
});

test('once its kubelet evicted for it, a condition ends about the transition period after that, whenever it is looked at', () => {
	// The pass that killed it was some seconds before its end, and the status that shows it is some seconds late.
	const evicted = [victim(now - 20 * second)];
	const config: EvictionConfig = {...hard, evictionPressureTransitionPeriod: '5m'};
	const conditions = [memoryPressure(now - minute)];
	const ends = [0, 30, 60].map((later) => {
		const {samples, ...evidence} = seen([6000], [calm], growing, {config, conditions, evicted});
		const looked = now + later * second;
		const newest = samples.map(({summary}) => ({seenAt: looked, summary}));
		const [condition] = forecastPressure({...evidence, samples: newest}, looked).conditions;
		return condition && endWords(condition, looked);
	});
	expect(new Set(ends)).toEqual(new Set(['ends about 00:14:40Z, unless a threshold is crossed again']));
});

test('a single step of noise on a node with plenty free threatens nobody; one that goes on, or is near, does', () => {
	const threatened = (lefts: readonly number[]) =>
		forecastPressure(seen(lefts, [leak, calm], growing), now).evictions.length > 0;
	// The last step is sixty mebibytes in ten seconds.
	const noisy = [9700, 9702, 9701, 9703, 9704, 9703, 9705, 9645];
	expect(threatened(noisy)).toBe(false);
	// The trend itself includes it.
	const {trend, thresholds} = forecastPressure(seen(noisy, [leak, calm], growing), now).signals[0] ?? {};
	expect(trend?.perSecond.low).toBe(-6 * Number(bytes('1Mi')));
	expect(thresholds?.[0]?.crossing).toMatchObject({type: 'possible', at: {latest: null}});
	// Three more steps of a hundred and fifty are a trend.
	expect(threatened([...noisy.slice(3), 9495, 9345, 9195])).toBe(true);
	const near = noisy.map((left) => left - 8000);
	expect(threatened(near)).toBe(true);
	// An effect of only the steepest trend is not likely then.
	const {evictions} = forecastPressure(seen(near, [leak, calm], growing), now);
	expect(evictions.map(({when}) => when.about)).toEqual([null, null]);
});

test('what a shortage takes is told by the threshold that takes most, not by the first', () => {
	const config: EvictionConfig = {
		enforceNodeAllocatable: [],
		evictionHard: {'memory.available': '500Mi'},
		evictionSoft: {'memory.available': '1500Mi'},
		evictionSoftGracePeriod: {'memory.available': '3m'},
	};
	const tollOf = (left: number) => {
		const [memory] = forecastPressure(seen([left], [leak, calm], growing, {config}), now).signals;
		return tollWords(memory?.thresholds ?? []);
	};
	expect(tollOf(400)).toBe('The eviction of 2 pods frees enough, if each gives back what it uses.\n');
	expect(tollOf(200)).toBe('Even the eviction of 2 pods does not free enough.\n');
	expect(tollOf(1600)).toBe('');
});

test('a node that may go on with a reclaim is not said to be short where no threshold is crossed', () => {
	const config: EvictionConfig = {
		enforceNodeAllocatable: [],
		evictionHard: {'memory.available': '500Mi'},
		evictionMinimumReclaim: {'memory.available': '500Mi'},
	};
	const conditions = [memoryPressure(now - minute)];
	const found = forecastPressure(seen([700], [leak, calm], growing, {config, conditions}), now);
	const [eviction] = found.evictions;
	expect(eviction && rankWords(eviction, found)).toMatch(/^Node n1 may run short of memory\.available, /);
	expect(formatPressure(found, {isWide: false, showHeaders: true}, now)).toMatch(
		/^Node n1: no threshold is crossed now, but its kubelet may go on evicting until 1000Mi of memory\.available are free; /,
	);
});

test('on a terminal of 80 columns the tables of pressure fit, and say what they leave out', () => {
	const found = forecastPressure(seen([620, 600, 580], [leak, calm], growing), now);
	const text = formatPressure(found, {isWide: false, showHeaders: true, width: 80}, now);
	const tables = text.slice(text.indexOf('SIGNAL'));
	expect(tables.split('\n').filter((line) => line.length > 80)).toEqual([]);
	expect(tables).toContain('\nNo room for TERMINATION-GRACE: -o wide shows all columns.\n');
});
