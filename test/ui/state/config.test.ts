import {expect, test} from 'vitest';
import {defaultConfig, readConfig} from '../../../src/ui/state/config.ts';
import {actionOf, actions, specOf} from '../../../src/ui/state/keyTable.ts';
import {tables, viewNames} from '../../../src/ui/views/tables.ts';

test('no file, or an empty one, is the defaults', () => {
	expect(readConfig(undefined)).toEqual(defaultConfig);
	expect(readConfig(null)).toEqual(defaultConfig);
});

test('a theme, a time zone and notes are read', () => {
	const config = {theme: 'light', timeZone: 'Europe/Berlin', notify: true};
	expect(readConfig(config)).toEqual(config);
});

test.for([
	{value: [], message: 'the file must hold fields, as in "theme: dark"'},
	{value: {colour: 1}, message: 'unknown field "colour": there are theme, timeZone and notify'},
	{value: {theme: 'pink'}, message: 'theme: unknown theme "pink": there are dark, light, high-contrast'},
	{value: {keys: {quit: 'x'}}, message: 'unknown field "keys": there are theme, timeZone and notify'},
])('$value is refused', ({value, message}) => {
	expect(() => readConfig(value)).toThrow(message);
});

test('no key of the table does two things', () => {
	const keys = actions.flatMap((action) => specOf(action).keys);
	expect(keys.toSorted()).toEqual([...new Set(keys)].toSorted());
});

test('no letter that sorts does anything else', () => {
	const sorting = viewNames.flatMap((view) =>
		tables[view].columns.flatMap(({drawn: {sortKey}}) => sortKey ?? []),
	);
	expect(sorting.filter((sortKey) => actionOf(sortKey) !== undefined)).toEqual([]);
	for (const view of viewNames) {
		const letters = tables[view].columns.flatMap(({drawn: {sortKey}}) => sortKey ?? []);
		expect(letters).toEqual([...new Set(letters)]);
	}
});
