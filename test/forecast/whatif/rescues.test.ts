import {expect, test} from 'vitest';
import {defaultSettings} from '../../../src/core/model/versionProfile.ts';
import type {Instant} from '../../../src/core/time/instant.ts';
import type {NodeForecast} from '../../../src/forecast/nodeForecast.ts';
import {finish, type Pausable} from '../../../src/forecast/pausable.ts';
import type {Change} from '../../../src/forecast/simulate/change.ts';
import type {RecoveryProbe} from '../../../src/forecast/whatif/recoveryProbe.ts';
import {otherRemedies} from '../../../src/forecast/whatif/remedy.ts';
import {rescuesInSteps} from '../../../src/forecast/whatif/rescues.ts';
import type {WhatIf} from '../../../src/forecast/whatif/whatIf.ts';
import {aForecast, aNodeForecast, aPodForecast, now} from '../../print/forecasts.ts';
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
		const endings = {before: [], after: []};
		const changed = {before, after, effect: 'avoided', shift: null, endings} as const;
		// biome-ignore lint/correctness/useYield: it has nothing to wait for.
		function* ask() {
			return {at: now, changes: [], pods: [changed], nodes: [], zones: []};
		}
		return finish(otherRemedies(pod, before, ['node.kubernetes.io/unreachable'], now, ask)).map(
			({effect, eviction}) => ({effect, eviction}),
		);
	};
	expect(new Set(effectsOf('Held').map(({effect}) => effect))).toEqual(new Set(['Delays']));
	expect(new Set(effectsOf('Safe').map(({effect}) => effect))).toEqual(new Set(['Saves']));
});

test('of a named pod all that could be done is played, on a node that is not seen as well', () => {
	const played: string[] = [];
	const pods = [aPodForecast({uid: 'wanted'})];
	const remediesOn = (nodes: readonly NodeForecast[]) => {
		const rescuer = {
			settings: defaultSettings,
			podOf: () => aPod('cart-0'),
			*whatIfInSteps(changes: readonly Change[], at: Instant): Pausable<WhatIf> {
				played.push(...changes.map(({type}) => type));
				return {at, changes, pods: [], nodes: [], zones: []};
			},
			// biome-ignore lint/correctness/useYield: it has nothing to wait for.
			*recoveryProbeInSteps() {
				// biome-ignore lint/correctness/useYield: it has nothing to wait for.
				const save = function* () {
					return false;
				};
				return {save} as unknown as RecoveryProbe;
			},
		};
		const scene = {forecast: aForecast({pods, nodes}), pressure: []};
		const [rescue] = finish(rescuesInSteps(rescuer, scene, new Set(['wanted'])));
		return rescue?.remedies.map(({kind}) => kind);
	};
	const tainted = aNodeForecast({taints: ['node.kubernetes.io/unreachable']});
	expect(remediesOn([tainted])).toEqual(['NodeBack', 'Tolerate', 'Untaint', 'StopControllers']);
	expect(remediesOn([])).toEqual(['NodeBack', 'Tolerate', 'StopControllers']);
	expect(played).toEqual(['tolerations', 'untaint', 'controllersDown', 'tolerations', 'controllersDown']);
});
