import {expect, test} from 'vitest';
import {second} from '../../../src/core/time/instant.ts';
import type {Explanation} from '../../../src/forecast/explain/explanation.ts';
import {withPressureExplained} from '../../../src/forecast/explain/pressure/pressureExplained.ts';
import {orderSteps} from '../../../src/forecast/explain/pressure/pressurePodSteps.ts';
import {forecastPressure} from '../../../src/forecast/pressure/forecastPressure.ts';
import type {PressureEvidence} from '../../../src/forecast/pressure/observe/pressureEvidence.ts';
import {aNodePod, memoryLeft, memoryStats} from '../../support/pressure.ts';

const now = 100 * second;
const config = {enforceNodeAllocatable: [], evictionHard: {'memory.available': '500Mi'}};
const pods = [
	aNodePod('cart', {requests: {memory: '100Mi'}, limits: {memory: '1Gi'}}),
	aNodePod('calm', {requests: {memory: '4Gi'}}),
	aNodePod('proxy', {}, {priority: 2_000_001_000}),
	aNodePod('fixed', {}, {configSource: 'file'}),
];
const stats = ['cart', 'calm', 'proxy', 'fixed'].map((name) => memoryStats(name, '900Mi'));

const pressureOf = (left: string, fields: Partial<PressureEvidence> = {}) =>
	forecastPressure(
		{
			...{node: 'n1', config, pods, conditions: [], evicted: [], reports: []},
			samples: left === '' ? [] : [{seenAt: now, summary: memoryLeft(left, stats)}],
			...fields,
		},
		now,
	);

const plain = (name: string): Explanation => ({
	...{target: {kind: 'pod', namespace: 'shop', name}, verdict: 'Safe', summary: 'Nothing evicts the pod.'},
	...{eviction: null, held: null, steps: [], assumptions: []},
	whyNot: [{reason: 'NodeWell', effect: 'Prevents', at: null, what: 'it is well', rule: null, evidence: []}],
});

const explained = (name: string, left = '300Mi', fields: Partial<PressureEvidence> = {}) =>
	withPressureExplained(plain(name), [pressureOf(left, fields)], now);
const reasonsOf = ({whyNot}: Explanation) => whyNot.map(({reason}) => reason);

test('who goes next: the signal, the place and why, the kill, and what comes of it', () => {
	const {verdict, summary, steps, eviction, whyNot} = explained('cart');
	expect(verdict).toBe('Expected');
	expect(summary).toContain('Its kubelet evicts the pod');
	expect(steps.map(({what}) => what)).toEqual([
		'memory.available is 300Mi, below the threshold of 500Mi',
		expect.stringContaining('for memory.available it has place'),
		expect.stringContaining('its kubelet evicts it, short of memory (memory.available)'),
	]);
	expect(eviction?.latest).toBeLessThan(now + 11 * second);
	// A ready node does not prevent these evictions.
	expect(whyNot[0]).toMatchObject({reason: 'NodeWell', effect: 'DoesNotPrevent'});
});

test('a pod that no eviction names is not called safe on a node that is under pressure', () => {
	const times = {lastHeartbeatTime: now, lastTransitionTime: now - second};
	const conditions = [{type: 'MemoryPressure', status: 'True' as const, reason: '', ...times}];
	expect(explained('cart', '900Mi', {conditions}).summary).toBe(
		'No taint evicts the pod, but node n1 has MemoryPressure: its kubelet may evict the pod, if memory.available (900Mi) falls below 500Mi; by what pods use now, it is the first then.',
	);
	expect(explained('cart', '900Mi').summary).toBe('Nothing evicts the pod.');
	expect(explained('fixed', '900Mi', {conditions}).summary).toBe('Nothing evicts the pod.');
});

