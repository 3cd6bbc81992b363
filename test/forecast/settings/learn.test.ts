import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import type {ControllerSettings} from '../../../src/core/model/controllerSettings.ts';
import type {Observation} from '../../../src/core/model/observation.ts';
import {defaultSettings} from '../../../src/core/model/versionProfile.ts';
import {minute, second} from '../../../src/core/time/instant.ts';
import {BehaviourLog} from '../../../src/forecast/settings/learned/behaviourLog.ts';
import {
	baseOf,
	type Learned,
	type LearningBase,
	learnSettings,
} from '../../../src/forecast/settings/learned/learn.ts';
import {
	isPossible,
	type LearnableKey,
	type LearnedSetting,
	type LearnedSettings,
} from '../../../src/forecast/settings/learned/learnedSetting.ts';
import {ClusterStore} from '../../../src/store/clusterStore.ts';
import {type Outage, type OutageStep, watchOutage} from './watchedOutage.ts';

/** The settings that a watcher of an outage learns; all others are given. */
function learn(outage: Outage, base: Partial<LearningBase> = {}): LearnedSettings {
	return learnAll(outage, base).learned;
}

function learnAll(outage: Outage, base: Partial<LearningBase>): Learned {
	const [log, store] = [new BehaviourLog(), new ClusterStore()];
	watchOutage(outage, (observations, arrivedAt) =>
		log.observe(store.apply(observations, arrivedAt).changes, arrivedAt),
	);
	const settings = {...defaultSettings, ...outage.settings};
	const behaviour = log.behaviourAt(outage.until);
	return learnSettings(behaviour, {...baseOf(behaviour, store.nodes, settings), leaseReads: 0, ...base});
}

const nodes = (zone: string, from: number, to: number) =>
	Array.from({length: to - from + 1}, (_, index) => `${zone}${from + index}`);

const comesAndGoes: readonly OutageStep[] = [
	{at: 2 * minute, do: 'stop', nodes: ['a1']},
	{at: 5 * minute, do: 'start', nodes: ['a1']},
	{at: 7 * minute + 7 * second, do: 'stop', nodes: ['b1']},
	{at: 10 * minute + 3 * second, do: 'start', nodes: ['b1']},
	{at: 12 * minute + 2 * second, do: 'stop', nodes: ['a2']},
	{at: 15 * minute + 1 * second, do: 'start', nodes: ['a2']},
];

test('the grace period, from nodes that fell silent', () => {
	const outage = {zones: {a: 4, b: 4}, podsPerNode: 3, steps: comesAndGoes, until: 16 * minute};
	const {nodeMonitorGracePeriod: grace} = learn({...outage, settings: {nodeMonitorGracePeriod: 80 * second}});
	expect(grace).toEqual({
		range: [expect.closeTo(73_691, -2), expect.closeTo(82_100, -2)],
		observations: [
			'node a1 turned Unknown 1m24.7s-1m24.9s after its last sign of life',
			'node b1 turned Unknown 1m21.9s-1m22.1s after its last sign of life',
			'node a2 turned Unknown 1m24.9s-1m25.1s after its last sign of life',
		],
	});
});

test('the period, from the passes that showed themselves', () => {
	const outage = {zones: {a: 4, b: 4}, podsPerNode: 1, steps: comesAndGoes, until: 16 * minute};
	const period = learn({...outage, settings: {nodeMonitorPeriod: 10 * second}}).nodeMonitorPeriod;
	expect(period?.range[0]).toBeGreaterThan(5 * second);
	expect(period?.range[1]).toBeLessThan(15 * second);
	expect(period?.observations).toEqual([
		expect.stringMatching(/^\d+ distances between passes are whole numbers of/),
	]);
});

test('the period also where no kubelet is left that renews', () => {
	const stops = (['a0', 'b0', 'a1', 'b1'] as const).map(
		(name, index): OutageStep => ({at: 2 * minute + index * 3 * second, do: 'stop', nodes: [name]}),
	);
	const outage = {zones: {a: 2, b: 2}, podsPerNode: 1, steps: stops, until: 4 * minute};
	const {nodeMonitorPeriod: period} = learn({...outage, settings: {nodeMonitorPeriod: 2 * second}});
	expect(period && isPossible('nodeMonitorPeriod', 2 * second, period)).toBe(true);
	expect(period?.range[1]).toBeLessThan(5 * second);
});

