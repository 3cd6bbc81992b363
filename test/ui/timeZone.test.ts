import {expect, test} from 'vitest';
import {minute} from '../../src/core/time/instant.ts';
import {aForecast, aNodeForecast, aPodForecast, inSeconds} from '../print/forecasts.ts';
import {textAt} from './support/dashboards.ts';
import {TestSource} from './support/scenes.ts';

const size = {columns: 100, rows: 24};
const message = 'not watched from 13:50:00Z to 13:51:00Z';
const forecast = aForecast({
	nodes: [aNodeForecast()],
	pods: [aPodForecast({eviction: inSeconds(100, 110), because: ['its node fell silent at 13:58:20Z']})],
	problems: [{reason: 'WatchGap', message}],
});
const titleOf = (text: string) => text.split('\n')[0]?.trim() ?? '';

test('times are in the zone that was asked for, and the first line names it', async () => {
	const source = new TestSource(forecast);
	expect(titleOf(await textAt(size)(source))).toMatch(/ 14:00:00 UTC$/);
	const inKolkata = textAt(size, {timeZone: 'Asia/Kolkata'});
	const text = await inKolkata(source, '4');
	expect(titleOf(text)).toMatch(/ 19:30:00 Asia\/Kolkata$/);
	expect(text).toContain('its node fell silent at 19:28:20+05:30');
	expect(await inKolkata(source, '8')).toContain('not watched from 19:20:00+05:30 to 19:21:00+05:30');
	const narrow = textAt({columns: 60, rows: 15}, {timeZone: 'America/Argentina/ComodRivadavia'});
	expect(titleOf(await narrow(source))).toMatch(/ 11:00:00 UTC-03:00$/);
});

test('@ switches to UTC and back', async () => {
	const source = new TestSource(forecast);
	const inBerlin = textAt(size, {timeZone: 'Europe/Berlin'});
	const text = await inBerlin(source, '8', '@');
	expect(titleOf(text)).toMatch(/ 14:00:00 UTC$/);
	expect(text).toContain(message);
	expect(text).toContain('times are in UTC');
	const back = await inBerlin(source, '8', '@', '@');
	expect(titleOf(back)).toMatch(/ 15:00:00 Europe\/Berlin$/);
	expect(back).toContain('times are in Europe/Berlin (UTC+01:00)');
	expect(back).toContain('not watched from 14:50:00+01:00');
	// Tests run in UTC.
	expect(await textAt(size)(source, '@')).toContain(
		'the local zone is UTC, too; --time-zone Area/City names another',
	);
});

test('of deletions before the end of daylight saving time the offset is told', async () => {
	const source = new TestSource(forecast);
	const change = Date.UTC(2026, 9, 25, 1);
	const deletion = (name: string, at: number) => ({
		...{namespace: 'shop', name, uid: name, node: 'n1', at},
		...{isEviction: false, firstPrediction: undefined, isInside: undefined},
	});
	const happenings = [deletion('early', change - minute), deletion('late', change + minute)];
	source.change({happenings, heardAt: change + 2 * minute}, change + 2 * minute);
	const text = await textAt(size, {timeZone: 'Europe/Berlin'})(source, '6');
	expect(text).toMatch(/02:01:00 +shop\/late/);
	expect(text).toMatch(/02:59:00\+02:00 +shop\/early/);
});
