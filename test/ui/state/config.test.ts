import {expect, test} from 'vitest';
import {defaultConfig, readConfig} from '../../../src/ui/state/config.ts';
import {actionOf, actions, defaultBindings} from '../../../src/ui/state/keyTable.ts';
import {tables, viewNames} from '../../../src/ui/views/tables.ts';

test('no file, or an empty one, is the defaults', () => {
	expect(readConfig(undefined)).toEqual(defaultConfig);
	expect(readConfig(null)).toEqual(defaultConfig);
});

test('keys take the place of an action’s own, and are taken from others', () => {
	const {theme, bindings} = readConfig({
		theme: 'light',
		keys: {quit: ['x', 'ctrl-q'], down: 'g', overview: 0},
	});
	expect(theme).toBe('light');
	expect(['x', 'ctrl-q', 'q', 'g', 'home', 'j', '0'].map((key) => actionOf(key, bindings))).toEqual([
		...['quit', 'quit', undefined, 'down', 'top', undefined, 'overview'],
	]);
});

test.for([
	{value: [], message: 'the file must hold fields, as in "theme: dark"'},
	{value: {colour: 1}, message: 'unknown field "colour": there are theme, timeZone, notify and keys'},
	{value: {theme: 'pink'}, message: 'theme: unknown theme "pink": there are dark, light, high-contrast'},
	{value: {keys: {qiut: 'x'}}, message: 'keys: unknown action "qiut": there are up, down'},
	{
		value: {keys: {quit: 'ctrl+x'}},
		message: 'keys.quit: "ctrl+x" is no key: want one letter, ctrl-x, or one of up,',
	},
	{value: {keys: {quit: [['x']]}}, message: 'keys.quit: ["x"] is no key'},
	{value: {keys: {quit: 'x', pause: 'x'}}, message: 'keys: "x" is bound to both quit and pause'},
	{value: {keys: {quit: []}}, message: 'keys: quit must have a key'},
	{value: {keys: 7}, message: 'keys must hold fields'},
])('$value is refused', ({value, message}) => {
	expect(() => readConfig(value)).toThrow(message);
});

test('no key of the table does two things', () => {
	const keys = actions.flatMap((action) => defaultBindings[action]);
	expect(keys.toSorted()).toEqual([...new Set(keys)].toSorted());
});

test('every letter that sorts has an order, and does nothing else', () => {
	const sorting = viewNames.flatMap((view) =>
		tables[view].columns.filter(({sortKey}) => sortKey !== undefined),
	);
	expect(sorting.filter(({compare}) => compare === undefined)).toEqual([]);
	expect(sorting.filter(({sortKey = ''}) => actionOf(sortKey, defaultBindings) !== undefined)).toEqual([]);
	for (const view of viewNames) {
		const letters = tables[view].columns.flatMap(({sortKey}) => sortKey ?? []);
		expect(letters).toEqual([...new Set(letters)]);
	}
});