test('the eviction rate, from the taints of a zone whose queue is full', () => {
	const {nodeEvictionRate: rate} = learn({
		settings: {nodeEvictionRate: 0.2},
		zones: {a: 30, b: 3},
		podsPerNode: 0,
		steps: [{at: 2 * minute, do: 'stop', nodes: nodes('a', 0, 11)}],
		until: 6 * minute,
	});
	expect(rate?.range[0]).toBeCloseTo(0.19, 2);
	expect(rate?.range[1]).toBeCloseTo(0.22, 2);
	expect(rate?.observations).toEqual(['zone eu/a tainted waiting nodes 4.9s-5.4s apart (4 times seen)']);
});

test('the lowest eviction rate, from two taints though no node waited for long', () => {
	const {nodeEvictionRate: rate} = learn({
		settings: {nodeEvictionRate: 0.5},
		zones: {a: 6, b: 3},
		podsPerNode: 1,
		steps: [{at: 2 * minute, do: 'stop', nodes: ['a0', 'a1']}],
		until: 5 * minute,
	});
	expect(rate?.range[0]).toBeGreaterThan(0.1);
	expect(rate?.range[0]).toBeLessThanOrEqual(0.5);
	expect(rate?.range[1] ?? 1).toBeGreaterThanOrEqual(0.5);
});

test.for([
	{
		name: 'a zone that stopped',
		down: 6,
		range: [0, 0.6],
		words: 'zone eu/a stopped with 6 of 10 nodes not ready',
	},
	{
		name: 'a zone that went on',
		down: 5,
		range: [expect.closeTo(0.5, 6), null],
		words: 'zone eu/a went on with 5 of 10 nodes not ready',
	},
] as const)('the threshold, from $name', ({down, range, words}) => {
	const outage: Outage = {
		settings: {},
		zones: {a: 10, b: 3},
		podsPerNode: 1,
		steps: [{at: 2 * minute, do: 'stop', nodes: nodes('a', 0, down - 1)}],
		until: 6 * minute,
	};
	const learned = {range, observations: [words]};
	expect(learn(outage).unhealthyZoneThreshold).toEqual(learned);
	if (down === 5)
		expect(
			isPossible('unhealthyZoneThreshold', 0.5, learn(outage).unhealthyZoneThreshold as LearnedSetting),
		).toBe(false);
	// A large zone would continue slowly at any share; a zone that stops this long is PartialDisruption at any size.
	const ofLarge = down === 5 ? undefined : learned;
	expect(learn(outage, {largeThreshold: 9}).unhealthyZoneThreshold).toEqual(ofLarge);
	expect(learn(outage, {isLargeThresholdGiven: false}).unhealthyZoneThreshold).toEqual(ofLarge);
	// A zone with a rate of 0 stops forever.
	if (down === 6) expect(learn(outage, {slowestRate: 0}).unhealthyZoneThreshold).toBeUndefined();
});

test("the client's limit, from the pace of a large outage", () => {
	const outage: Outage = {
		settings: {},
		zones: {a: 40, b: 3},
		podsPerNode: 20,
		steps: [{at: 2 * minute, do: 'stop', nodes: nodes('a', 0, 39)}],
		until: 6 * minute,
	};
	const {kubeApiQps} = learn(outage);
	expect(kubeApiQps?.range[0]).toBeGreaterThan(9);
	expect(kubeApiQps?.range[1]).toBeLessThan(60);
	expect(kubeApiQps?.observations).toEqual([
		expect.stringMatching(/^the node lifecycle controller made \d+ writes in \d+s$/),
	]);
	const unlimited = learn({...outage, settings: {kubeApiQps: 0, kubeApiBurst: 0}});
	expect(unlimited.kubeApiQps?.range[1] ?? null).toBeNull();
});

