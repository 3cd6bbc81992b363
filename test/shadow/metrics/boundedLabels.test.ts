import {expect, test} from 'vitest';
import {minute} from '../../../src/core/time/instant.ts';
import {BoundedLabels} from '../../../src/shadow/metrics/boundedLabels.ts';

test('a value that has been gone for an hour makes room for another, and the others keep their labels', () => {
	let now = 0;
	const freed: string[] = [];
	const labels = new BoundedLabels({most: 2, now: () => now, freed: (value) => freed.push(value)});
	const labelsOf = (...values: readonly string[]) => values.map((value) => labels.labelOf(value));
	expect(labelsOf('a', 'b', 'c', 'a')).toEqual(['a', 'b', '_other', 'a']);
	now = 60 * minute;
	expect(labelsOf('b', 'c')).toEqual(['b', '_other']);
	now += 1;
	expect(labelsOf('b', 'c', 'a')).toEqual(['b', 'c', '_other']);
	expect(freed).toEqual(['a']);
});
