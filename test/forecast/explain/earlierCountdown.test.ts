import {expect, test} from 'vitest';
import type {Node} from '../../../src/core/model/node.ts';
import type {Pod} from '../../../src/core/model/pod.ts';
import {taintNotReady, taintUnreachable} from '../../../src/core/model/taint.ts';
import type {Toleration} from '../../../src/core/model/toleration.ts';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {type Instant, minute, second} from '../../../src/core/time/instant.ts';
import {aForecaster} from '../../support/aForecaster.ts';
import {aCondition, aLeader, aLease, aNode, aPod, aTaint, tolerates} from '../../support/builders.ts';

const now = 100 * second;

/** A node that was tainted at 60 s, in the pass that set it to Unknown; its pod was marked not ready then, or long before. */
function forecastOf(notReadySince: number) {
	const unknown = aCondition('Ready', 'Unknown', {lastTransitionTime: 60 * second});
	const taints = [aTaint(taintUnreachable, {timeAdded: 60 * second})];
	const tolerations = [tolerates(taintUnreachable, 300), tolerates('node.kubernetes.io/not-ready', 300)];
	const forecaster = aForecaster(settingsFor('v1.36.3'), {
		observedAt: now,
		source: 'file',
		nodes: [aNode('n1', {conditions: [unknown], taints}), aNode('n2')],
		pods: [aPod('web', {nodeName: 'n1', tolerations, ready: 'False', readyChangedAt: notReadySince})],
		leases: [aLease('n1', 5 * second), aLease('n2', now)],
	});
	return forecaster.forecast(now).pods[0];
}

const countdown = /^(at|between) .* the pod's countdown of 300s began/;

test('because says that a range is wide since an earlier countdown may still run', () => {
	const pod = forecastOf(20 * second);
	const {earliest = 0, latest = 0} = pod?.eviction ?? {};
	expect((latest ?? 0) - earliest).toBeGreaterThan(20 * second);
	const sentence = pod?.because.find((one) => countdown.test(one));
	const ends = new Date(Math.floor((earliest + 200) / second) * second).toISOString().slice(11, 19);
	expect(sentence).toMatch(
		new RegExp(`, unless an earlier one still runs, which ends at ${ends}Z or later$`),
	);
});

const startedAt = 65 * second;

/** The earliest eviction of a pod of n1, by one list after new controllers took over. */
function earliestAfterTakeover(
	n1: Node,
	readySince: Instant,
	tolerations: readonly Toleration[],
	{markedAt = 20 * second, others = []}: {markedAt?: Instant; others?: readonly Pod[]} = {},
): Instant {
	const ready = aCondition('Ready', 'True', {lastTransitionTime: readySince});
	const forecaster = aForecaster(settingsFor('v1.36.3'), {
		observedAt: now,
		source: 'file',
		nodes: [n1, aNode('n2', {conditions: [ready]})],
		pods: [...others, aPod('web', {nodeName: 'n1', tolerations, ready: 'False', readyChangedAt: markedAt})],
		leases: [aLease('n1', -31 * second), aLease('n2', now), aLeader(now - second, startedAt)],
	});
	return forecaster.forecast(now).pods.find(({name}) => name === 'web')?.eviction?.earliest ?? 0;
}

test('where new controllers found all nodes down, their first pass may have begun the countdown already', () => {
	const unknown = aCondition('Ready', 'Unknown', {lastTransitionTime: 20 * second});
	const taints = [aTaint(taintUnreachable, {timeAdded: 80 * second})];
	const n1 = aNode('n1', {conditions: [unknown], taints});
	const earliest = (returnedAt: Instant, others: readonly Pod[] = []) =>
		earliestAfterTakeover(n1, returnedAt, [tolerates(taintUnreachable, 300)], {others});
	expect(earliest(75 * second)).toBeLessThanOrEqual(startedAt + 301 * second);
	// A pod that still exists, though it tolerates the taint only for seconds, shows that the taint came later.
	const tolerations = [tolerates(taintUnreachable, 25)];
	const brief = aPod('brief', {nodeName: 'n1', tolerations, ready: 'False', readyChangedAt: 20 * second});
	expect(earliest(75 * second, [brief])).toBeGreaterThan(374 * second);
	// A pod that may have a longer countdown, for the opposite taint, proves nothing.
	const longer = [...tolerations, tolerates(taintNotReady, 300)];
	const held = {...brief, name: 'held', uid: 'held', tolerations: longer};
	expect(earliest(75 * second, [held])).toBeLessThanOrEqual(startedAt + 301 * second);
	// With another node that was ready by then, its zone's queue was in the same state as now.
	expect(earliest(10 * second)).toBeGreaterThan(379 * second);
});

test('the first pass of new controllers may have swapped the taint of a node that came back, not ready, while none ran', () => {
	const notReady = aCondition('Ready', 'False', {lastTransitionTime: 60 * second});
	const noPressure = aCondition('MemoryPressure', 'False', {lastTransitionTime: -minute});
	const taints = [aTaint(taintNotReady, {timeAdded: 80 * second})];
	const n1 = aNode('n1', {conditions: [notReady, noPressure], taints});
	const earliest = (markedAt: Instant) =>
		earliestAfterTakeover(
			n1,
			-minute,
			[taintNotReady, taintUnreachable].map((key) => tolerates(key, 300)),
			{markedAt},
		);
	expect(earliest(20 * second)).toBeLessThanOrEqual(startedAt + 301 * second);
	// It was ready until then, and had no taint.
	expect(earliest(60 * second)).toBeGreaterThan(379 * second);
});

test('new controllers may have found a taint that nobody took off while none ran', () => {
	const earliest = (readySince: Instant) => {
		const ready = aCondition('Ready', 'True', {lastTransitionTime: readySince});
		const taints = [aTaint('maintenance')];
		return earliestAfterTakeover(aNode('n1', {conditions: [ready], taints}), -minute, [
			tolerates('maintenance', 75),
			tolerates(taintUnreachable, 60),
		]);
	};
	expect(earliest(50 * second)).toBeLessThanOrEqual(startedAt + 60 * second);
	// It is not assumed that a cluster is without controllers for so long.
	expect(earliest(-2 * 60 * minute)).toBeGreaterThan(startedAt + 61 * second);
});

test('because says nothing of it where the countdown is the only one that can be', () => {
	const pod = forecastOf(60 * second);
	const {earliest = 0, latest = 0} = pod?.eviction ?? {};
	expect((latest ?? 0) - earliest).toBeLessThan(3 * second);
	const sentence = pod?.because.find((one) => countdown.test(one));
	expect(sentence).toMatch(/\(known from: [^)]*\)$/);
});

test('an earlier countdown began no sooner than its pod was bound', () => {
	const nodeName = 'n1';
	const tolerations = [tolerates('maintenance', 3600)];
	const forecaster = aForecaster(settingsFor('v1.36.3'), {
		observedAt: now,
		source: 'file',
		nodes: [aNode(nodeName, {taints: [aTaint('maintenance')]})],
		pods: [aPod('web', {nodeName, tolerations, createdAt: 10 * second})],
		leases: [aLease(nodeName, now)],
	});
	const {earliest} = forecaster.forecast(now).pods[0]?.eviction ?? {};
	expect(earliest).toBeGreaterThan(3600 * second);
});
