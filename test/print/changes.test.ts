import {expect, test} from 'vitest';
import type {PodForecast} from '../../src/forecast/podForecast.ts';
import {Range} from '../../src/forecast/range.ts';
import {Changes} from '../../src/print/tables/changes.ts';
import {pods} from '../../src/print/tables/podKind.ts';
import {aPodForecast, inSeconds, now} from './forecasts.ts';

const isShown = ({verdict}: PodForecast) => verdict !== 'Safe';
const safe = {verdict: 'Safe', eviction: null} as const;

function afterFirst(item: PodForecast): Changes<PodForecast> {
	const changes = new Changes(pods, isShown);
	changes.update([item], now);
	return changes;
}

test.for<{name: string; before: PodForecast; after: PodForecast; isNews: boolean}>([
	{name: 'the same again is no news', before: aPodForecast(), after: aPodForecast(), isNews: false},
	{
		name: 'a range that moved by a second is no news',
		before: aPodForecast(),
		after: aPodForecast({eviction: inSeconds(251, 303)}),
		isNews: false,
	},
	{
		name: 'a narrow range that moved by more is news',
		before: aPodForecast({eviction: inSeconds(250, 255)}),
		after: aPodForecast({eviction: inSeconds(250, 256.1)}),
		isNews: true,
	},
	{
		name: 'a wide range that moved by less than a tenth of its width is no news',
		before: aPodForecast({eviction: inSeconds(29, 3600)}),
		after: aPodForecast({eviction: inSeconds(300, 3500)}),
		isNews: false,
	},
	{
		name: 'a wide range that moved by more is news',
		before: aPodForecast({eviction: inSeconds(29, 3600)}),
		after: aPodForecast({eviction: inSeconds(400, 3600)}),
		isNews: true,
	},
	{
		name: 'a wide range that begins much sooner than was printed is news',
		before: aPodForecast({eviction: inSeconds(300, 3600)}),
		after: aPodForecast({eviction: inSeconds(29, 3600)}),
		isNews: true,
	},
	{
		name: 'a wide range that begins a little sooner than was printed is no news',
		before: aPodForecast({eviction: inSeconds(300, 3600)}),
		after: aPodForecast({eviction: inSeconds(280, 3600)}),
		isNews: false,
	},
	{
		name: 'an approximate time that moved by more than a tenth of the time until then is news',
		before: aPodForecast({eviction: Range.estimate(now, now + 90_000, null)}),
		after: aPodForecast({eviction: Range.estimate(now, now + 30_000, null)}),
		isNews: true,
	},
	{
		name: 'one that moved by less is no news',
		before: aPodForecast({eviction: new Range(now, now + 90_000, null, 'about')}),
		after: aPodForecast({eviction: new Range(now, now + 94_000, null, 'about')}),
		isNews: false,
	},
	{
		name: 'another median that is not shown is no news',
		before: aPodForecast({eviction: new Range(now, now + 10_000, null)}),
		after: aPodForecast({eviction: new Range(now, now + 90_000, null)}),
		isNews: false,
	},
	{
		name: 'a range that lost its bound is news',
		before: aPodForecast(),
		after: aPodForecast({eviction: inSeconds(250, null)}),
		isNews: true,
	},
	{
		name: 'an end that has come may move in the past',
		before: aPodForecast({eviction: inSeconds(-30, -20)}),
		after: aPodForecast({eviction: inSeconds(-9, -2)}),
		isNews: false,
	},
	{
		name: 'another verdict is news',
		before: aPodForecast({verdict: 'Expected'}),
		after: aPodForecast({verdict: 'Scheduled'}),
		isNews: true,
	},
	{
		name: 'a pod that turns safe is told a last time',
		before: aPodForecast(),
		after: aPodForecast(safe),
		isNews: true,
	},
	{
		name: 'a pod that is safe is not told',
		before: aPodForecast(safe),
		after: aPodForecast(safe),
		isNews: false,
	},
	{
		name: 'a pod that gets in trouble is told',
		before: aPodForecast(safe),
		after: aPodForecast(),
		isNews: true,
	},
])('$name', ({before, after, isNews}) => {
	const {changed, gone} = afterFirst(before).update([after], now);
	expect({changed, gone}).toEqual({changed: isNews ? [after] : [], gone: []});
});

test('a slow drift is told once it adds up', () => {
	const changes = afterFirst(aPodForecast({eviction: inSeconds(250)}));
	expect(changes.update([aPodForecast({eviction: inSeconds(250.7)})], now).changed).toEqual([]);
	expect(changes.update([aPodForecast({eviction: inSeconds(251.4)})], now).changed).toHaveLength(1);
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

test('a pod that was never shown goes without a word', () => {
	expect(afterFirst(aPodForecast(safe)).update([], now)).toEqual({changed: [], added: new Set(), gone: []});
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
