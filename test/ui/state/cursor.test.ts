import {beforeEach, expect, test} from 'vitest';
import {second} from '../../../src/core/time/instant.ts';
import {aForecast, aNodeForecast, aPodForecast, inSeconds, now} from '../../print/forecasts.ts';
import {PressedDashboard} from '../support/pressed.ts';
import {TestSource} from '../support/scenes.ts';

const size = {columns: 100, rows: 24};

const pod = (name: string, seconds: number, fields: Parameters<typeof aPodForecast>[0] = {}) =>
	aPodForecast({name, uid: name, eviction: inSeconds(seconds, seconds + 1), ...fields});

const many = Array.from({length: 60}, (_, index) => pod(`p${String(index).padStart(2, '0')}`, 10 + index));

let source: TestSource;
let dashboard: PressedDashboard;

beforeEach(() => {
	source = new TestSource(aForecast({pods: many}));
	dashboard = new PressedDashboard(source);
	press('4');
});

const screen = () => dashboard.frame(size);
const press = (...keys: readonly string[]) => dashboard.press(keys, size);
const cursor = () => {
	const lines = screen();
	const row = lines.findIndex((line) => line.startsWith('▸'));
	return {row, name: /shop\/(\S+)/.exec(lines[row] ?? '')?.[1]};
};
const names = () => screen().flatMap((line) => /^[▸ ][ ✓][●◐○■×].*shop\/(\S+)/.exec(line)?.[1] ?? []);

test('it begins on the first row, and stays on the first until it is moved', () => {
	const before = cursor();
	expect(before.name).toBe('p00');
	source.show(aForecast({pods: many.slice(5)}));
	expect(cursor()).toEqual({row: before.row, name: 'p05'});
});

test('enter on a node lists its pods, d says why, and esc leads back to the node', () => {
	const nodes = ['n1', 'n2', 'n3'].map((name) => aNodeForecast({name}));
	const pods = nodes.flatMap(({name}, at) => [
		pod(`a${at}`, 10, {node: name}),
		pod(`b${at}`, 20, {node: name}),
	]);
	source.show(aForecast({nodes, pods}));
	const selected = () => screen().find((line) => line.startsWith('▸'));
	press('3', 'j', 'enter');
	expect(screen().join('\n')).toContain('PODS of node n2 2');
	expect(names()).toEqual(['a1', 'b1']);
	press('j');
	expect(cursor().name).toBe('b1');
	press('esc');
	expect(selected()).toMatch(/^▸ +n2 /);
	press('d');
	expect(dashboard.state.trail.at(-1)).toMatchObject({kind: 'detail', target: {kind: 'node', name: 'n2'}});
	press('esc');
	expect(selected()).toMatch(/^▸ +n2 /);
});

test('arrows, letters, pages and ends move it', () => {
	press('down', 'j', 'k', 'j');
	expect(cursor().name).toBe('p02');
	press('pgdn');
	const page = Number(cursor().name?.slice(1)) - 2;
	expect(page).toBeGreaterThan(10);
	press('pgup');
	expect(cursor().name).toBe('p02');
	press('G');
	expect(cursor().name).toBe('p59');
	press('down');
	expect(cursor().name).toBe('p59');
	press('home');
	expect(cursor().name).toBe('p00');
	press('up');
	expect(cursor().name).toBe('p00');
});

test('it follows its object, on the same line, when rows above go or come', () => {
	press(...new Array<string>(8).fill('down'));
	const before = cursor();
	expect(before.name).toBe('p08');
	press('pgdn');
	const scrolled = cursor();
	source.show(aForecast({pods: many.slice(3)}));
	expect(cursor()).toEqual(scrolled);
	source.show(aForecast({pods: [pod('first', 1), ...many]}));
	expect(cursor()).toEqual(scrolled);
});

test('when its object goes, it stays where it was', () => {
	press('down', 'down', 'down');
	const {row} = cursor();
	source.show(aForecast({pods: many.filter(({name}) => name !== 'p03')}));
	expect(cursor()).toEqual({row, name: 'p04'});
});

test('forecasts that move by less than a second do not change the order', () => {
	const [a, b] = [pod('a', 30.4), pod('b', 30.2)];
	source.show(aForecast({pods: [b, a]}));
	expect(names()).toEqual(['a', 'b']);
	source.show(
		aForecast({
			pods: [
				{...b, eviction: inSeconds(30.9)},
				{...a, eviction: inSeconds(30.1)},
			],
		}),
	);
	expect(names()).toEqual(['a', 'b']);
});

