import {expect, test} from 'vitest';
import {isPending, lastOf, pendingOf} from '../../src/forecast/pending.ts';
import {Range} from '../../src/forecast/range.ts';
import {taintPace} from '../../src/forecast/words.ts';
import {statusJson} from '../../src/print/status.ts';
import {aForecast, aPodForecast, inSeconds} from '../print/forecasts.ts';

const pod = (name: string, eviction: Range) => aPodForecast({name, eviction});

test('the next eviction is the one with the soonest median, on the page as in all counts', () => {
	const {earliest, expected, latest} = inSeconds(10, 100);
	const wide = pod('wide', new Range(earliest, expected + 1, latest));
	const pods = [wide, pod('narrow', inSeconds(20, 22))];
	expect(pendingOf(pods)[0]?.name).toBe('narrow');
	const status = {forecast: aForecast({pods}), impacts: [], nextLoss: undefined, grace: 50_000};
	expect(statusJson(status).next?.name).toBe('narrow');
});

test('the last eviction is the one whose end comes last; one that nothing bounds comes after all others', () => {
	const pods = [pod('a', inSeconds(10, 90)), pod('b', inSeconds(50, 60))];
	expect(lastOf(pendingOf(pods))).toEqual(inSeconds(10, 90));
	expect(lastOf(pendingOf([...pods, pod('c', inSeconds(5, null))]))).toEqual(inSeconds(5, null));
	expect(lastOf([])).toBeNull();
});

test('of evictions that end together the last is the one that may begin last, in whatever order they come', () => {
	const ends = [pod('a', inSeconds(10, 90)), pod('b', inSeconds(50, 90)), pod('c', inSeconds(60, 70))];
	for (const pods of [ends, ends.toReversed()])
		expect(lastOf(pods.filter(isPending))).toEqual(inSeconds(50, 90));
});

test.for([
	[0.01, 'one node tainted every 100s'],
	[0.1, 'one node tainted every 10s'],
	[1, 'one node tainted every 1s'],
	[2.5, '2.5 nodes tainted per second'],
	[5, '5 nodes tainted per second'],
] as const)('%d nodes a second are %s', ([rate, words]) => {
	expect(taintPace(rate)).toBe(words);
});
