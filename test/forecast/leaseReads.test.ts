import {expect, test} from 'vitest';
import {type DrawnKind, playDrawn} from '../support/drawn.ts';
import {wrongForecasts} from '../support/soundness.ts';
import {lookAt, wrongInThrottledOutage} from '../support/throttledOutages.ts';

// Since v1.37 each pass reads the lease of each silent node.
const version = 'v1.37.2';
const suite = 'leaseReads';

test.for([
	{kind: 'v1.37', isThrottled: false},
	{kind: 'v1.37, through a throttled client', isThrottled: true},
	{kind: 'v1.37, leases that somebody else writes', isThrottled: false, touchesLeases: true},
])('a forecast contains what then happens in outages of $kind', ({kind, ...options}) => {
	const drawn: DrawnKind = {suite, kind, count: 15};
	expect(playDrawn(drawn, (seed) => wrongForecasts(seed, {version, ...options})).flat()).toEqual([]);
});

test('long throttled outages of v1.37 delete every pod in its range, by the forecast and by the what-if without changes', () => {
	const drawn: DrawnKind = {suite, kind: 'v1.37, zones of 60 to 400 nodes', count: 14};
	expect(playDrawn(drawn, (seed) => wrongInThrottledOutage(seed, lookAt, version)).flat()).toEqual([]);
});
