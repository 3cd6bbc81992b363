import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {
	endsIn,
	groupOf,
	shutdownCondition,
	shutdownGroups,
} from '../../../src/core/nodeshutdown/nodeShutdown.ts';
import {second} from '../../../src/core/time/instant.ts';
import {aCondition, aNode} from '../../support/builders.ts';

const critical = 2_000_000_000;

test.for([
	{name: 'nothing said', config: {}, groups: []},
	{name: 'a period of zero', config: {shutdownGracePeriod: '0s'}, groups: []},
	{
		name: 'a period of which critical pods have a part',
		config: {shutdownGracePeriod: '30s', shutdownGracePeriodCriticalPods: '10s'},
		groups: [
			[0, 20],
			[critical, 10],
		],
	},
	{
		name: 'critical pods that are to have more than there is',
		config: {shutdownGracePeriod: '10s', shutdownGracePeriodCriticalPods: '20s'},
		groups: [],
	},
	{
		name: 'periods by priority, the highest first',
		config: {
			shutdownGracePeriod: '30s',
			shutdownGracePeriodByPodPriority: [
				{priority: 1000, shutdownGracePeriodSeconds: 120},
				{priority: 0, shutdownGracePeriodSeconds: 60},
			],
		},
		groups: [
			[0, 60],
			[1000, 120],
		],
	},
])('$name', ({config, groups}) => {
	expect(shutdownGroups(config).map(({priority, period}) => [priority, period / second])).toEqual(groups);
});

test('periods by priority leave shutdownGracePeriod out of account', () => {
	const shutdownGracePeriodByPodPriority = [{priority: 7, shutdownGracePeriodSeconds: 5}];
	const config = {shutdownGracePeriod: '1h', shutdownGracePeriodByPodPriority};
	expect(shutdownGroups(config)).toEqual([{priority: 7, period: 5 * second}]);
});

// The four groups of the kubelet's own documentation.
const groups = [0, 1000, 10_000, 100_000].map((priority, index) => ({
	priority,
	period: [60, 120, 180, 10].map((seconds) => seconds * second)[index] ?? 0,
}));

test.for([
	{priority: -5, group: 0},
	{priority: 0, group: 0},
	{priority: 999, group: 0},
	{priority: 1000, group: 1},
	{priority: 9999, group: 1},
	{priority: 100_000, group: 3},
	{priority: critical, group: 3},
])('a pod of priority $priority is in group $group', ({priority, group}) => {
	expect(groupOf(groups, priority)).toBe(group);
});

test('a group ends after those below it: as soon as they have ended, or once all of their time is over', () => {
	const announced = {lo: 0, hi: second};
	const ends = [0, 1000, 10_000, 100_000].map((priority) => endsIn(groups, {priority}, announced));
	expect(ends.map(({lo, hi}) => [lo / second, hi / second])).toEqual([
		[0, 66],
		[0, 186],
		[0, 366],
		[0, 376],
	]);
});

test('a pod that may take longer than its group is killed with its group, one that may take less is killed sooner', () => {
	const announced = {lo: 0, hi: second};
	const ends = [0, 30, 120, 600].map((seconds) =>
		endsIn(groups, {priority: 1000, grace: seconds * second}, announced),
	);
	expect(ends.map(({hi}) => hi / second)).toEqual([66, 96, 186, 186]);
});

/** Ends groups as a kubelet does: each waits until its pods have ended, up to its period. */
function played(
	pods: readonly {priority: number; takes: number; grace: number}[],
	from: number,
): readonly number[] {
	const ends: number[] = [];
	let now = from;
	for (const [index, {period}] of groups.entries()) {
		const own = pods.flatMap((pod, n) => (groupOf(groups, pod.priority) === index ? [{...pod, n}] : []));
		for (const {takes, grace, n} of own) ends[n] = now + Math.min(takes, grace, period);
		// Volumes may delay a group after its pods have ended.
		now += Math.min(period, Math.max(0, ...own.map(({takes}) => takes)));
	}
	return ends;
}

test('whatever its pods take, each ends in its range', () => {
	const pod = fc.record({
		priority: fc.constantFrom(-1, 0, 500, 1000, 50_000, critical),
		takes: fc.integer({min: 0, max: 400_000}),
		grace: fc.integer({min: 0, max: 400}).map((seconds) => seconds * second),
	});
	fc.assert(
		fc.property(fc.array(pod, {maxLength: 20}), fc.integer({min: 0, max: 1000}), (pods, from) => {
			const ends = played(pods, from);
			for (const [n, {priority, grace}] of pods.entries()) {
				const {lo, hi} = endsIn(groups, {priority, grace}, {lo: 0, hi: second});
				expect(ends[n]).toBeGreaterThanOrEqual(lo);
				expect(ends[n]).toBeLessThanOrEqual(hi);
			}
		}),
	);
});

test('a node announces its shutdown in its Ready condition, and in no other way', () => {
	const said = {reason: 'KubeletNotReady', message: 'node is shutting down'};
	expect(shutdownCondition(aNode('n', {conditions: [aCondition('Ready', 'False', said)]}))).toBeDefined();
	expect(shutdownCondition(aNode('n', {conditions: [aCondition('Ready', 'Unknown', said)]}))).toBeUndefined();
	expect(shutdownCondition(aNode('n', {conditions: [aCondition('Ready', 'False')]}))).toBeUndefined();
});
