import {expect, test} from 'vitest';
import {boundedLabels} from '../../../src/shadow/metrics/boundedLabels.ts';

test('the first values keep their labels, and all others share one', () => {
	const labels = boundedLabels(2);
	expect(['a', 'b', 'c', 'a'].map((value) => labels(value))).toEqual(['a', 'b', '_other', 'a']);
});
