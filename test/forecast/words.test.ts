import {expect, test} from 'vitest';
import {isoRange, whenOf} from '../../src/forecast/explain/explanation.ts';
import {Range} from '../../src/forecast/range.ts';
import {clockTime, count, goDuration, ordinal, whenWords} from '../../src/forecast/words.ts';

const now = Date.parse('2026-01-31T14:00:00Z');
const range = (from: number, to: number | null) =>
	new Range(now + from, now + from, to === null ? null : now + to);

test.for([
	{duration: 0, want: '0s'},
	{duration: 100, want: '0.1s'},
	{duration: 50_000, want: '50s'},
	{duration: 60_000, want: '1m0s'},
	{duration: 3_600_000, want: '1h0m0s'},
	{duration: 9_999.9999998509884, want: '10s'},
])('$duration ms is $want', ({duration, want}) => {
	expect(goDuration(duration)).toBe(want);
});

test.for([
	{at: null, want: ''},
	{at: now + 999, want: 'at 14:00:00Z'},
	{at: range(1000, 6000), want: 'between 14:00:01Z and 14:00:06Z'},
	{at: range(1000, 1900), want: 'between 14:00:01Z and 14:00:02Z'},
	{at: range(1000, 1000), want: 'at 14:00:01Z'},
	{at: range(-1900, -1100), want: 'at 13:59:58Z'},
	{at: range(1000, null), want: 'at 14:00:01Z or later'},
	{at: now - 86_400_000, want: 'at 2026-01-30T14:00:00Z'},
])('$want', ({at, want}) => {
	expect(whenWords(at, now)).toBe(want);
});

test('an instant far from now has its date', () => {
	expect([clockTime(now, now), clockTime(now, now + 86_400_000)]).toEqual([
		'14:00:00Z',
		'2026-01-31T14:00:00Z',
	]);
});

test('what nothing bounds has no time', () => {
	expect([whenOf(undefined), whenOf({lo: Number.NEGATIVE_INFINITY, hi: 0})]).toEqual([null, null]);
});

test('one is one', () => {
	expect([count(1, 'node'), count(0, 'node')]).toEqual(['1 node', '0 nodes']);
	expect(isoRange({lo: now, hi: now})).toBe('2026-01-31T14:00:00Z');
});

test('which one of many', () => {
	const numbers = [1, 2, 3, 4, 11, 12, 13, 21, 22, 101, 111, 113];
	const want = [
		'1st',
		'2nd',
		'3rd',
		'4th',
		'11th',
		'12th',
		'13th',
		'21st',
		'22nd',
		'101st',
		'111th',
		'113th',
	];
	expect(numbers.map(ordinal)).toEqual(want);
});
