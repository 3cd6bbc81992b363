import {expect, test} from 'vitest';
import {ObservationGaps} from '../../../src/shadow/compare/observationGaps.ts';

test('gaps are kept for a year without growing', () => {
	const gaps = new ObservationGaps();
	for (let hour = 1; hour < 9000; hour += 1) {
		gaps.take({type: 'watchLost', since: hour * 3_600_000}, hour * 3_600_000 + 5000);
		gaps.take({type: 'watchLost', since: undefined}, hour * 3_600_000 + 9000);
	}
	expect(gaps.gaps).toHaveLength(100);
	expect(gaps.gaps[0]?.from).toBe(8999 * 3_600_000);
	expect(gaps.gapCount).toBe(8999);
});
