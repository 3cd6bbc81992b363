import {expect, test} from 'vitest';
import {minute, second} from '../../../src/core/time/instant.ts';
import {predictionOf} from '../../../src/forecast/ledger/prediction.ts';
import type {PodForecast} from '../../../src/forecast/podForecast.ts';
import {forecastPressure} from '../../../src/forecast/pressure/forecastPressure.ts';
import {withPressure} from '../../../src/forecast/pressure/withPressure.ts';
import {Range} from '../../../src/forecast/range.ts';
import {aForecast, aNodeForecast, aPodForecast, now} from '../../print/forecasts.ts';
import {aNode} from '../../support/builders.ts';
import {aNodePod, memoryLeft, memoryStats} from '../../support/pressure.ts';

const config = {enforceNodeAllocatable: [], evictionHard: {'memory.available': '500Mi'}};
const pods = [aNodePod('cart', {requests: {memory: '100Mi'}}), aNodePod('calm', {requests: {memory: '4Gi'}})];
const stats = [memoryStats('cart', '900Mi'), memoryStats('calm', '1Gi')];

/** The pressure forecast of n1 with this much left now. */
const pressureWith = (left: string) =>
	forecastPressure(
		{
			node: 'n1',
			samples: [{seenAt: now, summary: memoryLeft(left, stats)}],
			config,
			pods,
			conditions: [],
			evicted: [],
			reports: [],
		},
		now,
	);

const aPod = (fields: Partial<PodForecast>) =>
	aPodForecast({namespace: 'shop', name: 'cart', uid: 'uid-cart', node: 'n1', ...fields});

const joined = (pod: PodForecast, left = '300Mi') => {
	const [found] = withPressure(aForecast({pods: [pod]}), [pressureWith(left)]).pods;
	if (!found) throw new Error('the pod is gone');
	return found;
};

const inSeconds = (from: number, to: number) => Range.over({lo: now + from * second, hi: now + to * second});
const byTaint = {
	kind: 'Taint',
	taint: 'node.kubernetes.io/unreachable:NoExecute',
	tolerationSeconds: 300,
} as const;

test('of two kinds that threaten a pod the one that comes first is told, and the other as a reason', () => {
	const late = joined(aPod({verdict: 'Scheduled', eviction: inSeconds(200, 210), cause: byTaint}));
	expect(late.cause?.kind).toBe('NodePressure');
	const soon = joined(
		aPod({verdict: 'Scheduled', eviction: inSeconds(0, 1), cause: byTaint, because: ['a taint']}),
	);
	expect(soon.cause).toEqual(byTaint);
	expect(soon.because).toEqual(
		expect.arrayContaining(['a taint', expect.stringContaining('its kubelet evicts it')]),
	);
});

test('where a taint may come first, a certain eviction by the kubelet bounds the range, and makes it sure', () => {
	const eviction = new Range(now, now, null);
	const {verdict, cause, eviction: both} = joined(aPod({verdict: 'Unsure', eviction, cause: byTaint}));
	expect([verdict, cause]).toEqual(['Expected', byTaint]);
	expect(both?.earliest).toBe(now);
	expect(both?.latest).toBe(joined(aPod({verdict: 'Safe', eviction: null})).eviction?.latest);
});

test('a kubelet evicts whom the control plane holds', () => {
	const held = {by: 'zone a is stopped', since: null, releasedBy: 'a node', ifReleasedNow: inSeconds(0, 1)};
	const {verdict, held: after} = joined(aPod({verdict: 'Held', held, eviction: null, cause: byTaint}));
	expect([verdict, after]).toEqual(['Expected', null]);
});

test.for(['Terminating', 'Overdue'] as const)('a pod that is %s stays so', (verdict) => {
	expect(joined(aPod({verdict, eviction: null})).verdict).toBe(verdict);
});

test('what is not certain makes a safe pod unsure, and changes nothing of one that is sure to go', () => {
	const pressure = pressureWith('300Mi');
	const unsure = {...pressure, evictions: pressure.evictions.map((one) => ({...one, isCertain: false}))};
	const safe = withPressure(aForecast({pods: [aPod({verdict: 'Safe', eviction: null})]}), [unsure]);
	expect(safe.pods[0]?.verdict).toBe('Unsure');
	const scheduled = aPod({verdict: 'Scheduled', eviction: inSeconds(200, 210), cause: byTaint});
	expect(withPressure(aForecast({pods: [scheduled]}), [unsure]).pods[0]?.cause).toEqual(byTaint);
});

test('where nobody goes, all pods are the same', () => {
	const forecast = aForecast({pods: [aPod({verdict: 'Safe', eviction: null})]});
	const {pods: told, nodes} = withPressure(forecast, [pressureWith('6Gi')]);
	expect([told === forecast.pods, nodes === forecast.nodes]).toEqual([true, true]);
});

test('a node says what it is short of and whom that strikes next; others have nothing of it', () => {
	const transition = {lastHeartbeatTime: now, lastTransitionTime: now - minute};
	const pressed = aNode('n1', {conditions: [{type: 'MemoryPressure', status: 'True', ...transition}]});
	const nodes = [aNodeForecast({name: 'n1', node: pressed}), aNodeForecast({name: 'n2', node: aNode('n2')})];
	const found = withPressure(aForecast({nodes}), [pressureWith('300Mi')]).nodes;
	expect(found[0]?.pressure).toMatchObject({
		conditions: ['MemoryPressure'],
		next: {name: 'cart', isCertain: true},
	});
	expect(found[1]).toBe(nodes[1]);
	const unseen = withPressure(aForecast({nodes}), []).nodes[0];
	expect(unseen?.pressure).toEqual({conditions: ['MemoryPressure'], next: null});
	expect(unseen?.because.at(-1)).toBe('MemoryPressure is True');
});

test('a watch does not judge what kubelets do: they delete nothing', () => {
	const pod = joined(aPod({verdict: 'Safe', eviction: null, cause: null}));
	expect(predictionOf(pod, now)).toBeUndefined();
	expect(predictionOf({...pod, cause: byTaint}, now)).toBeDefined();
});
