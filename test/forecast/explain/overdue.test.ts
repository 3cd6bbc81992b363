import {expect, test} from 'vitest';
import {taintUnreachable} from '../../../src/core/model/taint.ts';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {second} from '../../../src/core/time/instant.ts';
import {aForecaster} from '../../support/aForecaster.ts';
import {aCondition, aLeader, aLease, aNode, aPod, aTaint, tolerates} from '../../support/builders.ts';
import {feed} from '../../support/feed.ts';
import {lookAt, namesOf, reasonOf, stepOf} from './scene.ts';

const now = 400 * second;
const leader = aLeader(now, -3600 * second);

/** A node that was tainted at 60 s, and a pod that tolerates that for 300 s and still exists at 400 s. */
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
			/^The pod was due at 00:06:01Z, 300s after the taint .*, but was not deleted\.$/,
		),
	});
	expect(namesOf(explanation, 'MayPrevent')).toEqual(['Overdue', 'DeletionDenied', 'ControllerDisabled']);
	const {what, rule, at} = reasonOf(explanation, 'Overdue');
	expect(what).toBe('its countdown ended, but it was not deleted');
	expect(at).toMatchObject({latest: 361.2 * second});
	expect(rule).toMatch(
		/tries five times, .* only a change of the taints or of its tolerations, or a restart/,
	);
	expect(stepOf(explanation, /was due to be deleted, and was not/).at).toMatchObject({
		latest: 361.2 * second,
	});
});

test('Overdue: when the controller made its five tries', () => {
	const tries = (at: number) =>
		reasonOf(lookAt(overdue, at)(target), 'Overdue').evidence.find(({field}) => field === 'five tries');
	// Fifteen calls, 50 ms apart for a client with 20 calls per second, and four pauses.
	const value = '1970-01-01T00:06:01.200Z/1970-01-01T00:06:01.990Z';
	expect(tries(now)).toEqual({
		object: 'controller',
		field: 'five tries',
		value,
		note: expect.stringMatching(/^the last of them has failed/),
	});
});

test('DeletionDenied: a webhook may be behind it', () => {
	const explanation = lookAt(overdue, now)(target);
	expect(reasonOf(explanation, 'DeletionDenied').what).toMatch(/^an admission webhook may have denied/);
});

test('DeletionDenied: a status that says DisruptionTarget shows that the controller tried', () => {
	const pods = overdue.pods.map((pod) => ({...pod, isDisruptionTarget: true, evictedAt: 361 * second}));
	const explanation = lookAt({...overdue, pods, kubernetesVersion: 'v1.31.2'}, now)(target);
	expect(namesOf(explanation, 'MayPrevent')).toEqual(['Overdue', 'DeletionDenied']);
	const {what, at, evidence} = reasonOf(explanation, 'DeletionDenied');
	expect(at).toBe(361 * second);
	expect(what).toMatch(
		/^the controller tried to delete it and was refused, most likely by an admission webhook/,
	);
	expect(evidence[0]).toMatchObject({object: 'pod/shop/web', value: '1970-01-01T00:06:01Z'});
});

test('ControllerDisabled: perhaps nobody evicts pods at all', () => {
	const explanation = lookAt(overdue, now)(target);
	expect(reasonOf(explanation, 'ControllerDisabled')).toMatchObject({
		effect: 'MayPrevent',
		rule: 'controllers=-taint-eviction-controller',
	});
});

test.for([
	{name: 'the taints of its node', change: 'taints'},
	{name: 'its tolerations', change: 'tolerations'},
] as const)('Overdue: a change of $name arms it again', ({change}) => {
	const [node] = overdue.nodes;
	const [pod] = overdue.pods;
	if (!node || !pod) throw new Error('the scene has a node and a pod');
	const other = {...pod, tolerations: [...pod.tolerations, tolerates('example.com/maintenance', 300)]};
	const pods = [change === 'taints' ? other : pod];
	const forecaster = aForecaster(settingsFor('v1.36.3'), {
		...overdue,
		pods,
		observedAt: now,
		source: 'file',
		problems: [],
	});
	expect(forecaster.forecast(now).pods[0]?.verdict).toBe('Overdue');
	const seen = now + 5 * second;
	const taints = [...node.taints, aTaint('example.com/maintenance')];
	feed(
		forecaster,
		[change === 'taints' ? {type: 'nodeApplied', node: {...node, taints}} : {type: 'podApplied', pod: other}],
		seen,
	);
	const {verdict, eviction} = forecaster.forecast(seen + second).pods[0] ?? {};
	expect(verdict).toBe('Scheduled');
	expect(eviction?.earliest).toBeGreaterThanOrEqual(seen + 299 * second);
	expect(eviction?.latest).toBeLessThanOrEqual(seen + 301 * second);
});

test('Overdue: what waits in the line of a throttled client is not given up yet, and keeps its countdown', () => {
	const [node] = overdue.nodes;
	const [pod] = overdue.pods;
	if (!node || !pod) throw new Error('the scene has a node and a pod');
	const many = Array.from({length: 300}, (_, index) => ({...pod, name: `web-${index}`, uid: `uid-${index}`}));
	const soon = 370 * second;
	const leases = [aLease('n1', 5 * second), aLease('n2', soon), {...leader, renewTime: soon}];
	const forecaster = aForecaster(settingsFor('v1.36.3'), {
		...overdue,
		pods: many,
		leases,
		observedAt: soon,
		source: 'file',
		problems: [],
	});
	const other = {
		...pod,
		name: 'web-0',
		uid: 'uid-0',
		tolerations: [...pod.tolerations, tolerates('example.com/maintenance', 300)],
	};
	feed(forecaster, [{type: 'podApplied', pod: other}], soon + second);
	const {verdict, eviction} = forecaster.forecast(soon + second).pods[0] ?? {};
	expect(verdict).toBe('Scheduled');
	expect(eviction?.latest).toBeLessThan(soon + 120 * second);
});
