import {expect, test} from 'vitest';
import {drawnTimeout, playDrawn} from '../support/drawn.ts';
import {wrongMidPass} from '../support/midPass.ts';

// A watch is told of the first thing that a pass does, and forecasts then: the pass is still at work. What it does next,
// and whether it judges the zones before or after the next look at their queues, must be in the range.

test.for([
	{version: 'v1.36.3', callDuration: 1},
	{version: 'v1.36.3', callDuration: 15},
	{version: 'v1.36.3', callDuration: 40},
	{version: 'v1.28.15', callDuration: 15},
	// One worker: most of a pass is still to come after its first action.
	{version: 'v1.24.17', callDuration: 15},
	{version: 'v1.24.17', callDuration: 40},
])(
	'a forecast in mid pass contains what then happens, $version, calls of $callDuration ms',
	{
		timeout: drawnTimeout,
	},
	(options) => {
		const kind = `${options.version}, calls of ${options.callDuration} ms`;
		const drawn = {suite: 'midPass', kind, count: 50, deep: [80, 143]};
		const results = playDrawn(drawn, (seed) => wrongMidPass(seed, options));
		expect(results.flatMap(({wrong}) => wrong)).toEqual([]);
		expect(results.reduce((sum, {looks}) => sum + looks, 0)).toBeGreaterThan((100 / 52) * results.length);
	},
);
