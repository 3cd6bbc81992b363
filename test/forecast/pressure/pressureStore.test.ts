import {expect, test} from 'vitest';
import type {PressureLook} from '../../../src/core/nodepressure/pressureLook.ts';
import {type Instant, minute, second} from '../../../src/core/time/instant.ts';
import {lastEvictionAt} from '../../../src/forecast/pressure/observe/happenings.ts';
import {pressuredNodes} from '../../../src/forecast/pressure/observe/pressuredNodes.ts';
import {PressureStore} from '../../../src/forecast/pressure/pressureStore.ts';
import {ClusterStore} from '../../../src/store/clusterStore.ts';
import {aNode, aTaint} from '../../support/builders.ts';
import {amounts, aNodePod, bytes, memoryLeft, memoryStats, nodeFs} from '../../support/pressure.ts';

const node = {name: 'n1', conditions: []};
const config = {enforceNodeAllocatable: [], evictionHard: {'memory.available': '500Mi'}};

const aLook = (
	seenAt: Instant,
	left: string | undefined,
	fields: Partial<PressureLook> = {},
): PressureLook => ({
	...{node: 'n1', seenAt, pods: [aNodePod('cart')], evicted: [], problems: []},
	...(left !== undefined && {
		summary: memoryLeft(left, [memoryStats('cart', '1Gi')]),
		source: 'kubelet',
		config,
	}),
	...fields,
});

test('the same is told again while nothing new is seen, and anew after a quarter of a minute', () => {
	const book = new PressureStore();
	book.take(aLook(0, '4Gi'));
	const first = book.forecast(node, 0);
	expect(book.forecast(node, 14 * second)).toBe(first);
	expect(book.forecast(node, 15 * second)).not.toBe(first);
	book.take(aLook(16 * second, '4Gi'));
	expect(book.forecast(node, 16 * second).observedAt).toBe(16 * second);
});

test('a look in vain takes away nothing that was known', () => {
	const book = new PressureStore();
	book.take(aLook(0, '300Mi'));
	book.take(aLook(10 * second, undefined));
	const {evictions, source, signals} = book.forecast(node, 10 * second);
	expect(evictions[0]?.pod.name).toBe('cart');
	expect([source, signals[0]?.thresholds[0]?.isHard]).toEqual(['kubelet', true]);
	const old = book.forecast(node, minute);
	expect(old.problems.map(({reason}) => reason)).toContain('StaleStatistics');
});

test('what the metrics API measured makes no trend with what a kubelet did', () => {
	const book = new PressureStore();
	for (const at of [0, 1, 2]) book.take(aLook(at * 10 * second, '4Gi'));
	book.take(aLook(30 * second, '3Gi', {source: 'metrics'}));
	const {signals, source, problems} = book.forecast(node, 30 * second);
	expect([signals[0]?.trend, source]).toEqual([null, 'metrics']);
	expect(problems.map(({reason}) => reason)).toContain('MetricsOnly');
});

test('an eviction ends what was seen of a trend, whoever tells of it', () => {
	const book = new PressureStore();
	for (const [index, left] of ['3Gi', '2Gi', '1Gi', '6Gi'].entries())
		book.take(aLook(index * 10 * second, left));
	expect(book.forecast(node, 30 * second).signals[0]?.trend).not.toBeNull();
	book.takeReports([{node: 'n1', reason: 'Evicted', at: 22 * second, message: 'm', pod: 'shop/x'}]);
	const {signals, happenings} = book.forecast(node, 30 * second);
	expect(signals[0]?.trend).toBeNull();
	expect(happenings).toEqual([{at: 22 * second, reason: 'Evicted', pod: 'shop/x', message: 'm'}]);
});

test('an eviction that its pod and an event tell of is told once', () => {
	const book = new PressureStore();
	const evicted = [{namespace: 'shop', name: 'x', uid: 'x', at: 5 * second, message: 'low'}];
	book.take(aLook(10 * second, '4Gi', {evicted}));
	book.takeReports([{node: 'n1', reason: 'Evicted', at: 5 * second, message: 'low', pod: 'shop/x'}]);
	expect(book.forecast(node, 10 * second).happenings).toHaveLength(1);
	expect(lastEvictionAt(book.evidenceOf(node))).toBe(5 * second);
});

