import {expect, test} from 'vitest';
import {minute, second} from '../../../src/core/time/instant.ts';
import {finish} from '../../../src/forecast/pausable.ts';
import type {Change} from '../../../src/forecast/simulate/change.ts';
import {addedBy, triggersOf, zonesHolding} from '../../../src/forecast/whatif/triggers.ts';
import {aForecaster} from '../../support/aForecaster.ts';
import {aCondition, aLease, aNode, aPod, inZone, tolerates} from '../../support/builders.ts';

const now = 60 * minute;
const names = ['a-0', 'a-1', 'a-2', 'a-3', 'b-0', 'b-1'];

/** The triggers that would release the held pods of zones while some nodes are down, each with a pod. */
function triggersWhile(isDown: (name: string) => boolean, asked: readonly string[] = []) {
	const forecaster = aForecaster(
		{},
		{
			observedAt: now,
			kubernetesVersion: 'v1.36.3',
			nodes: names.map((name) => {
				const ready = isDown(name)
					? aCondition('Ready', 'Unknown', {lastTransitionTime: now - minute})
					: aCondition('Ready', 'True', {lastHeartbeatTime: now - minute});
				return aNode(name, {labels: inZone(name.slice(0, 1)), conditions: [ready]});
			}),
			leases: names.map((name) => aLease(name, isDown(name) ? now - 2 * minute : now - 3 * second)),
			pods: names.map((name) =>
				aPod(`pod-${name}`, {
					nodeName: name,
					tolerations: [tolerates('node.kubernetes.io/unreachable', 300)],
				}),
			),
		},
	);
	const {zones, pods} = forecaster.forecast(now);
	const nodesOf = (zone: string) => {
		const own = names.filter((name) => zone === `eu/${name.slice(0, 1)}`);
		const [down, up] = [own.filter(isDown), own.filter((name) => !isDown(name))];
		const returning = asked.length > 0 ? asked : down.slice(0, 1);
		return {down, up, returning, unread: up};
	};
	const ask = (changes: readonly Change[]) => forecaster.whatIfInSteps(changes, now);
	const waiting = pods.filter(({verdict}) => verdict === 'Held').length;
	return {waiting, held: finish(triggersOf(zonesHolding({zones, pods}), pods, nodesOf, now, ask))};
}

test('what would release pods that are held, or change that, is played', () => {
	const {
		waiting,
		held: [held],
	} = triggersWhile((name) => ['a-0', 'a-1', 'a-2'].includes(name));
	expect(waiting).toBe(3);
	expect(held?.zone).toBe('eu/a');
	const seen = held?.triggers.map((trigger) => {
		const evictions = addedBy(trigger).flatMap(({eviction}) => eviction?.earliest ?? []);
		const earliest = Math.round((Math.min(...evictions) - now) / second);
		return {what: trigger.what, added: evictions.length, earliest, unread: trigger.unread};
	});
	expect(seen?.map(({what}) => what)).toEqual([
		'a-0 recovers',
		'a-3 fails too',
		'a new controller manager starts',
	]);
	// Two nodes keep waiting; the drained bucket has its first token ten seconds after the pass that sees the return.
	expect(seen?.[0]).toMatchObject({added: 2});
	expect(seen?.[0]?.earliest).toBeGreaterThanOrEqual(308);
	expect(seen?.[0]?.earliest).toBeLessThanOrEqual(316);
	// A zone without a ready node is not exempt: its last node is detected after the grace period.
	expect(seen?.[1]).toMatchObject({added: 4, unread: ['a-3']});
	expect(seen?.[0]?.unread).toEqual([]);
	expect(seen?.[1]?.earliest).toBeGreaterThan(340);
});

test('a node that comes back while all zones are down releases the pods of the others, which are counted', () => {
	const {waiting, held} = triggersWhile(() => true);
	expect(waiting).toBe(names.length);
	const ofBack = held.map(({zone, triggers: [back]}) => [zone, back?.what, back && addedBy(back).length]);
	// With one of four nodes back its zone stays stopped; one of two is enough for evictions to resume.
	expect(ofBack).toEqual([
		['eu/a', 'a-0 recovers', 2],
		['eu/b', 'b-0 recovers', 5],
	]);
});

test('the returns of several nodes are played, each by itself', () => {
	const isDown = (name: string) => ['a-0', 'a-1', 'a-2'].includes(name);
	const [held] = triggersWhile(isDown, ['a-2', 'a-0']).held;
	expect(held?.triggers.map(({what}) => what).slice(0, 2)).toEqual(['a-2 recovers', 'a-0 recovers']);
});
