import {describe, expect, test} from 'vitest';
import type {Pod} from '../../../../src/core/model/pod.ts';
import {settingsFor} from '../../../../src/core/model/versionProfile.ts';
import {second} from '../../../../src/core/time/instant.ts';
import {Forecaster} from '../../../../src/forecast/forecaster.ts';
import {
	countdownsSince,
	referencePodsAmong,
	usedSince,
} from '../../../../src/forecast/observe/countdowns/referencePods.ts';
import {aCondition, aLease, aNode, aPod, aTaint, longAgo, tolerates} from '../../../support/builders.ts';

const now = 500 * second;
const maintenance = aTaint('maintenance');

const since = (...pods: Pod[]) =>
	(countdownsSince([maintenance], referencePodsAmong(pods, now), false) - now) / second;

describe('the countdowns of a node cannot have started', () => {
	test('so early that one of a pod that is still there would have run out', () => {
		expect(since(aPod('a', {tolerations: [tolerates('maintenance', 30)]}))).toBeCloseTo(-30.2);
	});

	test('before a pod went that does not tolerate the taint', () => {
		expect(since(aPod('a', {evictedAt: now - 8 * second}))).toBeCloseTo(-8.2);
	});

	test('before a pod was deleted by somebody else that does not tolerate the taint', () => {
		const deleted = {deletionTimestamp: now + 20 * second, deletionGracePeriodSeconds: 30};
		expect(since(aPod('a', deleted))).toBeCloseTo(-10.2);
	});

	test('a pod that came later tells nothing', () => {
		const young = {tolerations: [tolerates('maintenance', 30)], createdAt: now - 20 * second};
		expect(since(aPod('a', young))).toBe(Number.NEGATIVE_INFINITY);
	});

	test('a pod that tolerates the taint for ever, or that the kubelet only mirrors, tells nothing', () => {
		expect(since(aPod('a', {tolerations: [tolerates('maintenance')]}))).toBe(Number.NEGATIVE_INFINITY);
		expect(since(aPod('a', {isMirror: true}))).toBe(Number.NEGATIVE_INFINITY);
	});
});

describe('an earlier countdown by a toleration', () => {
	const repair = tolerates('repair', 60);
	const pod = aPod('p', {tolerations: [tolerates('maintenance', 300), repair]});
	const usedBy = (...others: Pod[]) =>
		usedSince(repair, pod, referencePodsAmong([pod, ...others], now), longAgo + 5 * second, false);

	test('may have begun at any time where all pods tolerate the same', () => {
		expect(usedBy(aPod('q', {tolerations: [repair]}))).toBe(longAgo + 5 * second);
	});

	test('has not begun while a pod was there that does not tolerate that taint', () => {
		expect(usedBy(aPod('q', {tolerations: [tolerates('maintenance', 300)]}))).toBe(now - 0.2 * second);
		expect(usedBy(aPod('q', {evictedAt: now - 90 * second}))).toBe(now - 90.2 * second);
	});

	test('may be ruled out by no pod where values are compared: which ones are tolerated is not tried', () => {
		const compared = {...repair, operator: 'Gt', value: '5'};
		expect(usedBy(aPod('q', {tolerations: [compared]}))).toBe(longAgo + 5 * second);
	});

	test('by a toleration of every key is ruled out by a pod that tolerates but one', () => {
		const any = {key: '', operator: 'Exists', value: '', effect: 'NoExecute', tolerationSeconds: 25};
		const tolerant = aPod('p', {tolerations: [tolerates('maintenance', 80), any]});
		const modest = aPod('q', {tolerations: [tolerates('maintenance', 30)]});
		const from = longAgo + 5 * second;
		const [alone, beside] = [[tolerant], [tolerant, modest]].map((pods) =>
			usedSince(any, tolerant, referencePodsAmong(pods, now), from, false),
		);
		expect(alone).toBe(from);
		expect(beside).toBe(now - 0.2 * second);
	});
});

test('a pod that was evicted narrows the ranges of those that stay behind', () => {
	const widthBeside = (...others: Pod[]) => {
		const stays = aPod('stays', {tolerations: [tolerates('maintenance', 80)]});
		const forecaster = new Forecaster(settingsFor('v1.36.3'));
		forecaster.observeSnapshot({
			observedAt: now,
			source: 'cluster',
			nodes: [aNode('n1', {taints: [maintenance]}), aNode('n2')],
			pods: [stays, ...others],
			leases: ['n1', 'n2'].map((name) => aLease(name, now - second)),
			problems: [],
		});
		const range = forecaster.forecast(now).pods.find(({name}) => name === 'stays')?.eviction;
		return ((range?.latest ?? Number.POSITIVE_INFINITY) - (range?.earliest ?? 0)) / second;
	};
	expect(widthBeside()).toBeGreaterThan(80);
	expect(widthBeside(aPod('gone', {evictedAt: now - 8 * second}))).toBeLessThan(9);
});

test('a pod that was evicted before the taint was added tells that there was a taint before, whose countdowns run on', () => {
	const unreachable = 'node.kubernetes.io/unreachable';
	const earliestBeside = (...others: Pod[]) => {
		const node = aNode('n1', {
			taints: [aTaint(unreachable, {timeAdded: now - 20 * second})],
			conditions: [aCondition('Ready', 'Unknown', {lastTransitionTime: now - 280 * second})],
		});
		const pod = (name: string, fields: Partial<Pod>) =>
			aPod(name, {ready: 'False', readyChangedAt: now - 280 * second, ...fields});
		const forecaster = new Forecaster(settingsFor('v1.36.3'));
		forecaster.observeSnapshot({
			observedAt: now,
			source: 'cluster',
			nodes: [node, aNode('n2')],
			pods: [
				pod('stays', {tolerations: [tolerates(unreachable, 300)]}),
				...others.map((one) => pod(one.name, one)),
			],
			leases: [aLease('n1', now - 330 * second), aLease('n2', now - second)],
			problems: [],
		});
		const range = forecaster.forecast(now).pods.find(({name}) => name === 'stays')?.eviction;
		return ((range?.earliest ?? 0) - now) / second;
	};
	expect(earliestBeside()).toBeGreaterThan(279);
	// It tolerates nothing: until then, the node had no taint.
	const range = earliestBeside(aPod('gone', {evictedAt: now - 250 * second}));
	expect(range).toBeLessThan(50);
	expect(range).toBeGreaterThan(49);
	// One that tolerates the taint went by a countdown, which began as the node turned Unknown at the earliest.
	const tolerating = {tolerations: [tolerates(unreachable, 25)]};
	expect(earliestBeside(aPod('gone', {evictedAt: now - 250 * second, ...tolerating}))).toBeLessThan(21);
});
