import {expect, test} from 'vitest';
import {type OutageOptions, outageOf} from '../support/outages.ts';
import {runShadow} from '../support/shadowRun.ts';

const outages = Number(process.env['EVICTWATCH_OUTAGES'] ?? 6);
const seeds = Array.from({length: outages}, (_, index) => index + 1);

/** Reasons that name what a scenario does: they are true. */
const played = ['ControllerRestarted', 'ControllerDown', 'ForeignTaint'];

test.for<{name: string; options: OutageOptions}>([
	{name: 'outages of nodes alone', options: {}},
	{name: 'outages with taints that users set', options: {hasUserTaints: true}},
	{name: 'outages with a restart', options: {hasRestart: true}},
	{name: 'outages through a throttled client', options: {isThrottled: true}},
])('with the right settings nothing diverges in $name', {timeout: 120_000}, ({options}) => {
	let matches = 0;
	const wrong = seeds.flatMap((seed) => {
		const run = runShadow(outageOf(seed, options).scenario, {seed});
		matches += run.matches.length;
		return run.divergences
			.filter(({reason}) => !played.includes(reason))
			.map((one) => `seed ${seed} ${JSON.stringify(one)}`);
	});
	expect(wrong).toEqual([]);
	expect(matches).toBeGreaterThan(seeds.length);
});