test('nodes that nobody looks at any more are forgotten', () => {
	const book = new PressureStore();
	book.take(aLook(0, '4Gi'));
	book.keep(new Set(['n2']));
	expect(book.nodes).toEqual([]);
	expect(book.forecast(node, 0).observedAt).toBeNull();
});

test('suspects: conditions, their taints, reports of the last ten minutes, and for a while whom somebody asked for', () => {
	const store = new ClusterStore();
	const suspects = pressuredNodes(store);
	const times = {lastHeartbeatTime: 0, lastTransitionTime: 0};
	const pressed = aNode('n1', {conditions: [{type: 'DiskPressure', status: 'True', ...times}]});
	const tainted = aNode('n2', {taints: [aTaint('node.kubernetes.io/pid-pressure', {effect: 'NoSchedule'})]});
	const others = ['n3', 'n4', 'n5'].map((name) => aNode(name));
	const apply = (...nodes: readonly ReturnType<typeof aNode>[]) =>
		store.apply(
			nodes.map((one) => ({type: 'nodeApplied', node: one})),
			0,
		);
	apply(pressed, tainted, ...others);
	const report = (name: string, at: Instant) => ({node: name, reason: 'Evicted', at, message: ''});
	store.applyPressure({type: 'reported', reports: [report('n3', 0), report('gone', 0)]}, 0);
	suspects.ask('n4', 0);
	expect(suspects.wanted(minute)).toEqual(['n4', 'n1', 'n2', 'n3']);
	expect(suspects.wanted(3 * minute)).toEqual(['n1', 'n2', 'n3']);
	expect(suspects.wanted(11 * minute)).toEqual(['n1', 'n2']);
	apply(aNode('n1'));
	store.apply([{type: 'nodeDeleted', name: 'n2'}], 0);
	expect(suspects.wanted(11 * minute)).toEqual([]);
});

test('where all are meant, ready nodes follow those that run short', () => {
	const store = new ClusterStore();
	const times = {lastHeartbeatTime: 0, lastTransitionTime: 0};
	const pressed = aNode('n3', {conditions: [{type: 'MemoryPressure', status: 'True', ...times}]});
	const silent = aNode('n2', {conditions: [{type: 'Ready', status: 'Unknown', ...times}]});
	store.apply(
		[aNode('n1'), silent, pressed].map((node) => ({type: 'nodeApplied', node})),
		0,
	);
	expect(pressuredNodes(store, true).wanted(0)).toEqual(['n3', 'n1']);
});

test('kubelets hold sidecars against limits of their own from v1.37 on', () => {
	const limits = amounts({'ephemeral-storage': '1Gi'});
	const logger = {name: 'logger', requests: {}, limits, isSidecar: true};
	const rootfs = {usedBytes: bytes('2Gi')};
	const used = {uid: 'uid-cart', containers: [{name: 'logger', rootfs}], volumes: []};
	const summary = {...memoryLeft('4Gi', [used]), node: {...memoryLeft('4Gi').node, ...nodeFs('50Gi')}};
	const store = new PressureStore();
	store.take({...aLook(0, '4Gi', {pods: [aNodePod('cart', {}, {initContainers: [logger]})]}), summary});
	const evictedBy = (kubeletVersion?: string) =>
		store
			.forecast({...node, conditions: [], ...(kubeletVersion !== undefined && {kubeletVersion})}, second)
			.evictions.map(({pod}) => pod.name);
	expect(evictedBy('v1.37.0')).toEqual(['cart']);
	expect(evictedBy('v1.38.1')).toEqual(['cart']);
	for (const older of ['v1.36.3', 'v1.30.2-eks-1552ad0', undefined]) expect(evictedBy(older)).toEqual([]);
});