test('each pod is told its own place in the order', () => {
	const placeOf = (name: string) => orderSteps(pressureOf('300Mi'), `shop/${name}`).map(({what}) => what);
	expect(placeOf('cart')).toEqual([
		expect.stringContaining('uses 900Mi of memory, over its request of 100Mi'),
	]);
	expect(placeOf('calm')).toEqual([expect.stringContaining('place 4 of 4: it uses 900Mi of memory, within')]);
	expect(placeOf('nobody')).toEqual([]);
});

test('ContainerLimit: a container near its own limit is killed in place, and that is no eviction', () => {
	const found = explained('cart').whyNot.find(({reason}) => reason === 'ContainerLimit');
	expect(found).toMatchObject({
		effect: 'DoesNotPrevent',
		what: expect.stringContaining('which is no eviction'),
	});
});

test('OthersFirst: others go before it', () => {
	const found = explained('calm');
	expect(found.verdict).toBe('Safe');
	expect(reasonsOf(found)).toContain('OthersFirst');
});

test.for(['proxy', 'fixed'])('ProtectedFromKubelet: %s is never evicted by its kubelet', (name) => {
	expect(reasonsOf(explained(name))).toContain('ProtectedFromKubelet');
});

test('NothingShort: no threshold is met, nor will be', () => {
	expect(reasonsOf(explained('cart', '6Gi'))).toContain('NothingShort');
});

test('PressureUnseen: the statistics are not seen, so it may go as well', () => {
	const found = explained('cart', '');
	expect(found.whyNot.find(({reason}) => reason === 'PressureUnseen')).toMatchObject({effect: 'MayPrevent'});
	expect(found.assumptions.join()).toContain('statistics cannot be read');
});

test('what happened lately, and since when a condition holds, come in the order of time', () => {
	const conditions = [
		{
			type: 'MemoryPressure',
			status: 'True',
			lastHeartbeatTime: now,
			lastTransitionTime: 40 * second,
		} as const,
	];
	const reports = [
		{node: 'n1', reason: 'EvictionThresholdMet', at: 50 * second, message: 'Attempting to reclaim memory'},
	];
	const {steps} = explained('cart', '300Mi', {conditions, reports});
	expect(steps.slice(0, 2).map(({at}) => at)).toEqual([40 * second, 50 * second]);
	expect(steps.at(-1)?.what).toContain('condition MemoryPressure of node n1 ends');
});

test('a pod over a limit of its own storage is told so', () => {
	const limit = {limits: {'ephemeral-storage': '1Gi'}};
	const over = aNodePod('hoarder', limit);
	const summary = memoryLeft('6Gi', [
		{...memoryStats('hoarder', '1Mi'), ephemeralStorage: {usedBytes: 2n ** 31n}},
	]);
	const pressure = forecastPressure(
		{
			node: 'n1',
			config,
			pods: [over],
			conditions: [],
			evicted: [],
			reports: [],
			samples: [{seenAt: now, summary}],
		},
		now,
	);
	const {steps, verdict} = withPressureExplained(plain('hoarder'), [pressure], now);
	expect(verdict).toBe('Expected');
	expect(steps.map(({what}) => what).join('\n')).toContain('exceeds the total limit of containers 1Gi');
});

test('a node tells who goes, and a zone or a pod elsewhere nothing of it', () => {
	const node: Explanation = {...plain('x'), target: {kind: 'node', name: 'n1'}, verdict: 'Healthy'};
	const found = withPressureExplained(node, [pressureOf('300Mi')], now);
	expect(found.summary).toContain('Pod shop/cart is evicted first');
	expect(found.steps.map(({what}) => what).join('\n')).toContain('pod shop/cart: its kubelet evicts it');
	const elsewhere = plain('elsewhere');
	expect(withPressureExplained(elsewhere, [pressureOf('300Mi')], now)).toBe(elsewhere);
	const zone: Explanation = {...plain('x'), target: {kind: 'zone', name: 'a'}};
	expect(withPressureExplained(zone, [pressureOf('300Mi')], now)).toBe(zone);
});
