import {expect, test} from 'vitest';
import {playDrawn} from '../support/drawn.ts';
import {wrongMidPass} from '../support/midPass.ts';

// A watch receives the first effect of a pass, and forecasts while the pass still runs. The range must include the pass' next
// effects, and both orders of its zone check and the next processing of the queues.

test.for([
	{version: 'v1.36.3', callDuration: 1},
	{version: 'v1.36.3', callDuration: 15},
	{version: 'v1.36.3', callDuration: 40},
	{version: 'v1.28.15', callDuration: 15},
	// With one worker, most of a pass follows its first effect.
	{version: 'v1.24.17', callDuration: 15},
	{version: 'v1.24.17', callDuration: 40},
])('a forecast in mid pass contains what then happens, $version, calls of $callDuration ms', (options) => {
	const kind = `${options.version}, calls of ${options.callDuration} ms`;
	const drawn = {suite: 'midPass', kind, count: 50, deep: [80, 143]};
	const results = playDrawn(drawn, (seed) => wrongMidPass(seed, options));
	expect(results.flatMap(({wrong}) => wrong)).toEqual([]);
	expect(results.reduce((sum, {looks}) => sum + looks, 0)).toBeGreaterThan((100 / 52) * results.length);
});
