import {expect, test} from 'vitest';
import {defaultSettings} from '../../../src/core/model/versionProfile.ts';
import {finish} from '../../../src/forecast/pausable.ts';
import type {RecoveryProbe} from '../../../src/forecast/whatif/recoveryProbe.ts';
import {otherRemedies} from '../../../src/forecast/whatif/remedy.ts';
import {rescuesInSteps} from '../../../src/forecast/whatif/rescues.ts';
import {aForecast, aPodForecast, now} from '../../print/forecasts.ts';
import {aPod} from '../../support/builders.ts';

/** The pods of which anything is told, where no pod itself is known. */
function rescued(wanted?: ReadonlySet<string>): readonly string[] {
	const pods = [
		aPodForecast({name: 'going', uid: 'going'}),
		aPodForecast({name: 'overdue', uid: 'overdue', verdict: 'Overdue'}),
		aPodForecast({name: 'orphan', uid: 'orphan', cause: {kind: 'NodeDeleted'}}),
		aPodForecast({name: 'well', uid: 'well', verdict: 'Safe', eviction: null, cause: null}),
		aPodForecast({name: 'late', uid: 'late', cause: null}),
	];
	const rescuer = {
		settings: defaultSettings,
		podOf: () => undefined,
		whatIfInSteps: () => {
			throw new Error('nothing is played');
		},
		// biome-ignore lint/correctness/useYield: it has nothing to wait for.
		*recoveryProbeInSteps() {
			return {} as RecoveryProbe;
		},
	};
	const found = finish(rescuesInSteps(rescuer, {forecast: aForecast({pods}), pressure: []}, wanted));
	return found.map(({forecast}) => forecast.name);
}

test('of pods that are to go something can still be done, unless they are overdue or their node is gone', () => {
	expect(rescued()).toEqual(['going', 'late']);
	expect(rescued(new Set(['late', 'overdue', 'orphan', 'well']))).toEqual(['late']);
});

test('what only makes a pod Held does not save it: it is evicted once evictions resume', () => {
	const before = aPodForecast();
	const pod = {...aPod(before.name), namespace: before.namespace, nodeName: before.node};
	const effectsOf = (verdict: 'Held' | 'Safe') => {
		const after = {...before, verdict, eviction: null} as const;
		const changed = {
			...{before, after, effect: 'avoided', shift: null},
			endings: {before: [], after: []},
		} as const;
		// biome-ignore lint/correctness/useYield: it has nothing to wait for.
		function* ask() {
			return {at: now, changes: [], pods: [changed], zones: []};
		}
		return finish(otherRemedies(pod, before, ['node.kubernetes.io/unreachable'], now, ask)).map(
			({effect, eviction}) => ({effect, eviction}),
		);
	};
	expect(new Set(effectsOf('Held').map(({effect}) => effect))).toEqual(new Set(['Delays']));
	expect(new Set(effectsOf('Safe').map(({effect}) => effect))).toEqual(new Set(['Saves']));
});
