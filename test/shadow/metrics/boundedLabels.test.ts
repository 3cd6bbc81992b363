import {expect, test} from 'vitest';
import {BoundedLabels} from '../../../src/shadow/metrics/boundedLabels.ts';

test('the first values keep their labels, and all others share one', () => {
	const labels = new BoundedLabels(2);
	expect(['a', 'b', 'c', 'a'].map((value) => labels.labelOf(value))).toEqual(['a', 'b', '_other', 'a']);
});
