import {expect, test} from 'vitest';
import type {PodForecast} from '../../src/forecast/podForecast.ts';
import {Range} from '../../src/forecast/range.ts';
import {Changes} from '../../src/print/tables/changes.ts';
import {pods} from '../../src/print/tables/podKind.ts';
import {aPodForecast, inSeconds, now} from './forecasts.ts';

const isShown = ({verdict}: PodForecast) => verdict !== 'Safe';

function afterFirst(item: PodForecast): Changes<PodForecast> {
	const changes = new Changes(pods, isShown);
	changes.update([item], now);
	return changes;
}

const news = (before: PodForecast, after: PodForecast) => {
	const {changed, gone} = afterFirst(before).update([after], now);
	expect(gone).toEqual([]);
	expect(changed).toEqual(changed.length > 0 ? [after] : []);
	return changed;
};

type Move = {readonly what: string; readonly from: Range; readonly to: Range};
const {eviction: usual} = aPodForecast();
if (!usual) throw new Error('a pod that is not evicted');

test.for<Move>([
	{what: 'the same again', from: usual, to: usual},
	{what: 'a range that moved by a second', from: usual, to: inSeconds(251, 303)},
	{
		what: 'a wide range that moved by less than a tenth of its width',
		from: inSeconds(29, 3600),
		to: inSeconds(300, 3500),
	},
	{
		what: 'a wide range that begins a little sooner than was printed',
		from: inSeconds(300, 3600),
		to: inSeconds(280, 3600),
	},
	{
		what: 'an approximate time that moved by less than a tenth of the time until then',
		from: Range.estimate(now, now + 90_000, null),
		to: Range.estimate(now, now + 94_000, null),
	},
	{
		what: 'another median that is not shown',
		from: new Range(now, now + 10_000, null),
		to: new Range(now, now + 90_000, null),
	},
	{what: 'an end that has come and moves in the past', from: inSeconds(-30, -20), to: inSeconds(-9, -2)},
])('$what is no news', ({from, to}) => {
	expect(news(aPodForecast({eviction: from}), aPodForecast({eviction: to}))).toEqual([]);
});

test.for<Move>([
	{what: 'a narrow range that moved by more', from: inSeconds(250, 255), to: inSeconds(250, 256.1)},
	{what: 'a wide range that moved by more', from: inSeconds(29, 3600), to: inSeconds(400, 3600)},
	{
		what: 'a wide range that begins much sooner than was printed',
		from: inSeconds(300, 3600),
		to: inSeconds(29, 3600),
	},
	{
		what: 'an approximate time that moved by more than a tenth of the time until then',
		from: Range.estimate(now, now + 90_000, null),
		to: Range.estimate(now, now + 30_000, null),
	},
	{what: 'a range that lost its bound', from: usual, to: inSeconds(250, null)},
])('$what is news', ({from, to}) => {
	expect(news(aPodForecast({eviction: from}), aPodForecast({eviction: to}))).toHaveLength(1);
});

test('a replacement that no node takes any more is news', () => {
	const [before, after] = (['Fits', 'None'] as const).map((placement) =>
		aPodForecast({after: {outcome: 'Replaced', placement, detail: ''}}),
	) as [PodForecast, PodForecast];
	expect([news(before, before), news(before, after)]).toEqual([[], [after]]);
});

test('a pod that is no more is told once, and one of the same name is another pod', () => {
	const changes = afterFirst(aPodForecast());
	const successor = aPodForecast({uid: 'another'});
	expect(changes.update([successor], now)).toEqual({
		changed: [successor],
		added: new Set([successor]),
		gone: [aPodForecast()],
	});
	expect(changes.update([successor], now)).toEqual({changed: [], added: new Set(), gone: []});
});

test('where times must settle, one that only lasts for a moment is not told, one that stays is told once, a verdict at once', () => {
	const changes = new Changes(pods, isShown, 2000);
	changes.update([aPodForecast({eviction: inSeconds(250, 255)})], now);
	const toldAt = (seconds: number, eviction: Range, verdict: PodForecast['verdict'] = 'Scheduled') =>
		changes.update([aPodForecast({eviction, verdict})], now + seconds * 1000).changed.length;
	expect([toldAt(1, inSeconds(250, 290)), toldAt(2, inSeconds(250, 255))]).toEqual([0, 0]);
	expect([3, 4, 5, 6].map((at) => toldAt(at, inSeconds(260, 265)))).toEqual([0, 0, 1, 0]);
	expect([toldAt(7, inSeconds(280, 285)), toldAt(8, inSeconds(280, 285), 'Expected')]).toEqual([0, 1]);
});
