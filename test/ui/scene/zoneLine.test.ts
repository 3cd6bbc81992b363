import {expect, test} from 'vitest';
import {
	bucketLevel,
	nextStateWithin,
	nextStateWords,
	rateWords,
	tokenWords,
	waitingIn,
	waitingWords,
} from '../../../src/ui/scene/zoneLine.ts';
import {aNodeForecast, aZoneForecast, inSeconds, now} from '../../print/forecasts.ts';

test('how far a zone is from another state, in full and in brief', () => {
	const zone = aZoneForecast({
		toNextState: [
			{state: 'FullDisruption', rate: 0.1, nodesDown: 3},
			{state: 'Normal', rate: 0.1, nodesBack: 2},
		],
	});
	expect(nextStateWords(zone, '→')).toBe('2 back → Normal, 3 down → Full');
	const within = (width: number, of = zone) => nextStateWithin(of, '→', width);
	expect(within(30)).toBe('2 back → Normal, 3 down → Full');
	expect(within(29)).toBe('2 back→Normal, 3 down→Full');
	expect(within(25)).toBe('2 back→Normal');
	expect(within(25, aZoneForecast({toNextState: []}))).toBe('');
	// A loss that allows evictions is shown before a return that does not, and before one that does as well.
	const stopped = aZoneForecast({
		toNextState: [
			{state: 'FullDisruption', rate: 0.1, nodesDown: 1},
			{state: 'Normal', rate: 0.1, nodesBack: 1},
		],
	});
	expect(within(15, stopped)).toBe('1 down→Full');
	const full = [
		{state: 'PartialDisruption', rate: 0, nodesBack: 1},
		{state: 'Normal', rate: 0.1, nodesBack: 2},
	] as const;
	expect(within(15, aZoneForecast({toNextState: full}))).toBe('2 back→Normal');
});

test.for([
	{name: 'a full bucket', zone: aZoneForecast(), words: 'ready', level: 1, rate: '0.1/s'},
	{
		name: 'a bucket that fills',
		zone: aZoneForecast({nextTaint: inSeconds(4, 6)}),
		words: '0:04–0:06',
		level: 0.5,
		rate: '0.1/s',
	},
	{
		name: 'a slow bucket',
		zone: aZoneForecast({rate: 0.01, nextTaint: inSeconds(25)}),
		words: '0:25',
		level: 0.75,
		rate: '0.01/s',
	},
	{
		name: 'a stopped zone',
		zone: aZoneForecast({rate: 0, nextTaint: null}),
		words: 'never',
		level: undefined,
		rate: '0',
	},
])('$name', ({zone, words, level, rate}) => {
	expect([tokenWords(zone, now), bucketLevel(zone, now), rateWords(zone)]).toEqual([words, level, rate]);
});

test('who waits in a zone, and until when', () => {
	const queued = (name: string, latest: number | null) =>
		aNodeForecast({name, verdict: 'Queued', noExecute: inSeconds(1, latest)});
	const held = aNodeForecast({name: 'h', verdict: 'Held'});
	expect(waitingWords(waitingIn([aNodeForecast()]), now)).toBe('');
	expect(waitingWords(waitingIn([queued('a', 10), queued('b', 20), held]), now)).toBe(
		'2 nodes until 0:20, 1 node held',
	);
	expect(waitingWords(waitingIn([queued('a', 10), queued('b', null)]), now)).toBe('2 nodes');
});