test('a capital letter sorts, and the same again turns it round; the cursor keeps its object', () => {
	source.show(aForecast({pods: [pod('a', 30), pod('b', 20), pod('c', 10)]}));
	press('down');
	expect([names(), cursor().name]).toEqual([['c', 'b', 'a'], 'b']);
	press('N');
	expect([names(), cursor().name]).toEqual([['a', 'b', 'c'], 'b']);
	press('N');
	expect([names(), cursor().name]).toEqual([['c', 'b', 'a'], 'b']);
	expect(screen().join('\n')).toContain('NAME↓');
	// A column that does not fit on the screen shows no arrow.
	expect(screen().join('\n')).toContain('sorted by NAME, the other way round');
});

test.for([
	{name: 'a pattern', filter: 'p0[12]$', want: []},
	{
		name: 'a part of a name',
		filter: 'p0',
		want: ['p00', 'p01', 'p02', 'p03', 'p04', 'p05', 'p06', 'p07', 'p08', 'p09'],
	},
	{name: 'a pattern over all of a row', filter: 'shop/p0[12] ', want: ['p01', 'p02']},
	{
		name: 'what does not match',
		filter: '!p[1-5]',
		want: ['p00', 'p01', 'p02', 'p03', 'p04', 'p05', 'p06', 'p07', 'p08', 'p09'],
	},
	{name: 'labels', filter: '-l app=odd', want: ['x']},
	{name: 'capital letters alike', filter: 'SHOP/P07', want: ['p07']},
	{name: 'what is no pattern, as it stands', filter: 'p0[', want: []},
])('a filter by $name', ({filter, want}) => {
	source.show(aForecast({pods: [...many, pod('x', 5, {labels: {app: 'odd'}})]}));
	press('/', ...[...filter].map((letter) => (letter === ' ' ? 'space' : letter)), 'enter');
	const shown = names();
	expect(filter === '!p[1-5]' ? shown.filter((name) => name !== 'x') : shown).toEqual(want);
});

test('a filter works while it is typed; esc brings back the one before', () => {
	press('/', 'p', '0', '1');
	expect(names()).toEqual(['p01']);
	press('esc');
	expect(names().length).toBeGreaterThan(10);
	press('/', 'p', '0', '1', 'enter');
	expect(screen().join('\n')).toContain('filter p01');
	press('esc');
	expect(names().length).toBeGreaterThan(10);
});

test('a bad selector is told, and lets everything through', () => {
	press('/', '-', 'l', 'space', '=', '=', 'enter');
	expect(names().length).toBeGreaterThan(10);
	expect(screen().join('\n')).toMatch(/expected/);
});

test('marked rows are copied together', () => {
	press('space', 'space', 'down', 'space');
	expect(screen().join('\n')).toContain('3 marked');
	expect(press('c')).toEqual([{type: 'copy', text: 'p00\np01\np03'}]);
	press('esc');
	expect(press('c')).toEqual([{type: 'copy', text: cursor().name}]);
});

test('a namespace is chosen by its beginning, and an empty one is all of them', () => {
	source.show(aForecast({pods: [pod('a', 1), pod('b', 2, {namespace: 'bank'})]}));
	press('n', 'b', 'a');
	expect(screen().join('\n')).toContain('namespace: bank');
	press('enter');
	expect(screen().join('\n')).toMatch(/bank\/b/);
	expect(names()).toEqual([]);
	press('n', 'enter');
	expect(names()).toEqual(['a']);
	press('n', 'x', 'enter');
	expect(screen().join('\n')).toContain('no pods in a namespace "x"');
});

test('views are reached by number, name and tab; esc leads back to the overview', () => {
	const title = () =>
		screen()
			.find((line) => /^ (ZONES|NODES|PODS|EVENTS|WORKLOADS|NEXT EVICTIONS)/.test(line))
			?.split(' ')[1];
	press('3');
	expect(title()).toBe('NODES');
	press(':', 'e', 'v', 'enter');
	expect(title()).toBe('EVENTS');
	press(':', 'w', 'tab', 'enter');
	expect(title()).toBe('WORKLOADS');
	press('shift-tab');
	expect(title()).toBe('PODS');
	press('esc');
	expect(title()).toBe('NEXT');
	press(':', 'x', 'y', 'enter');
	expect(screen().join('\n')).toContain('no view "xy"; there are overview, zones');
	expect(press(':', 'q')).toEqual([]);
	expect(press('enter')).toEqual([{type: 'quit'}]);
});

test('pause holds the screen and its clock, and then goes on with what is', () => {
	press('p');
	const still = screen();
	source.show(aForecast({pods: []}), now + 30 * second);
	expect(screen().slice(1)).toEqual(still.slice(1));
	expect(still[0]).toContain('paused');
	press('p');
	expect(names()).toEqual([]);
});

test('help is made of the one table, scrolls, and any other key leaves it', () => {
	press('?');
	expect(screen().join('\n')).toContain('one row up');
	press('G');
	expect(screen().join('\n')).toContain('already deleted');
	press('x');
	expect(cursor().name).toBe('p00');
});
