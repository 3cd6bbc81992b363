import {expect, test} from 'vitest';
import {
	confirms,
	isPossible,
	isWithin,
	type LearnedSetting,
	likeliestOf,
	mergeLearned,
	roundestWithin,
} from '../../../src/forecast/settings/learned/learnedSetting.ts';

test.for([
	{range: [38_500, 43_000], want: 40_000},
	{range: [78_100, 83_400], want: 80_000},
	{range: [46_100, 52_000], want: 50_000},
	{range: [0.0094, 0.0107], want: 0.01},
	{range: [0.42, 0.61], want: 0.5},
	{range: [19.2, 31], want: 20},
	{range: [55_250, 55_750], want: 55_500},
	{range: [12.5, 12.5], want: 12.5},
] as const)('people set $want within $range', ({range, want}) => {
	expect(roundestWithin(range)).toBe(want);
});

test('without an upper end the lower one is all there is', () => {
	expect(roundestWithin([7, null])).toBe(7);
	expect([isWithin(7, [7, null]), isWithin(6.9, [7, null])]).toEqual([true, false]);
});

test('two looks tell what both allow; where they contradict each other, the newer one is right', () => {
	const grace = (lo: number, hi: number | null, observation: string) => ({
		nodeMonitorGracePeriod: {range: [lo, hi] as const, observations: [observation]},
	});
	expect(mergeLearned(grace(30, null, 'a'), grace(20, 50, 'b'))).toEqual({
		nodeMonitorGracePeriod: {range: [30, 50], observations: ['a', 'b']},
	});
	expect(mergeLearned(grace(30, 40, 'a'), grace(50, 60, 'b'))).toEqual(grace(50, 60, 'b'));
	expect(mergeLearned(grace(30, 40, 'a'), {})).toEqual(grace(30, 40, 'a'));
});

test('where only parts of a range are possible, a value between them is not, and the last part is the likeliest', () => {
	const period: LearnedSetting = {
		range: [4400, 9200],
		parts: [
			[4400, 4600],
			[8800, 9200],
		],
		observations: ['a'],
	};
	expect([4500, 5000, 9000].map((value) => isPossible('nodeMonitorPeriod', value, period))).toEqual([
		true,
		false,
		true,
	]);
	expect(likeliestOf(period)).toBe(9000);
	const later: LearnedSetting = {range: [4450, 9000], parts: [[4450, 9000]], observations: ['b']};
	expect(mergeLearned({nodeMonitorPeriod: period}, {nodeMonitorPeriod: later})).toEqual({
		nodeMonitorPeriod: {
			range: [4450, 9000],
			parts: [
				[4450, 4600],
				[8800, 9000],
			],
			observations: ['a', 'b'],
		},
	});
});

test.for([
	{
		parts: [
			[2250, 2600],
			[4500, 5200],
		],
		isConfirmed: true,
	},
	// Passes 10 s apart: periods of 2 s, 5 s and 10 s explain that.
	{
		parts: [
			[1900, 2050],
			[3200, 3450],
			[4800, 5150],
			[9600, 10_300],
		],
		isConfirmed: false,
	},
	{parts: [[4950, 6100]], isConfirmed: true},
	{parts: [[3950, 5050]], isConfirmed: false},
] as const)(
	'a period of 5 s is confirmed where no other whole number of seconds from 2 s to 5 s is possible: $parts',
	({parts, isConfirmed}) => {
		const learned = {range: [parts[0][0], 10_300] as const, parts, observations: []};
		expect(confirms('nodeMonitorPeriod', learned, 5000, [2000, 5000])).toBe(isConfirmed);
	},
);
