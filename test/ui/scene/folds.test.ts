import {expect, test} from 'vitest';
import type {Forecast} from '../../../src/forecast/forecast.ts';
import {foldedRows, type PodRow} from '../../../src/print/tables/podKind.ts';
import {sequenceOf, sequenceWords} from '../../../src/ui/views/podsView.ts';
import {aForecast, aPodForecast, aZoneForecast, inSeconds, now} from '../../print/forecasts.ts';
import {PressedDashboard} from '../support/pressed.ts';
import {TestSource} from '../support/scenes.ts';

const owner = {kind: 'ReplicaSet', name: 'session-cache-abc', uid: 'rs-1'};
const labels = {'pod-template-hash': 'abc'};
const cachePod = (at: number) =>
	aPodForecast({
		...{name: `session-cache-abc-${at}`, uid: `c${at}`, node: `b${at}`, zone: 'eu/b', owner, labels},
		...{verdict: 'Expected', eviction: inSeconds(38, 3544)},
	});
const waiting = Array.from({length: 15}, (_, at) => cachePod(at));
const certain = aPodForecast({name: 'gateway', uid: 'g', zone: 'eu/b', eviction: inSeconds(120, 121)});
const zone = aZoneForecast({
	...{zone: 'eu/b', state: 'PartialDisruption', rate: 0.01, nextTaint: inSeconds(38, 39)},
	queue: waiting.map(({node}) => node),
});
const forecast = aForecast({pods: [...waiting, certain], zones: [zone]});
const size = {columns: 140, rows: 40};

function wordsOf(fold: PodRow | undefined, seen: Forecast): string | undefined {
	const sequence = fold && sequenceOf(fold, seen, now);
	return sequence && sequenceWords(sequence);
}

test('pods that chance takes one after another are one row that tells their sequence', () => {
	const [fold] = foldedRows(waiting);
	expect(wordsOf(fold, forecast)).toBe('first 0:38–0:39, then one every 1:40, half by 29:51, last by 59:04');
});

test('where other nodes wait, too, it is not said when the first goes', () => {
	const [fold] = foldedRows(waiting);
	const more = {...forecast, zones: [{...zone, queue: [...zone.queue, 'other']}]};
	expect(wordsOf(fold, more)).toBe(
		'first not before 0:38, at most one every 1:40, half by 29:51, last by 59:04',
	);
});

test('those that stand alike in a narrow range are one row, too; two are not', () => {
	const alike = (count: number) =>
		waiting.slice(0, count).map((pod) => ({...pod, eviction: inSeconds(5, 6)}));
	expect(foldedRows(alike(3))).toHaveLength(1);
	expect(foldedRows(alike(2))).toHaveLength(2);
	const [fold] = foldedRows(alike(3));
	expect(wordsOf(fold, forecast)).toBeUndefined();
});

test('pods of one workload that are deleted already, or stay, are one row each', () => {
	const of = (verdict: 'Terminating' | 'Stays') =>
		waiting.slice(0, 3).map((pod) => ({...pod, uid: `${verdict} ${pod.uid}`, verdict, eviction: null}));
	const rows = foldedRows([...of('Terminating'), ...of('Stays')]);
	expect(rows.map(({verdict, eviction, fold}) => [verdict, eviction, fold?.pods.length])).toEqual([
		['Terminating', null, 3],
		['Stays', null, 3],
	]);
});

test('the order is what the arrow says, by the time that begins a cell; enter unfolds', () => {
	const dashboard = new PressedDashboard(new TestSource(forecast));
	const rows = () => dashboard.frame(size).filter((line) => /[●◐○] \d/.test(line));
	expect(rows()).toHaveLength(2);
	expect(rows()[0]).toContain(
		'shop/session-cache (15 pods): first 0:38–0:39, then one every 1:40, half by 29:51, last by 59:04',
	);
	expect(rows()[1]).toMatch(/^ {2}● 2:00–2:01 +– +shop\/gateway/);
	dashboard.press(['enter'], size);
	expect(rows()).toHaveLength(17);
	dashboard.press(['enter'], size);
	expect(rows()).toHaveLength(2);
});

test('where a row has no room for all of that, it says what its range does not', () => {
	const [row] = new PressedDashboard(new TestSource(forecast))
		.frame({columns: 80, rows: 24})
		.filter((line) => line.includes('(15 pods)'));
	expect(row).toMatch(/◐ 0:38–59:04 +shop\/session-cache \(15 pods\): one every 1:40 *$/);
});

test('those that only may go stand after those that go', () => {
	const pods = [
		aPodForecast({name: 'may', uid: 'm', verdict: 'Unsure', eviction: inSeconds(1, 2)}),
		aPodForecast({name: 'goes', uid: 'g', verdict: 'Expected', eviction: inSeconds(100, 200)}),
		aPodForecast({name: 'soon', uid: 's', verdict: 'Scheduled', eviction: inSeconds(120, 130)}),
	];
	const rows = new PressedDashboard(new TestSource(aForecast({pods}))).frame(size);
	expect(rows.flatMap((row) => /[●◐○] \d.*shop\/(\w+)/.exec(row)?.[1] ?? [])).toEqual([
		'goes',
		'soon',
		'may',
	]);
});
