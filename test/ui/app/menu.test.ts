import {expect, test} from 'vitest';
import type {Scene} from '../../../src/ui/scene/scene.ts';
import {menuAlone} from '../../../src/ui/state/uiState.ts';
import {clusterMenu, outageMenu} from '../../../src/ui/views/menus.ts';
import {aForecast} from '../../print/forecasts.ts';
import {textAt} from '../support/dashboards.ts';
import {PressedDashboard} from '../support/pressed.ts';
import {aScene, TestSource} from '../support/scenes.ts';

const size = {columns: 80, rows: 16};
const clusters = Array.from({length: 30}, (_, at) => ({
	name: `cluster-${at}`,
	title: at % 2 ? 'reachable' : 'not reachable',
}));

/** The menu of a dashboard after these keys, with the effects of the last one. */
function pressed(...keys: readonly string[]) {
	const menu = outageMenu(clusters, 'cluster-3');
	const dashboard = new PressedDashboard(new TestSource(aForecast({})), {menu});
	dashboard.press(['m', ...keys.slice(0, -1)], size);
	const effects = dashboard.press(keys.slice(-1), size);
	return {dashboard, effects, text: dashboard.frame(size).join('\n')};
}

const namesIn = (text: string) => text.match(/cluster-\d+/g) ?? [];

test('a menu of more rows than fit goes along with the cursor, from the row that is shown below it', () => {
	const {text} = pressed('ctrl-l');
	expect(text).toContain(' choose an outage 30');
	expect(text).toMatch(/NAME +WHAT HAPPENS *\n/);
	expect(text).toMatch(/▸ +cluster-3 /);
	expect(text).toMatch(/⏎ open +\/ filter +\? help +q quit/);
	expect(pressed('G').text).toMatch(/cluster-28 [\s\S]*▸ +cluster-29 /);
	expect(pressed('j', 'enter').effects).toEqual([{type: 'choose', name: 'cluster-4'}]);
});

test('a menu is filtered as tables are, by names and titles, and esc shows all again', () => {
	expect(namesIn(pressed('/', ...'-2[0-2]$|r-7 ').text)).toEqual(['cluster-7']);
	expect(pressed('/', ...'!not', 'enter').text).toContain('15 of 30');
	expect(pressed('/', ...'not', 'enter', 'g', 'j', 'enter').effects).toEqual([
		{type: 'choose', name: 'cluster-2'},
	]);
	expect(pressed('/', 'x', 'enter', 'esc').text).toContain(' choose an outage 30');
	expect(pressed('/', 'q').effects).toEqual([]);
	const {dashboard, text} = pressed('esc');
	expect(text).not.toContain('choose');
	dashboard.press([':', ...'ctx 29', 'enter'], size);
	expect(namesIn(dashboard.frame(size).join('\n'))).toEqual(['cluster-29']);
});

test.for([
	{keys: ['X'], want: 'no key X here'},
	{keys: ['/', 'ctrl-x'], want: 'no key ctrl-x while typing; esc leaves'},
	{keys: ['/', 'z', 'z', 'enter', 'enter'], want: 'there is no row here'},
	{keys: ['w'], want: 'no what-if of this'},
	{keys: ['y'], want: 'no forecast of this'},
])('a key that does nothing in a menu says so: $keys', ({keys, want}) => {
	expect(pressed(...keys).text).toContain(want);
});

test('without a menu, its key says so', () => {
	const dashboard = new PressedDashboard(new TestSource(aForecast({})));
	dashboard.press(['m'], size);
	expect(dashboard.frame(size).join('\n')).toContain('there is no other to choose');
});

test('no row of an open menu moves; opened again, the most urgent come first', () => {
	let names = ['b', 'a'];
	const menu = clusterMenu(() => names.map((name) => ({name})));
	const source = new TestSource(aForecast({}));
	const dashboard = new PressedDashboard(source, {menu});
	const rows = () =>
		[
			...dashboard
				.frame(size)
				.join('\n')
				.matchAll(/(\w) +not queried/g),
		].map(([, name]) => name);
	dashboard.press(['m'], size);
	expect(rows()).toEqual(['b', 'a']);
	names = ['c', 'a', 'b'];
	source.change({}, source.now() + 1000);
	expect(rows()).toEqual(['b', 'a', 'c']);
	dashboard.press(['/', 'a', 'enter'], size);
	expect(rows()).toEqual(['a']);
	dashboard.press(['esc'], size);
	expect(rows()).toEqual(['b', 'a', 'c']);
	dashboard.press(['esc'], size);
	dashboard.frame(size);
	dashboard.press(['m'], size);
	expect(rows()).toEqual(['c', 'a', 'b']);
});

test('a menu alone tells what failed, and shows no cluster; esc leaves it', async () => {
	const scene: Scene = {
		...aScene({link: {state: 'none'}, heardAt: undefined, title: ''}),
		forecast: undefined,
	};
	const source = Object.assign(new TestSource(aForecast({})), {get: () => scene});
	const effects: unknown[] = [];
	const options = {
		...{menu: outageMenu(clusters), left: menuAlone('east: it did not answer')},
		onEffect: (effect: unknown) => effects.push(effect),
	};
	const text = await textAt(size, options)(source);
	expect(text).toMatch(
		/^ evictwatch[\s\S]* choose an outage 30[\s\S]*cluster-0[\s\S]*east: it did not answer/,
	);
	expect(text).not.toMatch(/connect|nodes|evictions/i);
	expect(await textAt(size, options)(source, 'j', 'k')).toContain('east: it did not answer');
	expect(await textAt(size, options)(source, '3')).toContain('Nothing is chosen: m shows the menu.');
	await textAt(size, options)(source, 'h');
	await expect.poll(() => effects).toEqual([{type: 'choose', name: undefined}]);
	expect(await textAt(size, options, true)(source)).toMatch(/^choose an outage\.[\s\S]*name cluster-0/);
});
