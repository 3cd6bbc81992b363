import {expect, test} from 'vitest';
import {defaultSettings} from '../../../../src/core/model/versionProfile.ts';
import type {ZoneCount} from '../../../../src/core/nodelifecycle/zones/zoneState.ts';
import {Zones} from '../../../../src/core/nodelifecycle/zones/zones.ts';
import {second} from '../../../../src/core/time/instant.ts';
import {Random} from '../../../../src/core/time/random.ts';

const allReady: ZoneCount = {size: 5, notReady: 0};
const someDown: ZoneCount = {size: 5, notReady: 3};
const manyDown: ZoneCount = {size: 60, notReady: 40};
const allDown: ZoneCount = {size: 5, notReady: 5};

/** Zones after passes with these counts. */
function zonesAfter(...passes: readonly Readonly<Record<string, ZoneCount>>[]): Zones {
	const zones = new Zones(defaultSettings);
	for (const pass of passes) takePass(zones, pass);
	return zones;
}

/** Applies a pass's counts as the controller does. */
function takePass(zones: Zones, pass: Readonly<Record<string, ZoneCount>>, now = 0): string {
	const counts = new Map(Object.entries(pass));
	for (const zone of counts.keys()) zones.add(zone);
	const disruption = zones.count(counts);
	if (disruption === 'entering master disruption') zones.stopAll(now);
	else if (disruption !== 'still all down')
		zones.apply(counts, disruption === 'leaving master disruption', now);
	return disruption;
}

const states = (zones: Zones) => Object.fromEntries(zones.views.map(({zone, state}) => [zone, state]));
const rate = (zones: Zones, zone: string) => zones.queue(zone)?.limiter.qps;

test('a new zone is Initial, with the normal rate and a full bucket', () => {
	const zones = new Zones(defaultSettings);
	zones.add('a');
	expect(zones.views).toEqual([
		{zone: 'a', state: 'Initial', size: 0, notReady: 0, qps: Math.fround(0.1), queue: []},
	]);
	expect(zones.queue('a')?.limiter.tryAccept(0)).toBe(true);
});

test('a zone that is there already keeps its queue', () => {
	const zones = new Zones(defaultSettings);
	zones.add('a');
	const queue = zones.queue('a');
	zones.add('a');
	expect(zones.queue('a')).toBe(queue);
});

test.for([
	{name: 'a zone that is well is normal', count: allReady, state: 'Normal', qps: 0.1},
	{
		name: 'a small zone that is partially disrupted stops',
		count: someDown,
		state: 'PartialDisruption',
		qps: 1,
	},
	{name: 'a large one goes on slowly', count: manyDown, state: 'PartialDisruption', qps: 0.01},
	{
		name: 'a zone that is down while others are not goes on',
		count: allDown,
		state: 'FullDisruption',
		qps: 0.1,
	},
])('$name', ({count, state, qps}) => {
	const zones = zonesAfter({a: count, b: allReady});
	expect([zones.state('a'), rate(zones, 'a')]).toEqual([state, Math.fround(qps)]);
});

test('the rate changes with the state only: a zone that grows while it is disrupted stays stopped', () => {
	const zones = zonesAfter({a: someDown, b: allReady}, {a: manyDown, b: allReady});
	expect([zones.state('a'), rate(zones, 'a')]).toEqual(['PartialDisruption', 1]);
});

test('when the last zone goes down all evictions stop', () => {
	const zones = zonesAfter({a: allDown, b: allReady});
	expect(takePass(zones, {a: allDown, b: allDown})).toBe('entering master disruption');
	expect([states(zones), rate(zones, 'a'), rate(zones, 'b')]).toEqual([
		{a: 'FullDisruption', b: 'FullDisruption'},
		1,
		1,
	]);
	expect(takePass(zones, {a: allDown, b: allDown})).toBe('still all down');
});

test('a cluster of one zone is all down when that zone is', () => {
	expect(takePass(new Zones(defaultSettings), {a: allDown})).toBe('entering master disruption');
});

test('when one zone comes back all get their rates anew, from drained buckets', () => {
	const zones = zonesAfter({a: allDown, b: allDown});
	expect(takePass(zones, {a: allDown, b: allReady}, 60 * second)).toBe('leaving master disruption');
	expect(states(zones)).toEqual({a: 'FullDisruption', b: 'Normal'});
	const limiter = zones.queue('a')?.limiter;
	expect([limiter?.tryAccept(69 * second), limiter?.tryAccept(70 * second)]).toEqual([false, true]);
});

test('a zone without nodes loses its state and keeps its queue', () => {
	const zones = zonesAfter({a: allReady, b: allReady});
	zones.queue('a')?.add('n1', 0, new Random(1));
	takePass(zones, {b: allReady});
	expect([zones.state('a'), zones.queued]).toEqual([undefined, ['a', 'b']]);
	expect(zones.queue('a')?.values).toEqual(['n1']);
});

test('a zone that comes back is Initial again, with a new queue', () => {
	const zones = zonesAfter({a: allReady, b: allReady}, {b: allReady});
	const queue = zones.queue('a');
	zones.add('a');
	expect([zones.state('a'), zones.queue('a') === queue]).toEqual(['Initial', false]);
});

test('the walk ends at the first zone that was not down; vanished ones behind it are kept for another pass', () => {
	const zones = zonesAfter({a: allReady, b: allReady, c: allReady});
	takePass(zones, {a: allReady});
	expect(states(zones)).toEqual({a: 'Normal', b: '', c: ''});
	takePass(zones, {b: allReady});
	expect(states(zones)).toEqual({b: 'Normal', c: ''});
});

test('where the last zone that worked vanishes, the others count as having been down before, and go on', () => {
	const zones = zonesAfter({a: allDown, b: allReady});
	expect(takePass(zones, {a: allDown})).toBe('still all down');
	expect(rate(zones, 'a')).toBe(Math.fround(0.1));
});

test('the zone whose nodes are all excluded is not counted', () => {
	const zones = new Zones(defaultSettings);
	zones.add('a');
	zones.add('b');
	zones.count(new Map([['b', allReady]]));
	expect(zones.state('a')).toBeUndefined();
});

test('a view counts the nodes of the last pass and names those that wait', () => {
	const zones = zonesAfter({a: someDown});
	for (const node of ['n2', 'n1']) zones.queue('a')?.add(node, 0, new Random(1));
	expect(zones.views).toEqual([
		{zone: 'a', state: 'PartialDisruption', size: 5, notReady: 3, qps: 1, queue: ['n1', 'n2']},
	]);
});

test('a zone can be put into a state without a word to its limiter', () => {
	const zones = new Zones(defaultSettings);
	zones.setState('a', 'PartialDisruption');
	expect([zones.state('a'), rate(zones, 'a')]).toEqual(['PartialDisruption', Math.fround(0.1)]);
});

test('a fork has its own states, queues and counts', () => {
	const zones = zonesAfter({a: allReady, b: allReady});
	const fork = zones.fork();
	takePass(fork, {a: someDown, b: allDown});
	fork.queue('a')?.add('n1', 0, new Random(1));
	expect(zones.views.map(({state, notReady, queue}) => ({state, notReady, queue}))).toEqual([
		{state: 'Normal', notReady: 0, queue: []},
		{state: 'Normal', notReady: 0, queue: []},
	]);
});
