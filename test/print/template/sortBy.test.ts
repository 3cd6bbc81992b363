import {expect, test} from 'vitest';
import {sortBy} from '../../../src/print/template/sortBy.ts';

test.for([
	{
		name: 'quantities, by their amount',
		values: ['2k', '900', '1Mi', '500m', '1e3'],
		sorted: '500m 900 1e3 2k 1Mi',
	},
	{name: 'quantities of one factor of 1024', values: ['1Gi', '1000Mi', '2Ki'], sorted: '2Ki 1000Mi 1Gi'},
	{
		name: 'words, where one of two is no quantity',
		values: ['zone-b', '10', 'zone-a'],
		sorted: '10 zone-a zone-b',
	},
	{name: 'names, with numbers by their value', values: ['b10', 'b2', 'b1'], sorted: 'b1 b2 b10'},
	{name: 'numbers', values: [10, 9, -1], sorted: '-1 9 10'},
])('sorts $name', ({values, sorted}) => {
	const items = values.map((value) => ({value}));
	const order = sortBy(items, '{.value}', (item) => item).map(({value}) => value);
	expect(order.join(' ')).toBe(sorted);
});
