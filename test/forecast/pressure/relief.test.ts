import {expect, test} from 'vitest';
import type {NodeCondition} from '../../../src/core/model/node.ts';
import {podKey} from '../../../src/core/model/pod.ts';
import type {NodePod} from '../../../src/core/nodepressure/nodePod.ts';
import type {EvictionConfig} from '../../../src/core/nodepressure/thresholds/evictionSettings.ts';
import {type Instant, minute, second} from '../../../src/core/time/instant.ts';
import {forecastPressure} from '../../../src/forecast/pressure/forecastPressure.ts';
import {reliefOf} from '../../../src/forecast/pressure/relief.ts';
import {aNodePod, bytes, memoryStats} from '../../support/pressure.ts';

const now = 10 * minute;
const config: EvictionConfig = {
	enforceNodeAllocatable: [],
	evictionHard: {'memory.available': '500Mi'},
	evictionSoft: {'memory.available': '1Gi'},
	evictionSoftGracePeriod: {'memory.available': '3m'},
};
const conditions: readonly NodeCondition[] = [
	{
		type: 'MemoryPressure',
		status: 'True',
		...{lastHeartbeatTime: now, lastTransitionTime: now - 10 * second},
	},
];

/** A node with these pods, their usage at an instant, and the amount left. */
function node(
	pods: readonly NodePod[],
	usage: Readonly<Record<string, string>>,
	left: string,
	leak?: {readonly of: string; readonly mebibytesPerSecond: number},
) {
	const looks = leak ? 6 : 1;
	const samples = Array.from({length: looks}, (_, index) => {
		const seenAt: Instant = now - (looks - 1 - index) * 10 * second;
		const earlier = bytes('1Mi') * BigInt(((leak?.mebibytesPerSecond ?? 0) * (now - seenAt)) / second);
		const stats = Object.entries(usage).map(([name, amount]) => {
			const known = memoryStats(name, amount);
			const leaked = (bytes(amount) - (name === leak?.of ? earlier : 0n)).toString();
			return name === leak?.of ? {...known, ...memoryStats(name, leaked)} : known;
		});
		const availableBytes = bytes(left) + earlier;
		const memory = {availableBytes, workingSetBytes: bytes('8Gi') - availableBytes, time: seenAt};
		return {seenAt, summary: {node: {memory}, pods: stats}};
	});
	return forecastPressure({node: 'n1', samples, config, pods, conditions}, now);
}

const [big, small, tiny] = [aNodePod('big'), aNodePod('small'), aNodePod('tiny')];
const usage = {big: '3Gi', small: '600Mi', tiny: '100Mi'};
/** Six looks without changes. */
const still = {of: 'big', mebibytesPerSecond: 0};
const namesOf = (
	pod: NodePod,
	forecast: ReturnType<typeof node>,
	isReplaced: (pod: NodePod) => boolean = () => true,
) => reliefOf(podKey(pod), forecast, isReplaced, now)?.pods.map((one) => one.pod.name);

test('whoever is evicted before a pod keeps it by its own end', () => {
	const forecast = node([big, small, tiny], usage, '800Mi');
	expect(reliefOf('shop/tiny', forecast, () => true, now)).toMatchObject({
		...{signal: 'memory.available', isFirstAnyway: true, isLoss: false},
		pods: [{pod: {name: 'big'}, usage: bytes('3Gi')}],
	});
});

test('from one look no other pod is offered for the first victim, but what it takes, and who uses most', () => {
	const forecast = node([big, small, tiny], usage, '800Mi');
	expect(reliefOf('shop/big', forecast, () => true, now)).toMatchObject({
		...{pods: [], isKnown: false, needed: Number(bytes('224Mi')), perSecond: null},
		users: [{pod: {name: 'big'}}, {pod: {name: 'small'}}],
	});
});

test('the first victim stays where one other frees enough: the next in the order of eviction that does', () => {
	const forecast = node([big, small, tiny], usage, '800Mi', still);
	expect(forecast.evictions[0]?.pod.name).toBe('big');
	expect(reliefOf('shop/big', forecast, () => true, now)).toMatchObject({
		...{isFirstAnyway: false, isKnown: true},
		pods: [{pod: {name: 'small'}}],
	});
	// A pod that nothing restarts is listed last.
	const other = aNodePod('other');
	const four = node([big, small, other], {...usage, other: '500Mi'}, '800Mi', still);
	expect(namesOf(big, four)).toEqual(['small']);
	expect(namesOf(big, four, ({name}) => name !== 'small')).toEqual(['other']);
	const lost = reliefOf(
		'shop/big',
		node([big, small], usage, '800Mi', still),
		({name}) => name !== 'small',
		now,
	);
	expect(lost).toMatchObject({isLoss: true, pods: [{pod: {name: 'small'}}]});
});

test('where no one frees enough, several may; where all do not, nobody is named', () => {
	expect(namesOf(big, node([big, small, tiny], usage, '350Mi', still))).toEqual(['small', 'tiny']);
	expect(namesOf(big, node([big, small, tiny], usage, '200Mi', still))).toEqual([]);
});

test('what a kubelet never evicts, and what its node starts again, is no use; nor is anybody without a shortage', () => {
	const critical = aNodePod('small', {}, {priority: 2_000_000_000});
	expect(namesOf(big, node([big, critical, tiny], usage, '800Mi', still))).toEqual([]);
	const key = 'node.kubernetes.io/memory-pressure';
	const tolerations = [{key, operator: 'Exists', value: '', effect: 'NoSchedule'}] as const;
	const daemon = aNodePod('small', {}, {tolerations});
	expect(namesOf(big, node([big, daemon, tiny], usage, '800Mi', still))).toEqual([]);
	expect(reliefOf('shop/big', node([big, small], usage, '5Gi', still), () => true, now)).toBeUndefined();
});

test('on a trend the end of others does not keep a pod that goes on growing; that of the one that grows does', () => {
	const leak = {of: 'big', mebibytesPerSecond: 10};
	const forecast = node([big, small, tiny], usage, '800Mi', leak);
	expect(namesOf(big, forecast)).toEqual([]);
	expect(reliefOf('shop/tiny', forecast, () => true, now)).toMatchObject({
		...{isKnown: true, isFirstAnyway: true},
		pods: [{pod: {name: 'big'}}],
	});
	const growing = node([big, small, tiny], usage, '800Mi', {of: 'small', mebibytesPerSecond: 2});
	expect(namesOf(big, growing)).toEqual(['small']);
});
