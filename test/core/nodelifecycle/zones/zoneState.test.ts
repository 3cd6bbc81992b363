import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {
	computeZoneState,
	evictionRate,
	type ZoneState,
} from '../../../../src/core/nodelifecycle/zones/zoneState.ts';

const rates = {nodeEvictionRate: 0.1, secondaryNodeEvictionRate: 0.01, largeClusterSizeThreshold: 50};

test.for<{name: string; state: ZoneState; size: number; want: number}>([
	{name: 'a normal zone has the normal rate', state: 'Normal', size: 10, want: 0.1},
	{
		name: 'a fully disrupted zone is evicted at the normal rate',
		state: 'FullDisruption',
		size: 10,
		want: 0.1,
	},
	{name: 'a small zone that is partially disrupted stops', state: 'PartialDisruption', size: 10, want: 0},
	{name: 'fifty nodes are still a small zone', state: 'PartialDisruption', size: 50, want: 0},
	{
		name: "a zone is large by its own size, whatever the flag's name says",
		state: 'PartialDisruption',
		size: 51,
		want: 0.01,
	},
])('$name', ({state, size, want}) => {
	expect(evictionRate(state, size, rates)).toBe(want);
});

/** The rule in exact fractions: n of m nodes against a threshold in hundredths. */
function naiveState(notReady: number, size: number, hundredths: number): ZoneState {
	if (size > 0 && notReady === size) return 'FullDisruption';
	return notReady >= 3 && notReady * 100 >= hundredths * size ? 'PartialDisruption' : 'Normal';
}

const counts = fc.nat(5000).chain((size) => fc.record({size: fc.constant(size), notReady: fc.nat(size)}));

test('a zone of any size is judged as exact fractions judge it', () => {
	fc.assert(
		fc.property(counts, fc.integer({min: 0, max: 100}), (count, hundredths) => {
			const want = naiveState(count.notReady, count.size, hundredths);
			expect(computeZoneState(count, hundredths / 100)).toBe(want);
		}),
		{numRuns: 2000},
	);
});
