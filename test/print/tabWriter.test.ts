import {expect, test} from 'vitest';
import {TabWriter} from '../../src/print/tables/tabWriter.ts';

test.for([
	{
		name: 'cells are padded by three, the last one is not',
		rows: [
			['LONGER', 'B'],
			['x', 'yy'],
		],
		want: 'LONGER   B\nx        yy\n',
	},
	{
		name: 'no column is narrower than six',
		rows: [
			['A', 'B'],
			['x', 'y'],
		],
		want: 'A     B\nx     y\n',
	},
	{name: 'three letters and the padding make six', rows: [['ABC', 'B']], want: 'ABC   B\n'},
	{name: 'wide letters count once, as in Go', rows: [['😀😀😀😀', 'B']], want: '😀😀😀😀   B\n'},
	{name: 'no rows are no text', rows: [], want: ''},
])('$name', ({rows, want}) => {
	expect(new TabWriter().write(rows)).toBe(want);
});

test('later rows keep the widths of earlier ones', () => {
	const writer = new TabWriter();
	writer.write([['a-long-name', 'x']]);
	expect(writer.write([['b', 'y']])).toBe('b             y\n');
});
