import {expect, test} from 'vitest';
import {defaultSettings} from '../../../src/core/model/versionProfile.ts';
import {minute, second} from '../../../src/core/time/instant.ts';
import {Forecaster} from '../../../src/forecast/forecaster.ts';
import {finish} from '../../../src/forecast/pausable.ts';
import type {Change} from '../../../src/forecast/simulate/change.ts';
import {triggersOf} from '../../../src/forecast/whatif/triggers.ts';
import {aCondition, aLease, aNode, aPod, inZone, tolerates} from '../../support/builders.ts';

const now = 60 * minute;
const names = ['a-0', 'a-1', 'a-2', 'a-3', 'b-0', 'b-1'];

/** What would release the pods of zones that are held while some nodes are down, each with a pod. */
function triggersWhile(isDown: (name: string) => boolean) {
	const forecaster = new Forecaster(defaultSettings);
	forecaster.observeSnapshot({
		...{observedAt: now, source: 'cluster', kubernetesVersion: 'v1.36.3', problems: []},
		nodes: names.map((name) => {
			const ready = isDown(name)
				? aCondition('Ready', 'Unknown', {lastTransitionTime: now - minute})
				: aCondition('Ready', 'True', {lastHeartbeatTime: now - minute});
			return aNode(name, {labels: inZone(name.slice(0, 1)), conditions: [ready]});
		}),
		leases: names.map((name) => aLease(name, isDown(name) ? now - 2 * minute : now - 3 * second)),
		pods: names.map((name) =>
			aPod(`pod-${name}`, {nodeName: name, tolerations: [tolerates('node.kubernetes.io/unreachable', 300)]}),
		),
	});
	const {zones, pods} = forecaster.forecast(now);
	const nodesOf = (zone: string) => {
		const own = names.filter((name) => zone === `eu/${name.slice(0, 1)}`);
		return {down: own.filter(isDown), up: own.filter((name) => !isDown(name))};
	};
	const ask = (changes: readonly Change[]) => forecaster.whatIfInSteps(changes, now);
	const waiting = pods.filter(({verdict}) => verdict === 'Held').length;
	return {waiting, held: finish(triggersOf(zones, pods, nodesOf, now, ask))};
}

test('what would release pods that are held, or change that, is played', () => {
	const {
		waiting,
		held: [held],
	} = triggersWhile((name) => ['a-0', 'a-1', 'a-2'].includes(name));
	expect(waiting).toBe(3);
	expect(held?.zone).toBe('eu/a');
	const seen = held?.triggers.map(({what, first, added}) => ({
		what,
		added,
		earliest: first && Math.round((first.earliest - now) / second),
	}));
	expect(seen?.map(({what}) => what)).toEqual([
		'one node back (a-0)',
		'one more lost (a-3)',
		'a controller manager starts anew',
	]);
	// Two nodes go on waiting; the drained bucket holds its first token ten seconds after the pass that sees the return.
	expect(seen?.[0]).toMatchObject({added: 2});
	expect(seen?.[0]?.earliest).toBeGreaterThanOrEqual(308);
	expect(seen?.[0]?.earliest).toBeLessThanOrEqual(316);
	// A zone without a ready node is not spared: its last one takes the grace period to be found out.
	expect(seen?.[1]).toMatchObject({added: 4});
	expect(seen?.[1]?.earliest).toBeGreaterThan(340);
});

test('a node that comes back while all zones are down releases the pods of the others, which are counted', () => {
	const {waiting, held} = triggersWhile(() => true);
	expect(waiting).toBe(names.length);
	const ofBack = held.map(({zone, triggers: [back]}) => [zone, back?.what, back?.added]);
	// One of four nodes leaves its own zone stopped; one of two is enough for it to go on.
	expect(ofBack).toEqual([
		['eu/a', 'one node back (a-0)', 2],
		['eu/b', 'one node back (b-0)', 5],
	]);
	expect(held[0]?.triggers[0]?.first).not.toBeNull();
});
