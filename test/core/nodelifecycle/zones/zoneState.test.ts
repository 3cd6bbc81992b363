import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {
	computeZoneState,
	evictionRate,
	type ZoneState,
} from '../../../../src/core/nodelifecycle/zones/zoneState.ts';

test.for<{name: string; ready: number; notReady: number; threshold?: number; want: ZoneState}>([
	{name: 'an empty zone is normal', ready: 0, notReady: 0, want: 'Normal'},
	{name: 'a lone dead node is a full disruption', ready: 0, notReady: 1, want: 'FullDisruption'},
	{name: 'a lone ready node is normal', ready: 1, notReady: 0, want: 'Normal'},
	{name: 'two of three down is below the minimum of three', ready: 1, notReady: 2, want: 'Normal'},
	{name: 'three of four down is partial', ready: 1, notReady: 3, want: 'PartialDisruption'},
	{name: 'three of five down is partial', ready: 2, notReady: 3, want: 'PartialDisruption'},
	{name: 'three of six down is normal', ready: 3, notReady: 3, want: 'Normal'},
	{name: 'exactly 55 % down is partial', ready: 9, notReady: 11, want: 'PartialDisruption'},
	{name: 'seven of thirteen, 54 %, is normal', ready: 6, notReady: 7, want: 'Normal'},
	{name: 'all of many down is full', ready: 0, notReady: 50, want: 'FullDisruption'},
	{name: 'at a threshold of one nothing is partial', ready: 1, notReady: 99, threshold: 1, want: 'Normal'},
	{
		name: 'at a threshold of zero three down are enough',
		ready: 97,
		notReady: 3,
		threshold: 0,
		want: 'PartialDisruption',
	},
])('$name', ({ready, notReady, threshold = 0.55, want}) => {
	expect(computeZoneState({size: ready + notReady, notReady}, threshold)).toBe(want);
});

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

test('every count of every size up to 300 nodes is judged at 0.55 as exact fractions judge it', () => {
	for (let size = 0; size <= 300; size += 1) {
		for (let notReady = 0; notReady <= size; notReady += 1) {
			const state = computeZoneState({size, notReady}, 0.55);
			if (state !== naiveState(notReady, size, 55)) expect.fail(`${notReady} of ${size} down is ${state}`);
		}
	}
});
