import {expect, test} from 'vitest';
import {taintNotReady, taintUnreachable} from '../../../../src/core/model/taint.ts';
import {settingsFor} from '../../../../src/core/model/versionProfile.ts';
import {second} from '../../../../src/core/time/instant.ts';
import {TimerEvidence, type TimersFound} from '../../../../src/forecast/observe/countdowns/timerEvidence.ts';
import {EventEvidence} from '../../../../src/forecast/observe/eventEvidence.ts';
import type {Interval} from '../../../../src/forecast/observe/interval.ts';
import type {NodeEvidence} from '../../../../src/forecast/observe/nodes/nodeEvidence.ts';
import {PodIndex} from '../../../../src/store/podIndex.ts';
import {aNode, aPod, aTaint, tolerates} from '../../../support/builders.ts';

const between = (from: number, to: number): Interval => ({lo: from * second, hi: to * second});

/** When a countdown that controllers restarted at their start ends, if its node's taint is swapped within `seen`. */
function endsAfterSwap(seen: Interval): Interval | undefined {
	const pods = new PodIndex();
	const tolerations = [tolerates(taintNotReady, 300), tolerates(taintUnreachable, 200)];
	const pod = aPod('web', {nodeName: 'n1', tolerations});
	pods.put(pod);
	const evidence = new TimerEvidence(settingsFor('v1.36.3'), pods, new EventEvidence());
	const started = between(100, 101);
	const [old, young] = [taintNotReady, taintUnreachable].map((key) =>
		aNode('n1', {taints: [aTaint(key, {timeAdded: 90 * second})]}),
	);
	const of = (node: typeof old) => ({node, wasReady: true}) as NodeEvidence;
	evidence.lookAtNode(undefined, of(old), between(90, 90.1), found(started, 90));
	evidence.restart([of(old)], [], started);
	evidence.lookAtNode(old, of(young), seen, found(started, seen.hi / second));
	return evidence.timers.get(pod)?.fires;
}

const found = (controllersStarted: Interval, now: number): TimersFound => ({
	...{nodes: [], controllersStarted, passesDuringTaints: [], now: now * second},
});

test('a taint that is seen to be swapped by the first pass of new controllers begins another countdown', () => {
	expect(endsAfterSwap(between(101, 101.5))).toEqual(between(301, 301.5));
});

test('a taint that was swapped later leaves the countdown of new controllers as it is', () => {
	expect(endsAfterSwap(between(130, 130.5))).toEqual(between(400, 401));
});

test('a taint that was swapped in a gap, by the first pass or later, may or may not begin another countdown', () => {
	// Another one of 200 s from 102 s at the latest, or still the first one of 300 s.
	expect(endsAfterSwap(between(101, 140))).toEqual(between(300, 402));
});

test('a taint that its pod tolerates for no time leaves a countdown as it is; one that it does not tolerate ends it', () => {
	const endsAfter = (seconds: readonly number[]) => {
		const pods = new PodIndex();
		const pod = aPod('web', {
			nodeName: 'n1',
			tolerations: [tolerates('maintenance', 68), ...seconds.map((one) => tolerates(taintUnreachable, one))],
		});
		pods.put(pod);
		const evidence = new TimerEvidence(settingsFor('v1.36.3'), pods, new EventEvidence());
		const taints = ['maintenance', taintUnreachable].map((key) => aTaint(key));
		const [old, young] = [aNode('n1', {taints: taints.slice(0, 1)}), aNode('n1', {taints})];
		const of = (node: typeof old) => ({node}) as NodeEvidence;
		evidence.lookAtNode(aNode('n1'), of(old), between(100, 100.1), found(between(0, 0), 100));
		evidence.lookAtNode(old, of(young), between(160, 160.1), found(between(0, 0), 160));
		return evidence.timers.get(pod)?.fires;
	};
	expect(endsAfter([0])).toEqual(between(168, 168.1));
	expect(endsAfter([])).toEqual(between(160, 160.1));
});

test('a countdown may come from any of the taints that are seen to arrive at once: the first one counts', () => {
	const endsAfter = (seen: Interval, unreachableSeconds?: number) => {
		const pods = new PodIndex();
		const limits = unreachableSeconds === undefined ? [] : [tolerates(taintUnreachable, unreachableSeconds)];
		const pod = aPod('web', {nodeName: 'n1', tolerations: [tolerates('maintenance', 75), ...limits]});
		pods.put(pod);
		const evidence = new TimerEvidence(settingsFor('v1.36.3'), pods, new EventEvidence());
		const taints = [aTaint('maintenance'), aTaint(taintUnreachable, {timeAdded: seen.lo})];
		const node = aNode('n1', {taints});
		evidence.lookAtNode(aNode('n1'), {node} as NodeEvidence, seen, found(between(0, 0), seen.hi / second));
		return evidence.timers.get(pod)?.fires;
	};
	const live = between(100, 100.1);
	expect(endsAfter(live, 60)).toEqual(between(160, 175.1));
	// In a gap, the taint's own time shows by when the other one was there if it came first.
	expect(endsAfter(between(100, 105), 60)).toEqual(between(160, 176.2));
	expect(endsAfter(live, 75)).toEqual(between(175, 175.1));
	expect(endsAfter(live)).toEqual(between(100, 100.1));
});
