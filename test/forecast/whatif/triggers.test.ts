import {expect, test} from 'vitest';
import {defaultSettings} from '../../../src/core/model/versionProfile.ts';
import {minute, second} from '../../../src/core/time/instant.ts';
import {Forecaster} from '../../../src/forecast/forecaster.ts';
import {finish} from '../../../src/forecast/pausable.ts';
import type {Change} from '../../../src/forecast/simulate/change.ts';
import {triggersOf} from '../../../src/forecast/whatif/triggers.ts';
import {aCondition, aLease, aNode, aPod, inZone, tolerates} from '../../support/builders.ts';

const now = 60 * minute;
const down = ['a-0', 'a-1', 'a-2'];
const up = ['a-3'];

test('what would release pods that are held, or change that, is played', () => {
	const names = [...down, ...up, 'b-0', 'b-1'];
	const isDown = (name: string) => down.includes(name);
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
	expect(pods.filter(({verdict}) => verdict === 'Held')).toHaveLength(3);
	const nodesOf = (zone: string) => (zone === 'eu/a' ? {down, up} : {down: [], up: ['b-0', 'b-1']});
	const ask = (changes: readonly Change[]) => forecaster.whatIfInSteps(changes, now);
	const [held] = finish(triggersOf(zones, pods, nodesOf, now, ask));
	expect(held?.zone).toBe('eu/a');
	const seen = held?.triggers.map(({what, first, added}) => ({
		what,
		added,
		earliest: first && Math.round((first.earliest - now) / second),
	}));
	expect(seen?.map(({what}) => what)).toEqual([
		'one node back',
		'one more lost',
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
