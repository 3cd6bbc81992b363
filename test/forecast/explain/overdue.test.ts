import {expect, test} from 'vitest';
import type {Lease} from '../../../src/core/model/lease.ts';
import {taintUnreachable} from '../../../src/core/model/taint.ts';
import {second} from '../../../src/core/time/instant.ts';
import {aCondition, aLease, aNode, aPod, aTaint, tolerates} from '../../support/builders.ts';
import {lookAt, namesOf, reasonOf, stepOf} from './scene.ts';

const now = 400 * second;
const leader: Lease = {
	namespace: 'kube-system',
	name: 'kube-controller-manager',
	holderIdentity: 'cp-1',
	leaseDuration: 15 * second,
	acquireTime: -3600 * second,
	renewTime: now,
};

/** A node that was tainted at 60 s, and a pod that tolerates that for 300 s and is still there at 400 s. */
const overdue = {
	nodes: [
		aNode('n1', {
			conditions: [aCondition('Ready', 'Unknown', {lastTransitionTime: 60 * second})],
			taints: [aTaint(taintUnreachable, {timeAdded: 60 * second})],
		}),
		aNode('n2'),
	],
	pods: [aPod('web', {tolerations: [tolerates(taintUnreachable, 300)], readyChangedAt: 60 * second})],
	leases: [aLease('n1', 5 * second), aLease('n2', now), leader],
};

const target = {kind: 'pod', namespace: 'shop', name: 'web'} as const;

test('Overdue: since when, and what arms it again', () => {
	const explanation = lookAt({...overdue, kubernetesVersion: 'v1.36.3'}, now)(target);
	expect(explanation).toMatchObject({
		verdict: 'Overdue',
		summary: expect.stringMatching(
			/^The pod was due at 00:06:01Z, 300s after the taint .*, but its deletion was not asked for\.$/,
		),
	});
	expect(namesOf(explanation, 'MayPrevent')).toEqual(['Overdue', 'DeletionDenied']);
	const {what, rule, at} = reasonOf(explanation, 'Overdue');
	expect(what).toBe('its countdown ended, at the latest 39s ago, and its deletion was not asked for');
	expect(at).toMatchObject({latest: 361.2 * second});
	expect(rule).toMatch(
		/tries five times, .* only a change of the taints or of its tolerations, or a restart/,
	);
	expect(stepOf(explanation, /was due, and was not asked for/).at).toMatchObject({latest: 361.2 * second});
});

test('DeletionDenied: a webhook may be behind it', () => {
	const explanation = lookAt(overdue, now)(target);
	expect(reasonOf(explanation, 'DeletionDenied').what).toMatch(/^an admission webhook may have denied/);
});

test.for([
	{version: 'v1.31.2', isPossible: true},
	{version: 'v1.32.13', isPossible: true},
	{version: 'v1.33.0', isPossible: false},
	{version: undefined, isPossible: true},
])('LeftoverKey: with $version possible $isPossible, never proven', ({version, isPossible}) => {
	const seen = version === undefined ? overdue : {...overdue, kubernetesVersion: version};
	const explanation = lookAt(seen, now)(target);
	expect(namesOf(explanation, 'MayPrevent').includes('LeftoverKey')).toBe(isPossible);
	if (isPossible) expect(reasonOf(explanation, 'LeftoverKey').what).toContain('never provable from outside');
});

test('ControllerDown: where its lease cannot be seen, perhaps none runs', () => {
	const leases = overdue.leases.filter((lease) => lease !== leader);
	const explanation = lookAt({...overdue, leases}, now)(target);
	expect(reasonOf(explanation, 'ControllerDown').effect).toBe('MayPrevent');
});
