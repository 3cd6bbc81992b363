import {expect, test} from 'vitest';
import {evictionSettings} from '../../../../src/core/nodepressure/thresholds/evictionSettings.ts';
import {second} from '../../../../src/core/time/instant.ts';
import {followingHypotheses, type TimedKill} from '../../../../src/forecast/pressure/simulate/following.ts';
import {likely, type PressureHypothesis} from '../../../../src/forecast/pressure/simulate/hypotheses.ts';
import type {PressureSituation} from '../../../../src/forecast/pressure/situation.ts';

test.for([
	{most: 0, endings: [1, 3, 6]},
	{most: 5, endings: [1, 3, 6]},
	{most: 30, endings: [1, 3, 6, 30]},
])('of pods that get $most s to end, some are tried to take all of it', ({most, endings}) => {
	const settings = evictionSettings({evictionMaxPodGracePeriod: most});
	const all = [{course: 'steepest', share: likely}] as unknown as readonly PressureHypothesis[];
	// Evicted for their own limits, so that no other pod may be first.
	const kill = {at: 0, kill: {signal: 'emptydirfs.limit', pod: {uid: 'any'}}} as unknown as TimedKill;
	const tried = followingHypotheses(all, [[kill, kill]], {settings} as PressureSituation);
	const found = new Set(tried.map(({ending = 0}) => ending / second));
	expect([...found]).toEqual(endings);
});
