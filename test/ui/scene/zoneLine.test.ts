import {expect, test} from 'vitest';
import {
	briefNextState,
	bucketLevel,
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
	expect(nextStateWords(zone, '→')).toBe('3 down → Full, 2 back → Normal');
	expect(briefNextState(zone, '→')).toBe('2 back→Normal');
});

test.for([
	{name: 'a full bucket', zone: aZoneForecast(), words: 'ready', level: 1, rate: '0.1/s'},
	{
		name: 'a bucket that fills',
		zone: aZoneForecast({nextToken: inSeconds(4, 6)}),
		words: '0:04–0:06',
		level: 0.5,
		rate: '0.1/s',
	},
	{
		name: 'a slow bucket',
		zone: aZoneForecast({rate: 0.01, nextToken: inSeconds(25)}),
		words: '0:25',
		level: 0.75,
		rate: '0.01/s',
	},
	{
		name: 'a stopped zone',
		zone: aZoneForecast({rate: 0, nextToken: null}),
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
