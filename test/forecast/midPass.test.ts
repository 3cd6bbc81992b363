import {expect, test} from 'vitest';
import {wrongMidPass} from '../support/midPass.ts';

// A watch is told of the first thing that a pass does, and forecasts then: the pass is still at work. What it does next,
// and whether it judges the zones before or after the next look at their queues, must be in the range.

const outages = Number(process.env['EVICTWATCH_OUTAGES'] ?? 50);
/** The last two found rules that the others never need. */
const seeds = [...Array.from({length: outages}, (_, index) => index + 1), 80, 143];

test.for([
	{version: 'v1.36.3', callDuration: 1, fewest: 100},
	{version: 'v1.36.3', callDuration: 15, fewest: 100},
	{version: 'v1.36.3', callDuration: 40, fewest: 100},
	{version: 'v1.28.15', callDuration: 15, fewest: 100},
	// One worker: most of a pass is still to come after its first deed.
	{version: 'v1.24.17', callDuration: 15, fewest: 100},
	{version: 'v1.24.17', callDuration: 40, fewest: 100},
])(
	'a forecast in mid pass contains what then happens, $version, calls of $callDuration ms',
	{
		timeout: 120_000,
	},
	({fewest, ...options}) => {
		const results = seeds.map((seed) => wrongMidPass(seed, options));
		expect(results.flatMap(({wrong}) => wrong)).toEqual([]);
		expect(results.reduce((sum, {looks}) => sum + looks, 0)).toBeGreaterThan(fewest);
	},
);
