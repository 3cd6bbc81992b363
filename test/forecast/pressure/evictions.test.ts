import {expect, test} from 'vitest';
import type {NodePod} from '../../../src/core/nodepressure/nodePod.ts';
import type {PodStats} from '../../../src/core/nodepressure/summary.ts';
import type {EvictionConfig} from '../../../src/core/nodepressure/thresholds/evictionSettings.ts';
import {type Instant, minute, second} from '../../../src/core/time/instant.ts';
import {forecastPressure} from '../../../src/forecast/pressure/forecastPressure.ts';
import type {PressureEvidence} from '../../../src/forecast/pressure/observe/pressureEvidence.ts';
import {endWords, rankWords, untilWords} from '../../../src/forecast/pressure/pressureWords.ts';
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

test('of two pods that may be the first each may go as early as the other', () => {
	// Memory falls by about two mebibytes per second; a leak overtakes a calm pod just before the threshold.
	const lefts = [846, 814, 806, 774, 766, 734, 726, 694];
	const overtaking = (at: Instant) => [
		memoryStats('calm', '1000Mi'),
		memoryStats('leak', `${810 - (2 * (now - at)) / second}Mi`),
	];
	const [first, other] = forecastPressure(seen(lefts, [leak, calm], overtaking), now).evictions;
	expect([first?.pod.name, other?.pod.name].toSorted()).toEqual(['calm', 'leak']);
	expect([first?.place.first, other?.place.first]).toEqual([1, 1]);
	const later = [first, other].find((one) => one?.place.last === 2);
	const sole = [first, other].find((one) => one?.place.last === 1);
	expect(later?.when.earliest).toBeLessThanOrEqual(sole?.when.earliest ?? 0);
});

test('a pod that is sure to be the first is gone before the next one, however late that is', () => {
	const both = (at: Instant) => [
		memoryStats('leak', `${250 - (now - at) / second}Mi`),
		memoryStats('calm', `${200 - (now - at) / second}Mi`),
	];
	const [first, next] = forecastPressure(seen(falling, [leak, calm], both), now).evictions;
	expect(first).toMatchObject({pod: {name: 'leak'}, place: {first: 1, last: 1}});
	expect(next).toMatchObject({pod: {name: 'calm'}, place: {first: 2}});
	expect(first?.when.latest ?? Number.POSITIVE_INFINITY).toBeLessThan(next?.when.earliest ?? 0);
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
	// The first victim freed enough for the threshold, but less than the minimum.
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
	expect(conditionOf({evicted})).toMatchObject({
		isMet: false,
		raised: {earliest: now, latest: now + 7400},
	});
	expect(
		conditionOf({evicted: [{...victim(now), message: message.replace('memory', 'inodes')}]})?.raised,
	).toBeNull();
	expect(conditionOf({evicted: [victim(now - minute)]})?.raised).toBeNull();
});

test('a condition whose threshold no measurement saw is held from when it was told, as long as that may be met again', () => {
	const told = now - 15 * second;
	const evidence = {conditions: [memoryPressure(told)], evicted: [victim(told - 5 * second)]};
	const held = {earliest: told + 30 * second - 10_400, latest: told + 51_400};
	expect(conditionOf(evidence, Array(8).fill(1400))?.held).toMatchObject(held);
	// Half of the minimum is not free yet.
	const reclaim = {...hard, evictionMinimumReclaim: {'memory.available': '1Gi'}};
	expect(conditionOf({...evidence, config: reclaim}, Array(8).fill(1400))?.held).toMatchObject({
		...held,
		latest: null,
	});
	const falling = [830, 790, 750, 710, 670, 630, 590, 550];
	expect(conditionOf(evidence, falling)?.held).toMatchObject({...held, latest: null});
});

