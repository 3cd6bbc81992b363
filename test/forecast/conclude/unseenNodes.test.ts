import {expect, test} from 'vitest';
import {exitCodeOf} from '../../../cmd/lists/listings.ts';
import type {Pod} from '../../../src/core/model/pod.ts';
import {taintNotReady, taintUnreachable} from '../../../src/core/model/taint.ts';
import {defaultSettings} from '../../../src/core/model/versionProfile.ts';
import {minute, second} from '../../../src/core/time/instant.ts';
import {Forecaster} from '../../../src/forecast/forecaster.ts';
import {aLease, aNode, aPod, tolerates} from '../../support/builders.ts';
import {feed} from '../../support/feed.ts';

const [marked, now] = [10 * minute, 11 * minute];
const fiveMinutes = [tolerates(taintUnreachable, 300), tolerates(taintNotReady, 300)];

/** The forecasts for pods from a watch that may not read their nodes. */
function forecasts(pods: readonly Pod[], at = now) {
	const forecaster = new Forecaster(defaultSettings);
	feed(
		forecaster,
		pods.map((pod) => ({type: 'podApplied', pod})),
		at,
	);
	return forecaster.forecast(at).pods;
}

test('a marked pod may go once its toleration is over, and nothing says when at the latest', () => {
	const [pod] = forecasts([
		aPod('web', {ready: 'False', markedNotReadyAt: marked, tolerations: fiveMinutes}),
	]);
	expect(pod).toMatchObject({
		verdict: 'Unsure',
		// The taint may precede the mark by the duration of a pass with many pods.
		eviction: {earliest: marked + 300 * second - 30 * second, expected: marked + 300 * second, latest: null},
		cause: {kind: 'Taint', taint: 'node.kubernetes.io/unreachable:NoExecute', tolerationSeconds: 300},
	});
	expect(pod?.because.join('; ')).toContain('marked not ready at');
});

test.for([
	{
		name: 'the shorter of the two tolerations counts',
		pod: {tolerations: [tolerates(taintUnreachable, 300), tolerates(taintNotReady, 100)]},
		expected: marked + 100 * second,
	},
	{
		name: 'what it does not tolerate counts at once',
		pod: {tolerations: [tolerates(taintUnreachable)]},
		expected: now,
	},
	{
		name: 'one tolerated for ever leaves the other',
		pod: {tolerations: [tolerates(taintUnreachable), tolerates(taintNotReady, 300)]},
		expected: marked + 300 * second,
	},
])('$name', ({pod, expected}) => {
	const [forecast] = forecasts([aPod('web', {...pod, ready: 'False', markedNotReadyAt: marked})]);
	expect(forecast?.eviction?.expected).toBe(expected);
});

test('a pod that tolerates both for ever is unsure, without a time: other taints cannot be seen', () => {
	const tolerations = [tolerates(taintUnreachable), tolerates(taintNotReady)];
	const [pod] = forecasts([aPod('web', {tolerations, ready: 'False', markedNotReadyAt: marked})]);
	expect(pod).toMatchObject({verdict: 'Unsure', eviction: null});
});

test('one marked pod says that its node is in trouble, also for a pod that was not ready before', () => {
	const pods = [
		aPod('crashed', {ready: 'False', readyChangedAt: 0, tolerations: fiveMinutes}),
		aPod('web', {ready: 'False', markedNotReadyAt: marked, tolerations: fiveMinutes}),
		aPod('elsewhere', {nodeName: 'n2', ready: 'False', readyChangedAt: 0, tolerations: fiveMinutes}),
	];
	expect(forecasts(pods).map(({eviction}) => eviction?.expected)).toEqual([
		marked + 300 * second,
		marked + 300 * second,
		undefined,
	]);
});

test('of several marks of a node the first tells since when it is in trouble, in whatever order they come', () => {
	const at = (name: string, markedNotReadyAt: number) =>
		aPod(name, {ready: 'False', markedNotReadyAt, tolerations: fiveMinutes});
	const pods = [at('first', marked), at('later', marked + 20 * second)];
	for (const order of [pods, pods.toReversed()])
		expect(forecasts(order).map(({eviction}) => eviction?.expected)).toEqual([
			marked + 300 * second,
			marked + 300 * second,
		]);
});

test('pods on nodes that cannot be seen are never safe, and the exit code is 1', () => {
	const pods = forecasts([
		aPod('web'),
		aPod('going', {deletionTimestamp: now}),
		aPod('waiting', {nodeName: ''}),
	]);
	expect(pods.map(({verdict}) => verdict)).toEqual(['Unsure', 'Terminating', 'Safe']);
	expect(exitCodeOf(pods, [])).toBe(1);
	expect(exitCodeOf([], [{reason: 'NodesForbidden', message: ''}])).toBe(1);
});

test('pods come and go while the nodes cannot be seen', () => {
	const forecaster = new Forecaster(defaultSettings);
	feed(forecaster, [], 0);
	feed(forecaster, [{type: 'podApplied', pod: aPod('a')}], second);
	feed(forecaster, [{type: 'podApplied', pod: aPod('b')}], 2 * second);
	feed(forecaster, [{type: 'podDeleted', namespace: 'shop', name: 'a'}], 3 * second);
	expect(forecaster.forecast(3 * second).pods.map(({name}) => name)).toEqual(['b']);
});

test('the deletion of a pod that was never seen changes nothing', () => {
	const forecaster = new Forecaster(defaultSettings);
	feed(forecaster, [{type: 'nodeApplied', node: aNode('n1')}], 0);
	feed(forecaster, [{type: 'podDeleted', namespace: 'shop', name: 'nobody'}], second);
	expect(forecaster.forecast(second).pods).toEqual([]);
});

test('nodes that may be read later are seen as at a first look', () => {
	const forecaster = new Forecaster(defaultSettings);
	feed(forecaster, [{type: 'podApplied', pod: aPod('web')}], 0);
	feed(
		forecaster,
		[
			{type: 'nodeApplied', node: aNode('n1')},
			{type: 'leaseApplied', lease: aLease('n1', second)},
		],
		second,
	);
	expect(forecaster.forecast(second).pods).toMatchObject([{name: 'web', verdict: 'Safe'}]);
});
