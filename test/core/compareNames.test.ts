import {expect, test} from 'vitest';
import {compareNames} from '../../src/core/collections/compareNames.ts';

test('names are sorted as people count, and as `kubectl get --sort-by` does', () => {
	const sorted = [
		'',
		'2',
		'02',
		'10',
		'a1b2',
		'a01b1',
		'b',
		'b1',
		'b1-x',
		'b1.x',
		'b02',
		'b10',
		'b1000',
		'b-1',
		'b-x',
	];
	expect(sorted.toReversed().toSorted(compareNames)).toEqual(sorted);
	for (const name of sorted) expect(compareNames(name, name)).toBe(0);
});

test('numbers of any length are compared exactly', () => {
	const long = '9'.repeat(30);
	expect([`n1${'0'.repeat(30)}`, `n${long}`].toSorted(compareNames)[0]).toBe(`n${long}`);
});