test('a condition may last longer where its kubelet may still wait for a pod that it evicted: so long there is no pass', () => {
	const told = now - 25 * second;
	const evidence = {conditions: [memoryPressure(told)], evicted: [victim(now - 4 * second)]};
	const ends = (fields: Partial<PressureEvidence>) =>
		conditionOf({...evidence, ...fields}, Array(8).fill(1400))?.held?.latest ?? 0;
	// Ten seconds for the kill and thirty for the cleanup, instead of an interval.
	expect(ends({lastEvictionAt: now - 4 * second}) - ends({})).toBe(26 * second);
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

test('a condition that was True before the first measurement may have been met until then', () => {
	const told = now - 290 * second;
	const evidence = {
		conditions: [memoryPressure(told)],
		config: {...hard, evictionPressureTransitionPeriod: '5m'},
	};
	const measured = Array(8).fill(1400);
	// The first measurement was seventy seconds ago.
	const first = now - 70 * second;
	expect(conditionOf(evidence, measured)?.held).toMatchObject({
		earliest: now,
		latest: first + 5 * minute + 20_400,
	});
	// An evicted pod proves that its pass found the threshold met, at any later time.
	const evicted = [victim(first - minute)];
	const at = first - minute - 5 * second;
	const report = {...{node: 'n1', reason: 'Evicted', at, message, pod: 'shop/leak'}};
	expect(conditionOf({...evidence, evicted}, measured)?.held?.earliest).toBe(
		first - 70 * second + 5 * minute,
	);
	expect(conditionOf({...evidence, evicted, reports: [report]}, measured)?.held?.earliest).toBe(
		at - second + 5 * minute,
	);
	expect(conditionOf({...evidence, evicted, reports: [report]}, [400])?.held?.earliest).toBe(
		now + 290 * second,
	);
});

test('one look tells by when a soft threshold evicts, and about when a hard one does, by the pace since the condition', () => {
	const config: EvictionConfig = {
		enforceNodeAllocatable: [],
		evictionHard: {'memory.available': '500Mi'},
		evictionSoft: {'memory.available': '2000Mi'},
		evictionSoftGracePeriod: {'memory.available': '3m'},
	};
	const thresholdsOf = (since: Instant, fields: Partial<PressureEvidence> = {}) => {
		const conditions = [memoryPressure(since)];
		const found = forecastPressure(seen([1000], [leak, calm], growing, {config, conditions, ...fields}), now);
		return {...found, thresholds: found.signals[0]?.thresholds ?? []};
	};
	// A thousand mebibytes in 20 s and half a pass: half of that in 12.5 s.
	const {thresholds, evictions} = thresholdsOf(now - 20 * second);
	expect(thresholds).toMatchObject([
		{isHard: true, evictsBy: null, crossing: {type: 'unknown', about: now + 12.5 * second}},
		{isHard: false, evictsBy: now + 3 * minute + 20 * second, crossing: {type: 'met'}},
	]);
	// A rate is not a bound.
	expect(evictions[0]).toMatchObject({
		...{pod: {name: 'leak'}, isCertain: false},
		when: {earliest: now, expected: now + 17.5 * second, latest: null},
	});
	const unknown = {type: 'unknown'};
	expect(thresholdsOf(now - 5 * second).thresholds[0]?.crossing).toEqual(unknown);
	// What a pod freed meanwhile changes the rate.
	const evicted = [victim(now - 10 * second)];
	expect(thresholdsOf(now - 20 * second, {evicted}).thresholds[0]?.crossing).toEqual(unknown);
});

test('from look to look neither the time of a soft eviction nor the end of its condition slides; only its bound does, which is said to be counted from the look', () => {
	const config: EvictionConfig = {
		enforceNodeAllocatable: [],
		evictionHard: {'memory.available': '10Mi'},
		evictionSoft: {'memory.available': '1010Mi'},
		evictionSoftGracePeriod: {'memory.available': '3m'},
		evictionPressureTransitionPeriod: '5m',
	};
	const since = now - minute;
	const look = (at: Instant, fields: Partial<PressureEvidence> = {}) => {
		const conditions = [memoryPressure(since)];
		const {samples, ...evidence} = seen([1000], [leak, calm], growing, {config, conditions, ...fields});
		// If memory falls no further, a hard threshold is far away.
		const newest = samples.map(({summary}) => ({seenAt: at, summary: {...summary, node: lasting}}));
		const found = forecastPressure({...evidence, samples: newest}, at);
		const [condition] = found.conditions;
		const [eviction] = found.evictions;
		return {
			...{about: eviction?.when.about, by: eviction?.when.by, grace: eviction?.graceSeconds},
			ends: condition && endWords(condition, at),
			until: eviction && untilWords(eviction, found, at),
		};
	};
	const availableBytes = bytes('1000Mi');
	const lasting = {memory: {availableBytes, workingSetBytes: bytes('8Gi') - availableBytes}};
	const first = look(now);
	expect(first).toEqual({
		// One look cannot show whether the hard threshold is crossed sooner.
		...{about: null, by: since + 3 * minute, grace: [1, 0]},
		ends: 'ends by about 00:17:00Z, 5m after evictions free enough (by about 00:12:00Z)',
		until:
			'or as soon as memory.available (1000Mi) falls below 10Mi; after 3m below 1010Mi by 00:13:20Z at the latest, counted from this look, unless it rises above 1010Mi before',
	});
	// It may have been above meanwhile, unobserved.
	const until = first.until?.replace('00:13:20Z', '00:13:50Z');
	expect(look(now + 30 * second)).toEqual({...first, until});
	// Long after that it must have been.
	expect(look(since + 4 * minute)).toMatchObject({
		by: since + 4 * minute + 200 * second,
		ends: 'ends 5m after the kubelet last finds a threshold crossed',
	});
	// So it was if a pod was evicted since, which freed something.
	const evicted = [victim(now - 30 * second)];
	expect(look(now, {evicted})).toMatchObject({
		by: now + 200 * second,
		ends: 'ends 5m after the kubelet last finds a threshold crossed',
		until:
			'counted from this look, or as soon as memory.available (1000Mi) falls below 10Mi, unless it rises above 1010Mi before',
	});
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

test('of three looks, which are no firm trend yet, the first threshold of all tells about when, be it hard or soft', () => {
	const config: EvictionConfig = {
		enforceNodeAllocatable: [],
		evictionHard: {'memory.available': '500Mi'},
		evictionSoft: {'memory.available': '2000Mi'},
		evictionSoftGracePeriod: {'memory.available': '3m'},
	};
	const conditions = [memoryPressure(now - minute)];
	const aboutOf = (lefts: readonly number[]) => {
		const found = forecastPressure(seen(lefts, [leak, calm], growing, {config, conditions}), now);
		const [eviction] = found.evictions;
		return {about: eviction?.when.about, until: eviction && untilWords(eviction, found, now)};
	};
	// Ten mebibytes per second: the hard one is crossed in twenty seconds, and a pass comes within ten.
	expect(aboutOf([900, 800, 700])).toMatchObject({
		about: now + 25 * second,
		until: expect.stringMatching(
			/^when memory\.available \(700Mi\) falls below 500Mi, on its trend so far; else about 00:12:00Z/,
		),
	});
	expect(aboutOf([1900, 1900, 1900])).toMatchObject({
		about: now + 2 * minute,
		until: expect.stringMatching(/^after 3m below 2000Mi of memory\.available \(1.9Gi\); at once if/),
	});
});

test('a single step of noise on a node with plenty free threatens nobody; one that goes on, or is near, does', () => {
	const threatened = (lefts: readonly number[]) =>
		forecastPressure(seen(lefts, [leak, calm], growing), now).evictions.length > 0;
	// The last step is sixty mebibytes, perhaps all in one second; at that rate all memory is gone within three minutes.
	const noisy = [9700, 9702, 9701, 9703, 9704, 9703, 9705, 9645];
	expect(threatened(noisy)).toBe(false);
	// The trend itself includes it.
	const {trend, thresholds} = forecastPressure(seen(noisy, [leak, calm], growing), now).signals[0] ?? {};
	expect(trend?.perSecond.low).toBeLessThan(-50 * Number(bytes('1Mi')));
	expect(thresholds?.[0]?.crossing).toMatchObject({type: 'possible', at: {latest: null}});
	// Three more steps of a hundred and fifty are a trend.
	expect(threatened([...noisy.slice(3), 9495, 9345, 9195])).toBe(true);
	const near = noisy.map((left) => left - 8000);
	expect(threatened(near)).toBe(true);
	// An effect of only the steepest trend is not likely then.
	const {evictions} = forecastPressure(seen(near, [leak, calm], growing), now);
	expect(evictions.map(({when}) => when.about)).toEqual([null, null]);
});

const lowMemory = 'The node was low on resource: memory. ';

test('what is free after an eviction may be short again once its cleanup is over, and is then pursued at once', () => {
	const config: EvictionConfig = {
		enforceNodeAllocatable: [],
		evictionHard: {'memory.available': '500Mi'},
		evictionMinimumReclaim: {'memory.available': '400Mi'},
	};
	const kept = aNodePod('leak', {requests: {memory: '4Gi'}}, {priority: 100});
	const [first, next] = [aNodePod('first'), aNodePod('next')];
	const leakingAt = (at: Instant) => memoryStats('leak', `${1000 - (10 * (now - at)) / second}Mi`);
	const stats = (at: Instant) => [leakingAt(at), memoryStats('first', '550Mi'), memoryStats('next', '400Mi')];
	const of = (evidence: PressureEvidence, at: Instant) =>
		new Map(forecastPressure(evidence, at).evictions.map(({pod, when}) => [pod.name, when.earliest]));
	const before = of(seen([1200, 1100, 1000, 900, 800, 700], [kept, first, next], stats, {config}), now);
	// Memory falls from 1050Mi by 10Mi per second: from 15 seconds on the minimum is not free.
	expect(before.get('next')).toBeLessThanOrEqual((before.get('first') ?? 0) + 17 * second);
	expect(before.get('next')).toBeGreaterThan(before.get('first') ?? 0);
	const gone = {namespace: 'shop', name: 'first', uid: 'uid-first', at: now - 5 * second, message: lowMemory};
	const lefts = [950, 850, 750, 650, 550, 1000];
	const during = seen(lefts, [kept, next], (at) => stats(at).filter((_, index) => index !== 1 || at < now), {
		...{config, evicted: [gone], lastEvictionAt: gone.at, listedBefore: new Set(['uid-first'])},
	});
	expect(of(during, now).get('next')).toBeLessThanOrEqual(now + 11 * second);
});

test('a reclaim that was seen to be done is not pursued after memory falls again', () => {
	const config: EvictionConfig = {
		enforceNodeAllocatable: [],
		evictionHard: {'memory.available': '500Mi'},
		evictionSoft: {'memory.available': '4000Mi'},
		evictionSoftGracePeriod: {'memory.available': '3m'},
		evictionMinimumReclaim: {'memory.available': '500Mi'},
	};
	const fields = {config, conditions: [memoryPressure(now - 3 * minute)]};
	/** @param unseen how many of these measurements are missing, from the second on */
	const first = (lefts: readonly number[], unseen = 0, more: EvictionConfig = {}) => {
		const evidence = seen(lefts, [leak, calm], growing, {...fields, config: {...config, ...more}});
		const samples = evidence.samples.filter((_, index) => index === 0 || index > unseen);
		return forecastPressure({...evidence, samples}, now).evictions[0]?.when;
	};
	// Above both for longer than a pass may wait: the grace period restarts, once it is below the threshold.
	const done = first([6600, 6300, 6000, 5700, 5400, 5100, 4800, 4500, 4200]);
	expect(done?.earliest).toBeGreaterThan(now + minute);
	// A pass may have missed a measurement that was above only for a moment.
	expect(first([4100, 4100, 4200, 4600, 4400, 4200])?.earliest).toBe(now);
	// Without measurements for a minute, the kubelet may have found less in all passes.
	expect(first([6600, 6300, 6000, 5700, 5400, 5100, 4800, 4500, 4200], 6)?.earliest).toBe(now);
	// It may have been waiting for a pod with a grace period.
	const slow = {evictionMaxPodGracePeriod: 60};
	expect(first([6600, 6300, 6000, 5700, 5400, 5100, 4800, 4500, 4200], 0, slow)?.earliest).toBe(now);
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

test('what a pod gives back that nobody measured is not known: no other is certain, and each may go right after it', () => {
	const pods = [aNodePod('blind'), leak, calm];
	const falling = [620, 600, 580, 560, 540, 520];
	const evictions = forecastPressure(seen(falling, pods, growing), now).evictions;
	expect(evictions.map(({pod, isCertain}) => [pod.name, isCertain])).toEqual([
		['blind', true],
		['leak', false],
	]);
	const [first, ...others] = evictions;
	for (const {when} of others) expect(when.earliest).toBe(first?.when.earliest);
	// Nor once it is gone, until the next measurement.
	const gone = {namespace: 'shop', name: 'blind', uid: 'uid-blind', at: now - second, message: ''};
	const after = seen([...falling, 499], [leak, calm], growing, {evicted: [gone]});
	expect(forecastPressure(after, now).evictions[0]).toMatchObject({isCertain: false, pod: {name: 'leak'}});
});

test('of pods that tie each may come first, wherever they stand in the list', () => {
	const pods = ['a', 'b', 'one', 'two', 'c'].map((name) => aNodePod(name, {requests: {memory: '1Gi'}}));
	const stats = () => ['a', 'b', 'c'].map((name) => memoryStats(name, '100Mi'));
	const {evictions} = forecastPressure(seen(Array(6).fill(400), pods, stats), now);
	expect(evictions.filter(({place}) => place.first === 1).map(({pod}) => pod.name)).toEqual(['one', 'two']);
});

test('a grace period may have begun soon after a look, however long ago that was', () => {
	const config: EvictionConfig = {
		enforceNodeAllocatable: [],
		evictionSoft: {'memory.available': '4000Mi'},
		evictionSoftGracePeriod: {'memory.available': '25s'},
	};
	const evidence = seen([4300, 4250, 4200, 4150, 4100, 4050], [leak, calm], growing, {config});
	// It was crossed ten seconds after the look; a pass that found it just then evicts thirty seconds after that.
	const later = now + 40 * second;
	expect(forecastPressure(evidence, later).evictions[0]).toMatchObject({
		pod: {name: 'leak'},
		when: {earliest: later},
	});
});

test('what evicted pods give back may put off another condition than the one that they were evicted for', () => {
	const config: EvictionConfig = {enforceNodeAllocatable: [], evictionHard: {'nodefs.available': '50000Mi'}};
	const evidence = (fields: Partial<PressureEvidence> = {}) => {
		const made = seen(Array(6).fill(4000), [calm], growing, {config, ...fields});
		const samples = made.samples.map(({seenAt, summary}, index) => {
			const fs = {...summary.node.fs, availableBytes: bytes(`${50_900 - 100 * index}Mi`)};
			return {seenAt, summary: {...summary, node: {...summary.node, fs, imageFs: fs}}};
		});
		return {...made, samples};
	};
	const raised = (of: PressureEvidence) =>
		forecastPressure(of, now).conditions.find(({condition}) => condition === 'DiskPressure')?.raised;
	expect(raised(evidence())?.latest).toBeGreaterThan(now);
	const gone = {namespace: 'shop', name: 'leak', uid: 'uid-leak', at: now + second, message: ''};
	const after = evidence({evicted: [gone], listedBefore: new Set(['uid-leak'])});
	expect(raised(after)).toMatchObject({latest: null});
});

test('a threshold that a pass found met before evictions freed enough turns its condition True with the next status', () => {
	const raised = (lefts: readonly number[]) => {
		const gone = {namespace: 'shop', name: 'leak', uid: 'uid-leak', at: now - 3 * second, message: ''};
		const evidence = seen(lefts, [calm], (at) => growing(at).slice(at < now ? 0 : 1), {
			...{evicted: [gone], lastEvictionAt: gone.at, listedBefore: new Set(['uid-leak'])},
		});
		return forecastPressure(evidence, now).conditions[0]?.raised?.earliest;
	};
	expect(raised([770, 720, 670, 620, 570, 520, 1370])).toBe(now);
	expect(raised([1000, 950, 900, 850, 800, 750, 1600])).toBeGreaterThan(now + minute);
});

test('while a kubelet waits for a pod to end no pass finds a threshold met: its condition may end sooner', () => {
	const config: EvictionConfig = {
		enforceNodeAllocatable: [],
		evictionSoft: {'memory.available': '4000Mi'},
		evictionSoftGracePeriod: {'memory.available': '20s'},
		evictionPressureTransitionPeriod: '2m',
	};
	const held = (evictionMaxPodGracePeriod: number) =>
		forecastPressure(
			seen(Array(9).fill(3900), [leak, calm], growing, {
				config: {...config, evictionMaxPodGracePeriod},
				conditions: [memoryPressure(now - 80 * second)],
			}),
			now,
		).conditions[0]?.held?.earliest;
	expect(held(0)).toBe(now - 10 * second + 2 * minute);
	// Thirty seconds of grace, half of that more, and thirty for the cleanup.
	expect(held(30)).toBe(now - 75 * second + 2 * minute);
});

test.each([8, 12])('of %i pods that tie, each may be evicted first', (count) => {
	const names = Array.from({length: count}, (_, index) => `p${index}`);
	const pods = names.map((name) => aNodePod(name));
	const {evictions} = forecastPressure(
		seen(Array(6).fill(400), pods, () => []),
		now,
	);
	expect(evictions.map(({pod}) => pod.name).toSorted()).toEqual(names.toSorted());
	expect(evictions.every(({place}) => place.first === 1)).toBe(true);
});