test('what is read late teaches nothing wrong', () => {
	const [log, store] = [new BehaviourLog(), new ClusterStore()];
	const settings = {nodeMonitorGracePeriod: 40 * second, nodeEvictionRate: 0.2};
	let waiting: Observation[] = [];
	let ranAt = 0;
	const outage: Outage = {
		settings,
		zones: {a: 30, b: 3},
		podsPerNode: 0,
		steps: [{at: 2 * minute, do: 'stop', nodes: nodes('a', 0, 11)}],
		until: 6 * minute,
	};
	watchOutage(outage, (observations, arrivedAt) => {
		waiting = [...waiting, ...observations];
		// The watcher does not run for three of every seven seconds.
		if (arrivedAt % (7 * second) < 3 * second) return;
		log.observe(store.apply(waiting, arrivedAt).changes, arrivedAt, ranAt);
		[waiting, ranAt] = [[], arrivedAt];
	});
	const behaviour = log.behaviourAt(outage.until);
	const base = {...baseOf(behaviour, store.nodes, {...defaultSettings, ...settings}), leaseReads: 0};
	const {learned} = learnSettings(behaviour, base);
	for (const key of ['nodeMonitorGracePeriod', 'nodeEvictionRate'] as const) {
		const one = learned[key];
		expect(one, key).toBeDefined();
		expect(isPossible(key, settings[key], one as LearnedSetting), `${key}: ${one?.observations}`).toBe(true);
	}
});

test('a watch that begins in the middle, or sees no leader lease, learns nothing that it cannot know', () => {
	const outage: Outage = {
		settings: {},
		zones: {a: 4, b: 4},
		podsPerNode: 3,
		steps: comesAndGoes,
		until: 16 * minute,
	};
	const [log, store] = [new BehaviourLog(), new ClusterStore()];
	watchOutage(outage, (observations, arrivedAt) => {
		const seen = observations.filter(
			(one) => one.type !== 'leaseApplied' || one.lease.namespace !== 'kube-system',
		);
		log.observe(store.apply(seen, arrivedAt).changes, arrivedAt);
	});
	const base = {
		...{longestPeriod: 5 * second, unhealthyThreshold: 0.55, largeThreshold: 50, isLargeThresholdGiven: true},
		...{slowestRate: 0.1, nodes: 8, leaseReads: 0},
	};
	const {learned} = learnSettings(log.behaviourAt(outage.until), base);
	expect(learned.nodeMonitorGracePeriod?.range[0]).toBe(0);
	expect(learned.nodeEvictionRate).toBeUndefined();
	expect(learned.nodeMonitorPeriod).toBeUndefined();
});

test.for([
	{name: 'stops', notReady: 6, size: 10, doubts: ['unhealthyZoneThreshold']},
	{name: 'lets go on', notReady: 5, size: 10, doubts: []},
	{name: 'stops only as all of it is down', notReady: 10, size: 10, doubts: []},
])('a zone that goes on casts doubt on a threshold which $name it', ({notReady, size, doubts}) => {
	const zoneVerdict = {zone: 'a', evicts: true, notReady, size, largestSize: size, watched: minute};
	const found = learnSettings(
		{...new BehaviourLog().behaviourAt(until), zoneVerdicts: [zoneVerdict]},
		{
			...{
				longestPeriod: 5 * second,
				unhealthyThreshold: 0.55,
				largeThreshold: 50,
				isLargeThresholdGiven: true,
			},
			...{slowestRate: 0.1, nodes: 10, leaseReads: 0},
		},
	);
	expect(found.doubts.flatMap(({about}) => about[0] ?? [])).toEqual(doubts);
});

const until = 15 * minute;
const anyNodes = fc.constantFrom(
	...[
		['a0'],
		['a1'],
		['b0'],
		nodes('a', 0, 2),
		nodes('a', 0, 4),
		nodes('a', 0, 7),
		nodes('b', 0, 9),
		nodes('b', 1, 3),
	],
);
const at = fc.integer({min: 30, max: until / second - 100}).map((seconds) => seconds * second + 37);

