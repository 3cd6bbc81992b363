import {assert, expect, test} from 'vitest';
import {defaultSettings} from '../../../src/core/model/versionProfile.ts';
import type {Instant} from '../../../src/core/time/instant.ts';
import type {NodeForecast} from '../../../src/forecast/nodeForecast.ts';
import {finish, type Pausable} from '../../../src/forecast/pausable.ts';
import type {PodForecast} from '../../../src/forecast/podForecast.ts';
import {Range} from '../../../src/forecast/range.ts';
import type {Change} from '../../../src/forecast/simulate/change.ts';
import type {RecoveryProbe} from '../../../src/forecast/whatif/recoveryProbe.ts';
import {otherRemedies} from '../../../src/forecast/whatif/remedy.ts';
import {rescuesInSteps} from '../../../src/forecast/whatif/rescues.ts';
import type {WhatIf} from '../../../src/forecast/whatif/whatIf.ts';
import {deadlineWords} from '../../../src/print/whatif/rescueDeadline.ts';
import {aForecast, aNodeForecast, aPodForecast, now} from '../../print/forecasts.ts';
import {aPod} from '../../support/builders.ts';

/** The pods with rescues, if the pods themselves are not known. */
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
		store: {pods: {get: () => undefined}},
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

test("no return is asked for that does not remove a pod's taint, as it is somebody else's", () => {
	const cause = {kind: 'Taint', taint: 'acme.com/maintenance:NoExecute', tolerationSeconds: 60} as const;
	const pods = Array.from({length: 5}, (_, index) =>
		aPodForecast({name: `pod-${index}`, uid: `uid-${index}`, cause}),
	);
	const rescuer = {
		settings: defaultSettings,
		store: {pods: {get: (key: string) => aPod(key)}},
		// biome-ignore lint/correctness/useYield: it has nothing to wait for.
		*whatIfInSteps() {
			return {at: now, changes: [], isControlled: true, pods: [], nodes: [], zones: []};
		},
		*recoveryProbeInSteps(): Pausable<RecoveryProbe> {
			return {save: () => assert.fail('a return is simulated')} as Partial<RecoveryProbe> as RecoveryProbe;
		},
	};
	const rescues = finish(rescuesInSteps(rescuer, {forecast: aForecast({pods}), pressure: []}));
	expect(rescues.map((rescue) => deadlineWords(rescue, now))).toEqual(
		Array(5).fill("no use: its taint is somebody else's"),
	);
});

test('what only makes a pod Held does not save it: it is evicted once evictions resume', () => {
	const before = aPodForecast();
	const pod = {...aPod(before.name), namespace: before.namespace, nodeName: before.node};
	const remediesOf = (verdict: 'Held' | 'Safe', isManaged = false) => {
		const after = {...before, verdict, eviction: null} as const;
		const endings = {before: [], after: []};
		const changed = {before, after, effect: 'avoided', shift: null, endings} as const;
		// biome-ignore lint/correctness/useYield: it has nothing to wait for.
		function* ask() {
			return {at: now, changes: [], isControlled: true, pods: [changed], nodes: [], zones: []};
		}
		return finish(otherRemedies(pod, before, ['node.kubernetes.io/unreachable'], {now, isManaged, ask}));
	};
	expect(new Set(remediesOf('Held').map(({effect}) => effect))).toEqual(new Set(['Delays']));
	expect(new Set(remediesOf('Safe').map(({effect}) => effect))).toEqual(new Set(['Saves']));
	// Nobody can stop the controllers of a managed control plane.
	expect(remediesOf('Safe').map(({kind}) => kind)).toContain('StopControllers');
	expect(remediesOf('Safe', true).map(({kind}) => kind)).not.toContain('StopControllers');
});

test('a toleration may help against a taint, and never against an eviction without taints', () => {
	const before = aPodForecast({verdict: 'Unsure'});
	const pod = {...aPod(before.name), namespace: before.namespace, nodeName: before.node};
	const mayHelp = (cause: PodForecast['cause']) => {
		const endings = {before: [], after: []};
		const changed = {before, after: {...before, cause}, effect: 'unchanged', shift: null, endings} as const;
		// biome-ignore lint/correctness/useYield: it has nothing to wait for.
		function* ask() {
			return {at: now, changes: [], isControlled: true, pods: [changed], nodes: [], zones: []};
		}
		return finish(otherRemedies(pod, before, [], {now, isManaged: true, ask}))[0]?.mayHelp;
	};
	expect(mayHelp(before.cause)).toBe(true);
	expect(mayHelp({kind: 'NodeEviction'})).toBe(false);
});

test('of a named pod all that could be done is played, on a node that is not seen as well', () => {
	const played: string[] = [];
	const pods = [aPodForecast({uid: 'wanted'})];
	const remediesOn = (nodes: readonly NodeForecast[]) => {
		const rescuer = {
			settings: defaultSettings,
			store: {pods: {get: () => aPod('cart-0')}},
			*whatIfInSteps(changes: readonly Change[], at: Instant): Pausable<WhatIf> {
				played.push(...changes.map(({type}) => type));
				return {at, changes, isControlled: true, pods: [], nodes: [], zones: []};
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

test('of more pods than are played, the first of each workload are', () => {
	const podsOf = (workload: string, count: number, seconds: number) =>
		Array.from({length: count}, (_, index) =>
			aPodForecast({
				...{name: `${workload}-${index}`, uid: `${workload}-${index}`, node: `n${index}`},
				owner: {kind: 'StatefulSet', name: workload, uid: workload},
				eviction: new Range(now + seconds * 1000 + index, now + seconds * 1000 + index, null),
			}),
		);
	const pods = [...podsOf('web', 30, 60), ...podsOf('cart', 2, 90)];
	const [played, asked]: [string[], string[]] = [[], []];
	const rescuer = {
		settings: defaultSettings,
		store: {pods: {get: (key: string) => ({...aPod(key.split('/')[1] ?? ''), namespace: 'shop'})}},
		*whatIfInSteps(changes: readonly Change[], at: Instant): Pausable<WhatIf> {
			asked.push(...changes.map(({type}) => type));
			return {at, changes, isControlled: true, pods: [], nodes: [], zones: []};
		},
		// biome-ignore lint/correctness/useYield: it has nothing to wait for.
		*recoveryProbeInSteps() {
			return {
				// biome-ignore lint/correctness/useYield: it has nothing to wait for.
				*save({name}: {readonly name: string}) {
					played.push(name);
					return true;
				},
			} as unknown as RecoveryProbe;
		},
	};
	const found = finish(rescuesInSteps(rescuer, {forecast: aForecast({pods}), pressure: []}));
	expect(found).toHaveLength(32);
	expect(played).toHaveLength(20);
	expect(played).toEqual(expect.arrayContaining(['web-0', 'cart-0']));
	expect(found.find(({forecast}) => forecast.name === 'cart-0')?.remedies).toHaveLength(1);
	// Of one pod, the most urgent, a toleration is simulated too.
	expect(asked).toEqual(['tolerations']);
	expect(found.filter(({remedies}) => remedies.length === 2).map(({forecast}) => forecast.name)).toEqual([
		'web-0',
	]);
});
