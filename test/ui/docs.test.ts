import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {actions, specOf} from '../../src/ui/state/keyTable.ts';
import {titleOf} from '../../src/ui/views/table.ts';
import {tables, viewNames} from '../../src/ui/views/tables.ts';

const page = readFileSync('docs/dashboard.md', 'utf8').replaceAll(/ +\|/g, ' |');

test('the page about the dashboard has every key of the table', () => {
	const rows = actions.map((action) => {
		const {keys, help} = specOf(action);
		const shown = keys.map((key) => `\`${key}\``).join(' ');
		return `| ${shown} | ${help} |`;
	});
	expect(rows.filter((row) => !page.includes(row))).toEqual([]);
});

test('and every letter that sorts', () => {
	const letters = viewNames.flatMap((view) =>
		tables[view].columns.flatMap((column) => {
			const {sortKey, sortWord = titleOf(column).toLowerCase()} = column.drawn;
			return sortKey === undefined ? [] : [`\`${sortKey}\` ${sortWord}`];
		}),
	);
	expect(letters.filter((letter) => !page.includes(letter))).toEqual([]);
});
