import {expect, test} from 'vitest';
import type {Score} from '../../src/forecast/ledger/score.ts';
import {Range} from '../../src/forecast/range.ts';
import {jsonOf} from '../../src/print/json/jsonOf.ts';
import {formatScore, hasScore, scoreJson, withScore} from '../../src/print/score.ts';

const prediction = {madeAt: 1000, verdict: 'Scheduled', range: new Range(5000, 5500, 6000)} as const;
const miss = {namespace: 'shop', name: 'web', uid: 'u', at: 9000, prediction, by: 3000};
const none = {judged: 0, inside: 0};
const odds = {judged: 0, before: 0, likely: 0};
const shown = {time: 0, insideTime: 0, first: none, minuteBefore: none, odds, falseHeld: 0};
const nothing: Score = {
	...{judged: 0, inside: 0, medianWidth: null, misses: [], unforeseen: 0, falseAlarms: 0},
	ends: {all: 0, named: 0},
	shown,
};
const good: Score = {...nothing, judged: 143, inside: 143, medianWidth: 1440};
const bad: Score = {...nothing, judged: 2, inside: 1, misses: [miss], unforeseen: 2, falseAlarms: 1};

test.for([
	{score: good, text: '143 of 143 deletions inside their range, median width 1.4 s'},
	{
		score: bad,
		text: '1 of 2 deletions inside their range, median width not bounded; 2 not foreseen; 1 false alarm',
	},
	{score: {...nothing, unforeseen: 1}, text: 'no deletion judged; 1 not foreseen'},
	{score: {...nothing, ends: {all: 3, named: 2}}, text: 'no deletion judged; 1 unexplained'},
	{
		score: {
			...good,
			shown: {
				...{time: 400_000, insideTime: 399_990, falseHeld: 3},
				first: {judged: 256, inside: 56},
				minuteBefore: {judged: 200, inside: 199},
				odds: {judged: 12, before: 5, likely: 10},
			},
		},
		text: '143 of 143 deletions inside their range, median width 1.4 s; 3 false Held\nthe range first shown was right for 56 of 256, the one a minute before for 199 of 200; ranges were right 99.9 % of the time; of 12 nodes with wide ranges 5 went before the expected time, 10 within the likely times',
	},
])('$text', ({score, text}) => {
	expect(formatScore(score)).toBe(text);
});

test('as JSON, times are RFC 3339 and durations seconds', () => {
	expect(jsonOf(scoreJson(bad))).toEqual({
		judged: 2,
		inside: 1,
		medianWidthSeconds: null,
		misses: [
			{
				...{namespace: 'shop', name: 'web', uid: 'u'},
				deletedAt: '1970-01-01T00:00:09.000Z',
				predictedAt: '1970-01-01T00:00:01.000Z',
				eviction: {
					earliest: '1970-01-01T00:00:05.000Z',
					expected: '1970-01-01T00:00:05.500Z',
					latest: '1970-01-01T00:00:06.000Z',
					likely: {from: '1970-01-01T00:00:05.100Z', until: '1970-01-01T00:00:05.900Z'},
				},
				bySeconds: 3,
			},
		],
		unforeseen: 2,
		ends: {all: 0, named: 0},
		falseAlarms: 1,
		...{falseHeld: 0, first: none, minuteBefore: none, odds, shownSeconds: 0, shownInsideSeconds: 0},
	});
	expect(scoreJson(good).medianWidthSeconds).toBe(1.44);
});

test('an item of a watch carries the score once there is any', () => {
	const item = {kind: 'PodForecast', metadata: {name: 'web'}};
	expect(hasScore(nothing)).toBe(false);
	expect(withScore(item, nothing)).toBe(item);
	expect(withScore(item, good)).toMatchObject({metadata: {name: 'web', score: {judged: 143}}});
});