const anyStep: fc.Arbitrary<OutageStep> = fc.oneof(
	{weight: 4, arbitrary: fc.record({at, do: fc.constant('stop' as const), nodes: anyNodes})},
	{weight: 3, arbitrary: fc.record({at, do: fc.constant('start' as const), nodes: anyNodes})},
	{weight: 1, arbitrary: fc.record({at, do: fc.constant('restartControllers' as const)})},
);

const limits = fc.constantFrom([0, 0], [20, 30], [20, 30], [50, 100], [100, 200]);

const anySettings: fc.Arbitrary<Partial<ControllerSettings>> = fc
	.record({
		nodeMonitorPeriod: fc.constantFrom(1, 2, 5, 5, 7, 10).map((seconds) => seconds * second),
		nodeMonitorGracePeriod: fc.constantFrom(12, 20, 40, 50, 90, 137).map((seconds) => seconds * second),
		nodeEvictionRate: fc.constantFrom(0, 0.03, 0.1, 0.5, 1, 2),
		secondaryNodeEvictionRate: fc.constantFrom(0, 0.01, 0.2),
		unhealthyZoneThreshold: fc.constantFrom(0.2, 0.55, 0.8, 1),
		largeClusterSizeThreshold: fc.constantFrom(4, 50),
		queuesInPassOfTransition: fc.boolean(),
		limits,
	})
	.map(({limits: [kubeApiQps = 0, kubeApiBurst = 0], ...settings}) => ({
		...settings,
		kubeApiQps,
		kubeApiBurst,
	}));

const anyOutage: fc.Arbitrary<Outage> = fc.record({
	settings: anySettings,
	zones: fc.constantFrom({a: 8, b: 10}, {a: 12, b: 11, c: 3}, {a: 9, b: 10, c: 1}),
	podsPerNode: fc.constantFrom(0, 2, 12, 40),
	tolerationSeconds: fc.constantFrom(5, 60, 300),
	passDuration: fc.constantFrom(0.3, 4),
	steps: fc.array(anyStep, {minLength: 1, maxLength: 10}),
	until: fc.constant(until),
	seed: fc.integer({min: 1, max: 1000}),
});

/** Nodes that stop and return one at a time. */
const calmOutage: fc.Arbitrary<Outage> = fc
	.record({
		outage: anyOutage,
		turns: fc.array(
			fc.record({
				node: fc.constantFrom('a0', 'a1', 'b0', 'b1'),
				after: fc.integer({min: 65, max: 200}),
				down: fc.integer({min: 100, max: 300}),
			}),
			{minLength: 3, maxLength: 8},
		),
	})
	.map(({outage, turns}) => {
		let now = 37;
		const steps = turns.flatMap(({node, after, down}): OutageStep[] => {
			const [stop, start] = [now + after * second, now + (after + down) * second];
			now = start;
			return [
				{at: stop, do: 'stop', nodes: [node]},
				{at: start, do: 'start', nodes: [node]},
			];
		});
		return {...outage, steps, podsPerNode: Math.min(2, outage.podsPerNode), until: now + 2 * minute};
	});

test('whatever happens, a learned range holds the true value', () => {
	const learnt = new Map<string, number>();
	fc.assert(
		fc.property(fc.oneof(anyOutage, anyOutage, calmOutage), (outage) => {
			const settings = {...defaultSettings, ...outage.settings};
			for (const [key, one] of Object.entries(learn(outage)) as [LearnableKey, LearnedSetting][]) {
				learnt.set(key, (learnt.get(key) ?? 0) + 1);
				const value = settings[key];
				expect({key, value, ...one, holds: isPossible(key, value, one)}).toMatchObject({holds: true});
			}
		}),
		// A fixed seed makes the learned settings reproducible; RUNS tries others.
		process.env['RUNS'] ? {numRuns: Number(process.env['RUNS'])} : {numRuns: 40, seed: 1},
	);
	expect([...learnt.keys()]).toEqual(
		expect.arrayContaining(['nodeMonitorGracePeriod', 'unhealthyZoneThreshold']),
	);
}, 120_000);
