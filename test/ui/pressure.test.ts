import {beforeAll, expect, test} from 'vitest';
import {minute, second} from '../../src/core/time/instant.ts';
import {utc} from '../../src/dates/timeZone.ts';
import type {ThresholdForecast} from '../../src/forecast/pressure/pressureForecast.ts';
import {Range} from '../../src/forecast/range.ts';
import {pressureRows} from '../../src/ui/scene/pressureRows.ts';
import {glyphsOf} from '../../src/ui/theme/glyphs.ts';
import {pressure} from '../../src/ui/views/pressureView.ts';
import {cellContext} from '../../src/ui/views/table.ts';
import {aNodeForecast} from '../print/forecasts.ts';
import {dashboardScreen, textAt} from './support/dashboards.ts';
import {Outage} from './support/outage.ts';
import {TestSource} from './support/scenes.ts';
import {ShownScreen} from './support/terminal.ts';

let squeezed: Outage;
beforeAll(() => {
	squeezed = new Outage('node-pressure').advance(2 * minute + 50 * second);
});

const size = {columns: 120, rows: 40};

const shown = (keys: readonly string[]) => textAt(size)(squeezed.source, ...keys);

test('a node that runs short comes first, with a row for each signal; nodes of which nothing is known have none', () => {
	const {forecast} = squeezed.source.get();
	if (!forecast) throw new Error('there is no forecast');
	const rows = pressureRows(forecast);
	expect(rows[0]).toMatchObject({
		node: 'b2',
		conditions: ['MemoryPressure'],
		signal: {signal: 'memory.available'},
	});
	// Of an approaching hard threshold and a soft one in its grace period, the one that evicts first.
	expect(rows[0]?.threshold?.isHard).toBe(true);
	expect(rows[0]?.next?.pod.name).toContain('search');
	expect(rows.filter(({node}) => node === 'b2')).toHaveLength(8);
	expect(rows.filter(({pressure}) => !pressure)).toEqual([]);
});

test('a view is found by its name, and enter on a row opens its node', async () => {
	const text = await shown([':', 'p', 'r', 'e', 's', 's', 'u', 'r', 'e', '\r', '\r']);
	expect(text).toContain('pressure of node b2');
	expect(text).toContain('PLACE FOR memory.available');
});

test('the details tell of victims, protection, containers near their limit, and what is not seen', async () => {
	const {forecast} = squeezed.source.get();
	if (!forecast) throw new Error('there is no forecast');
	const problem = {
		reason: 'SignalNotObserved',
		message: 'the kubelet does not measure pid.available',
	} as const;
	const withProblem = forecast.pressure?.map((one) => ({...one, problems: [problem]})) ?? [];
	const source = new TestSource({...forecast, pressure: withProblem});
	const [top, bottom] = [await shown(['9', '\r']), await textAt(size)(source, '9', '\r', 'G')];
	expect(top).toMatch(/shop\/search-\S+ is evicted first, in /);
	expect(top + bottom).toContain('(never: a critical priority)');
	expect(top + bottom).toContain('KILLED IN PLACE (OUT OF MEMORY)');
	expect(bottom).toContain('Not seen:');
	expect(bottom).toContain('Assumptions:');
});

test('whom a screen is read to hears the same', async () => {
	// High enough for the whole text, because a screen reader also reads what scrolls away.
	const hears = textAt({columns: 120, rows: 120}, {}, true);
	const text = await hears(squeezed.source, '9', '\r');
	expect(text).toContain('MemoryPressure has been True for');
	expect(text).toContain('shop/search');
});

test('a node whose details are opened is looked at, for as long as they are', async () => {
	const {forecast} = squeezed.source.get();
	if (!forecast) throw new Error('there is no forecast');
	const asked: string[] = [];
	const source = Object.assign(new TestSource(forecast), {lookAt: (node: string) => asked.push(node)});
	const screen = new ShownScreen(dashboardScreen(source), size);
	await screen.settle();
	await screen.type('9');
	expect(asked).toEqual([]);
	await screen.type(':pressure cp', '\r');
	expect(new Set(asked)).toEqual(new Set(['cp1']));
	expect(await screen.text()).toContain('was not asked yet');
	await screen.end();
});

test('nothing is drawn of a signal that is not measured', () => {
	const forecast = squeezed.source.get().forecast;
	if (!forecast) throw new Error('there is no forecast');
	const nodes = [aNodeForecast({name: 'n1'})];
	expect(pressureRows({...forecast, nodes, pressure: []})).toEqual([]);
	const short = [aNodeForecast({name: 'n1', pressure: {conditions: ['DiskPressure'], next: null}})];
	expect(pressureRows({...forecast, nodes: short, pressure: []})).toEqual([
		{node: 'n1', conditions: ['DiskPressure']},
	]);
});

test('a time until a threshold is a time in a narrow column as well, not now', () => {
	const scene = squeezed.source.get();
	const {forecast} = scene;
	const [row] = forecast ? pressureRows(forecast) : [];
	const column = pressure.columns.find(({title}) => title === 'BELOW IN');
	if (!forecast || !row?.threshold || !column?.brief) throw new Error('nothing to show');
	const {observedAt: now} = forecast;
	const context = cellContext({scene, now, timeZone: utc, glyphs: glyphsOf(true)}, forecast);
	const crossings: readonly ThresholdForecast['crossing'][] = [
		{type: 'expected', at: new Range(now + 62 * minute, now + 65 * minute, now + 73 * minute)},
		{type: 'unknown'},
	];
	const {threshold} = row;
	const texts = crossings.map((crossing) =>
		column.brief?.({...row, threshold: {...threshold, crossing}}, context, 6),
	);
	expect(texts).toEqual(['1h02m–1h13m', '<unknown>']);
});
