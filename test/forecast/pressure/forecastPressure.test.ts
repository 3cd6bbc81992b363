import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {decodeSummary} from '../../../src/cluster/kubelet/decodeSummary.ts';
import {podKey} from '../../../src/core/model/pod.ts';
import type {NodePod} from '../../../src/core/nodepressure/nodePod.ts';
import {formatQuantity} from '../../../src/core/nodepressure/quantities/formatQuantity.ts';
import {parseQuantity} from '../../../src/core/nodepressure/quantities/parseQuantity.ts';
import type {NodeStats, PodStats, Summary} from '../../../src/core/nodepressure/summary.ts';
import {defaultEvictionHard} from '../../../src/core/nodepressure/thresholds/evictionDefaults.ts';
import type {EvictionConfig} from '../../../src/core/nodepressure/thresholds/evictionSettings.ts';
import {minute, second} from '../../../src/core/time/instant.ts';
import {forecastPressure} from '../../../src/forecast/pressure/forecastPressure.ts';
import type {PressureEvidence} from '../../../src/forecast/pressure/observe/pressureEvidence.ts';
import {mayEvictWords} from '../../../src/forecast/pressure/pressureWords.ts';
import {aNodePod, bytes, memoryLeft, memoryStats} from '../../support/pressure.ts';

const now = 10 * minute;
const hard: EvictionConfig = {enforceNodeAllocatable: [], evictionHard: {'memory.available': '500Mi'}};

/** A node that was measured every ten seconds with these amounts of memory left, the last one just now. */
function evidence(
	lefts: readonly string[],
	pods: readonly NodePod[],
	stats: readonly PodStats[],
	fields: Partial<PressureEvidence> = {},
): PressureEvidence {
	const samples = lefts.map((left, index) => {
		const seenAt = now - (lefts.length - 1 - index) * 10 * second;
		return {seenAt, summary: timed(memoryLeft(left, stats), seenAt)};
	});
	return {node: 'n1', samples, config: hard, pods, conditions: [], evicted: [], reports: [], ...fields};
}

const timed = ({node, pods}: Summary, time: number): Summary => ({
	node: Object.fromEntries(
		Object.entries(node).map(([part, stats]) => [part, {...stats, time}]),
	) as NodeStats,
	pods,
});

test('without a trend only what a hard threshold strikes first is certain', () => {
	const soft = {
		...hard,
		evictionSoft: {'memory.available': '1Gi'},
		evictionSoftGracePeriod: {'memory.available': '2m'},
	};
	const pods = [aNodePod('cart'), aNodePod('shop')];
	const stats = [memoryStats('cart', '900Mi'), memoryStats('shop', '100Mi')];
	// It may fall below the hard threshold at any rate, or rise again.
	const inGrace = forecastPressure(evidence(['800Mi'], pods, stats, {config: soft}), now);
	expect(inGrace.evictions[0]).toMatchObject({isCertain: false, when: {earliest: now, latest: null}});
	const below = forecastPressure(evidence(['300Mi'], pods, stats, {config: soft}), now);
	expect(below.evictions[0]).toMatchObject({isCertain: true, pod: {name: 'cart'}});
	expect(below.evictions.slice(1).every(({isCertain}) => !isCertain)).toBe(true);
});

const condition = (type: string, lastTransitionTime: number) => ({
	type,
	status: 'True' as const,
	lastHeartbeatTime: now,
	lastTransitionTime,
});

const [cart, shop, core] = [
	aNodePod('cart'),
	aNodePod('shop', {requests: {memory: '3Gi'}}),
	aNodePod('core', {}, {priority: 2_000_000_000}),
];
const stats = [memoryStats('cart', '900Mi'), memoryStats('shop', '2Gi'), memoryStats('core', '4Gi')];

test('below a hard threshold the next pass takes the first of the order that may be killed', () => {
	const forecast = forecastPressure(evidence(['300Mi', '300Mi', '300Mi'], [cart, shop, core], stats), now);
	const [first] = forecast.evictions;
	expect(first).toMatchObject({
		pod: {name: 'cart'},
		isCertain: true,
		signals: ['memory.available'],
		graceSeconds: [1],
		place: {first: 1, last: 1},
		when: {earliest: now},
	});
	expect(first?.when.latest).toBeLessThanOrEqual(now + 10 * second + 10);
	expect(first?.message).toContain(
		'The node was low on resource: memory. Threshold quantity: 500Mi, available: 300Mi.',
	);
	expect(forecast.protectedPods).toMatchObject([{pod: {name: 'core'}, why: 'priority'}]);
	const [memory] = forecast.signals;
	expect(
		memory?.victims.map(({pod, place, protection, stage}) => [pod.name, place, protection, stage]),
	).toEqual([
		['cart', 1, null, 'overRequest'],
		['core', 2, 'priority', 'overRequest'],
		['shop', 3, null, 'withinRequest'],
	]);
	expect(memory?.victims.map(({because}) => because)).toEqual([
		'uses 900Mi of memory, over its request of 0; then priority 0; then 900Mi more than requested',
		'uses 4Gi of memory, over its request of 0; then priority 2000000000; then 4Gi more than requested',
		'uses 2Gi of memory, within its request of 3Gi; then priority 0; then 1Gi less than requested',
	]);
});

test('what it takes to reach the minimum reclaim is told, and whether all pods together are enough', () => {
	const config = {...hard, evictionMinimumReclaim: {'memory.available': '1Gi'}};
	const resolve = (left: string, pods: readonly NodePod[]) =>
		forecastPressure(evidence([left], pods, stats, {config}), now).signals[0]?.thresholds[0];
	const both = resolve('300Mi', [cart, shop, core]);
	expect(both?.toResolve.map(({name}) => name)).toEqual(['cart', 'shop']);
	expect(both?.resolvedAt && formatQuantity(both.resolvedAt)).toBe('1524Mi');
	expect(both?.isBeyondPods).toBe(false);
	expect(resolve('300Mi', [cart, core])?.isBeyondPods).toBe(true);
	expect(resolve('4Gi', [cart])).toMatchObject({toResolve: [], isBeyondPods: false});
});

test('what falls steadily has its time, what stays is not on this trend, and one look knows no trend', () => {
	const crossingOf = (...lefts: string[]) =>
		forecastPressure(evidence(lefts, [cart], stats), now).signals[0]?.thresholds[0]?.crossing;
	const steady = ['1100Mi', '1000Mi', '900Mi', '800Mi', '700Mi', '600Mi'];
	expect(crossingOf(...steady)).toMatchObject({
		type: 'expected',
		at: {earliest: now + 10 * second, expected: now + 10 * second},
	});
	// Three measurements may all be from a start: it may fall at once, or not at all.
	expect(crossingOf(...steady.slice(3))).toMatchObject({type: 'expected', at: {earliest: now, latest: null}});
	expect(crossingOf('600Mi', '600Mi', '600Mi')).toEqual({type: 'notOnThisTrend'});
	expect(crossingOf('500Mi', '600Mi', '700Mi')).toEqual({type: 'notOnThisTrend'});
	expect(crossingOf('600Mi')).toEqual({type: 'unknown'});
	expect(crossingOf('400Mi')).toEqual({type: 'met'});
});

const soft: EvictionConfig = {
	enforceNodeAllocatable: [],
	evictionSoft: {'memory.available': '1Gi'},
	evictionSoftGracePeriod: {'memory.available': '1m'},
	evictionMaxPodGracePeriod: 30,
};

test('what is left of a soft grace period is a range: the pass that found it first cannot be seen', () => {
	const seen = evidence(['1200Mi', '1150Mi', '1100Mi', '1050Mi', '1000Mi', '950Mi'], [cart], stats, {
		config: soft,
	});
	const forecast = forecastPressure(seen, now);
	// Crossed between 20 s and 10 s ago; the first pass after that came within another ten seconds.
	expect(forecast.signals[0]?.thresholds[0]?.graceLeft).toEqual({least: 40 * second, most: 60 * second});
	const when = forecast.evictions[0]?.when;
	expect(when?.earliest).toBeGreaterThanOrEqual(now + 39 * second);
	expect(when?.latest).toBeLessThanOrEqual(now + 71 * second);
	expect(forecast.evictions[0]?.graceSeconds).toEqual([30]);
});

test('where a threshold was met all along, the condition tells since when at most', () => {
	const conditions = [condition('MemoryPressure', now - 50 * second)];
	const left = (fields: Partial<PressureEvidence>) =>
		forecastPressure(evidence(['900Mi', '900Mi'], [cart], stats, {config: soft, ...fields}), now).signals[0]
			?.thresholds[0]?.graceLeft;
	expect(left({conditions})).toEqual({least: 0, most: 60 * second});
	expect(left({})).toEqual({least: 0, most: 60 * second});
});

test('pods that tie share a place, and chance is told as alternatives', () => {
	const pods = ['a', 'b', 'c'].map((name) => aNodePod(name));
	const alike = pods.map(({name}) => memoryStats(name, '500Mi'));
	const forecast = forecastPressure(evidence(['300Mi'], pods, alike), now);
	expect(forecast.signals[0]?.victims.map(({place, tied}) => [place, tied])).toEqual([
		[1, 3],
		[1, 3],
		[1, 3],
	]);
	expect(forecast.evictions.filter(({place}) => place.first === 1)).toHaveLength(3);
	expect(forecast.evictions.some(({isCertain}) => isCertain)).toBe(false);
});

test('hard and soft at once: either may drive the pass, and both graces are told', () => {
	const config = {...soft, ...hard, evictionSoftGracePeriod: {'memory.available': '1s'}};
	const forecast = forecastPressure(evidence(['300Mi', '300Mi', '300Mi'], [cart], stats, {config}), now);
	expect(forecast.evictions[0]?.graceSeconds.toSorted()).toEqual([1, 30]);
});

test('the kernel may call at once: memory need not wait for the next pass', () => {
	const lefts = ['530Mi', '520Mi', '510Mi'];
	const earliest = (kernelMemcgNotification: boolean) => {
		const config = {...hard, kernelMemcgNotification, monitoringInterval: '10m'};
		const forecast = forecastPressure(evidence(lefts, [cart], stats, {config}), now);
		return [forecast.signals[0]?.kernelNotification, (forecast.evictions[0]?.when.earliest ?? 0) - now];
	};
	const [possible, soon] = earliest(true);
	expect(possible).toBe('possible');
	expect(soon).toBeLessThanOrEqual(10 * second);
	expect(earliest(false)[0]).toBe('no');
});

const disk: EvictionConfig = {enforceNodeAllocatable: [], evictionHard: {'nodefs.available': '10Gi'}};
const onDisk: Summary = {
	node: {
		fs: {availableBytes: bytes('5Gi'), capacityBytes: bytes('100Gi'), inodes: 9n},
		imageFs: {availableBytes: bytes('5Gi'), capacityBytes: bytes('100Gi'), inodes: 9n},
	},
	pods: [
		{
			uid: 'uid-cart',
			containers: [{name: 'app', rootfs: {usedBytes: bytes('3Gi')}, logs: {usedBytes: 1n}}],
			volumes: [{name: 'scratch', usedBytes: bytes('2Gi')}],
		},
	],
};

test('for disk an eviction is never certain: collecting garbage may be enough', () => {
	const samples = [{seenAt: now, summary: onDisk}];
	const forecast = forecastPressure({...evidence([], [cart], []), samples, config: disk}, now);
	expect(forecast.fileSystems).toEqual({hasDedicatedImageFs: false, hasDedicatedContainerFs: false});
	expect(forecast.evictions[0]).toMatchObject({pod: {name: 'cart'}, isCertain: false, when: {latest: null}});
	expect(forecast.assumptions.join()).toContain('unused images');
});

test('file systems of another size are taken for others', () => {
	const apart = {...onDisk.node.imageFs, capacityBytes: bytes('50Gi')};
	const layout = (node: NodeStats) => {
		const samples = [{seenAt: now, summary: {node, pods: []}}];
		return forecastPressure({...evidence([], [cart], []), samples, config: disk}, now);
	};
	expect(layout({...onDisk.node, imageFs: apart}).fileSystems).toEqual({
		hasDedicatedImageFs: true,
		hasDedicatedContainerFs: false,
	});
	const split = layout({...onDisk.node, imageFs: apart, containerFs: onDisk.node.fs ?? {}});
	expect(split.fileSystems?.hasDedicatedContainerFs).toBe(true);
	const {fs} = onDisk.node;
	expect(layout(fs ? {fs} : {}).problems.map(({reason}) => reason)).toContain('FileSystemsGuessed');
});

test('a pod over a limit of its own goes in the next pass, whatever the node has left', () => {
	const volumes = [{name: 'scratch', kind: 'emptyDir' as const, medium: '', sizeLimit: parseQuantity('1Gi')}];
	const pods = [aNodePod('cart', {}, {volumes}), aNodePod('core', {}, {volumes, priority: 2_000_000_000})];
	const over = pods.map(({uid}) => ({
		...onDisk.pods[0],
		uid,
		containers: [],
		volumes: onDisk.pods[0]?.volumes ?? [],
	}));
	const seen = {...memoryLeft('4Gi'), pods: over};
	const forecast = forecastPressure(
		{...evidence([], pods, []), samples: [{seenAt: now, summary: seen}]},
		now,
	);
	expect(forecast.overLimits).toMatchObject([
		{pod: {name: 'cart'}, protection: null, when: {earliest: now, latest: now + 10 * second}},
		{pod: {name: 'core'}, protection: 'priority', when: null},
	]);
	expect(forecast.evictions).toMatchObject([
		{pod: {name: 'cart'}, signals: ['emptydirfs.limit'], isCertain: true},
	]);
});

test('a condition is raised with the first pass, and held for the transition period', () => {
	const forecast = (lefts: readonly string[], fields: Partial<PressureEvidence> = {}) =>
		forecastPressure(evidence(lefts, [cart], stats, fields), now).conditions[0];
	expect(forecast(['300Mi'])).toMatchObject({
		condition: 'MemoryPressure',
		isTrue: false,
		isMet: true,
		// The pass within ten seconds, and the node's status within another ten and a little.
		raised: {earliest: now, latest: now + 20_400},
		held: null,
	});
	const conditions = [condition('MemoryPressure', now - minute)];
	expect(forecast(['300Mi'], {conditions})).toMatchObject({
		isTrue: true,
		since: now - minute,
		raised: null,
		held: {earliest: now + 290 * second, latest: null},
	});
	expect(forecast(['300Mi', '4Gi', '4Gi'], {conditions})?.held).toMatchObject({
		earliest: now + 270 * second,
		expected: now + 290_200,
		latest: now + 310_400,
	});
	expect(forecast(['1100Mi', '1000Mi', '900Mi', '800Mi', '700Mi', '600Mi'])?.raised?.earliest).toBe(
		now + 10 * second,
	);
	expect(forecast(['4Gi', '4Gi', '4Gi'])?.raised).toBeNull();
});

test('a container that nears its own limit is told apart: the kernel kills it in place', () => {
	const limited = aNodePod('cart', {limits: {memory: '1Gi'}});
	const growing = [100, 110, 120].map((used, index) => ({
		seenAt: now - (2 - index) * 10 * second,
		summary: memoryLeft('4Gi', [memoryStats('cart', `${used + 850}Mi`)]),
	}));
	const {oomKills, evictions} = forecastPressure({...evidence([], [limited], []), samples: growing}, now);
	expect(evictions).toEqual([]);
	expect(oomKills).toMatchObject([
		{
			container: 'app',
			usage: bytes('970Mi'),
			crossing: {type: 'expected', at: {expected: now + 54 * second}},
		},
	]);
});

test('a minimum reclaim that may still be pursued is an eviction that may come', () => {
	const config = {...hard, evictionMinimumReclaim: {'memory.available': '300Mi'}};
	const conditions = [condition('MemoryPressure', now - minute)];
	const certain = (fields: Partial<PressureEvidence>) =>
		forecastPressure(
			evidence(['600Mi', '600Mi', '600Mi'], [cart], stats, {config, ...fields}),
			now,
		).evictions.map(({pod, isCertain}) => [pod.name, isCertain]);
	expect(certain({conditions})).toEqual([['cart', false]]);
	expect(certain({})).toEqual([]);
});

test('without statistics the conditions are what is left', () => {
	const conditions = [condition('MemoryPressure', now - minute)];
	const {config: _, ...bare} = evidence([], [core], [], {conditions});
	const forecast = forecastPressure(bare, now);
	expect(forecast.problems.map(({reason}) => reason)).toEqual(['NoStatistics', 'NoConfiguration']);
	expect(forecast.conditions[0]).toMatchObject({
		condition: 'MemoryPressure',
		isTrue: true,
		since: now - minute,
	});
	expect([forecast.signals, forecast.evictions, forecast.observedAt]).toEqual([[], [], null]);
	expect(forecast.protectedPods).toHaveLength(1);
});

test('without statistics PIDPressure is told too: no default threshold brings it, so its kubelet has one (rankPIDPressure)', () => {
	const conditions = [condition('PIDPressure', now - minute)];
	const {config: _, ...bare} = evidence([], [cart], [], {conditions});
	const forecast = forecastPressure(bare, now);
	expect(mayEvictWords(podKey(cart), forecast)).toMatch(/has PIDPressure: its kubelet may evict the pod$/);
});

test('each problem is told', () => {
	const reasons = (fields: Partial<PressureEvidence>, at = now) =>
		forecastPressure(evidence(['4Gi'], [cart], [], fields), at).problems.map(({reason}) => reason);
	expect(reasons({})).toEqual(['FileSystemsGuessed', 'FewStatistics', 'PodsWithoutStatistics']);
	expect(reasons({}, now + minute)).toContain('StaleStatistics');
	expect(reasons({config: {evictionHard: {'memory.available': 'much'}}})).toContain('BadConfiguration');
	expect(reasons({config: {evictionHard: defaultEvictionHard}})).toContain('SignalNotObserved');
});

const anyAmount = fc.oneof(fc.nat(), fc.constantFrom(0, 2 ** 53, '18446744073709551615', -1, null, 1.5, {}));
const anyTime = fc.constantFrom(
	null,
	'0001-01-01T00:00:00Z',
	'1970-01-01T00:09:59Z',
	'2099-01-01T00:00:00Z',
	'junk',
);
const anyFs = fc.record(
	{
		time: anyTime,
		availableBytes: anyAmount,
		capacityBytes: anyAmount,
		inodesFree: anyAmount,
		inodes: anyAmount,
	},
	{requiredKeys: []},
);
const anyMemory = fc.record(
	{time: anyTime, availableBytes: anyAmount, workingSetBytes: anyAmount},
	{requiredKeys: []},
);
const anySummary = fc.record(
	{
		node: fc.record(
			{
				memory: anyMemory,
				fs: anyFs,
				runtime: fc.record({imageFs: anyFs, containerFs: anyFs}, {requiredKeys: []}),
				rlimit: fc.record({time: anyTime, maxpid: anyAmount, curproc: anyAmount}, {requiredKeys: []}),
				systemContainers: fc.array(fc.record({name: fc.constant('pods'), memory: anyMemory})),
			},
			{requiredKeys: []},
		),
		pods: fc.array(
			fc.record({
				podRef: fc.record({uid: fc.constantFrom('uid-cart', 'uid-shop', '')}),
				memory: anyMemory,
				containers: fc.array(
					fc.record({name: fc.constant('app'), rootfs: anyFs, logs: anyFs, memory: anyMemory}),
				),
				volume: fc.array(anyFs),
			}),
			{maxLength: 3},
		),
	},
	{requiredKeys: []},
);

test('whatever a kubelet sends, there is a forecast and no exception', () => {
	fc.assert(
		fc.property(fc.array(anySummary, {maxLength: 5}), fc.nat({max: 100_000}), (summaries, age) => {
			const samples = summaries.map((summary, index) => ({
				seenAt: now + index * 7_000,
				summary: decodeSummary(summary),
			}));
			const config = {evictionHard: {...defaultEvictionHard, 'pid.available': '5%'}};
			const seen = {...evidence([], [cart, shop, core], []), samples, config};
			const forecast = forecastPressure(seen, now + samples.length * 7_000 + age);
			expect(forecast.problems.length).toBeGreaterThan(0);
			for (const {when} of forecast.evictions) {
				expect(Number.isFinite(when.earliest)).toBe(true);
				expect(when.latest ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(when.earliest);
			}
		}),
		{numRuns: 60},
	);
});

const [leak, calm] = [aNodePod('leak'), aNodePod('calm')];

/** Measurements every ten seconds with these amounts left: the leak takes 10Mi per second, the calm pod 500Mi. */
const leaking = (lefts: readonly number[], leakUses: number) =>
	lefts.map((left, index) => ({
		seenAt: now - (lefts.length - index) * 10 * second,
		summary: timed(
			memoryLeft(`${left}Mi`, [
				memoryStats('leak', `${leakUses + 100 * index}Mi`),
				memoryStats('calm', '500Mi'),
			]),
			now - (lefts.length - index) * 10 * second,
		),
	}));

test('what a victim gives back is not known until it is measured: nobody else is certain', () => {
	const samples = leaking([1000, 900, 800, 700, 600, 500, 400], 1000);
	const evicted = [{namespace: 'shop', name: 'leak', uid: 'uid-leak', at: now - 3 * second, message: ''}];
	const seen = {...evidence([], [calm], []), samples, evicted};
	expect(forecastPressure(seen, now).evictions).toMatchObject([{pod: {name: 'calm'}, isCertain: false}]);
	// Measured while it ended.
	const late = {...seen, evicted: evicted.map((one) => ({...one, at: now - 12 * second}))};
	expect(forecastPressure(late, now).evictions).toMatchObject([{pod: {name: 'calm'}, isCertain: false}]);
});

test('a pod that is being killed is not evicted once more', () => {
	const samples = leaking([1000, 900, 800, 700, 600, 500, 400], 1000);
	const names = (fields: Partial<PressureEvidence>) =>
		forecastPressure({...evidence([], [leak, calm], []), samples, ...fields}, now).evictions.map(
			({pod}) => pod.name,
		);
	expect(names({})[0]).toBe('leak');
	const report = {node: 'n1', reason: 'Evicted', at: now - second, message: '', pod: 'shop/leak'};
	expect(names({reports: [report]})).not.toContain('leak');
	expect(names({reports: [{...report, uid: 'of-another'}]})[0]).toBe('leak');
	expect(names({pods: [{...leak, deletionTimestamp: now + 20 * second}, calm]})).not.toContain('leak');
});

test('of pods that may overtake each other until then each may be the first; certain is only who goes in any case', () => {
	const samples = Array.from({length: 8}, (_, index) => {
		const seenAt = now - (7 - index) * 10 * second;
		const uses = [memoryStats('leak', `${300 + 50 * index}Mi`), memoryStats('calm', '790Mi')];
		const summary = timed(memoryLeft(`${1000 - 50 * index}Mi`, uses), seenAt);
		const wobble = BigInt(((index * 7) % 5) - 2) * bytes('12Mi');
		const pods = summary.pods.map((pod, at) =>
			at === 1
				? pod
				: {...pod, memory: {workingSetBytes: (pod.memory?.workingSetBytes ?? 0n) + wobble, time: seenAt}},
		);
		return {seenAt, summary: {...summary, pods}};
	});
	const {evictions} = forecastPressure({...evidence([], [leak, calm], []), samples}, now);
	const firsts = evictions.filter(({place}) => place.first === 1);
	expect(firsts.map(({pod}) => pod.name).toSorted()).toEqual(['calm', 'leak']);
	expect(firsts.find(({pod}) => pod.name === 'calm')?.isCertain).toBe(false);
});

test('a limit of storage that is neared is foretold, with its reason', () => {
	const volumes = [{name: 'scratch', kind: 'emptyDir' as const, medium: '', sizeLimit: parseQuantity('1Gi')}];
	const samples = Array.from({length: 8}, (_, index) => {
		const time = now - (7 - index) * 10 * second;
		const volume = {name: 'scratch', usedBytes: bytes(`${324 + 50 * index}Mi`), time};
		const pods = [{uid: 'uid-cart', containers: [], volumes: [volume]}];
		return {seenAt: time, summary: {...timed(memoryLeft('4Gi'), time), pods}};
	});
	const pod = aNodePod('cart', {}, {volumes});
	const [told] = forecastPressure({...evidence([], [pod], []), samples}, now).evictions;
	// 350Mi are left at 5Mi per second; a volume is measured at least every two minutes.
	expect(told).toMatchObject({pod: {name: 'cart'}, signals: ['emptydirfs.limit'], isCertain: true});
	expect(told?.message).toContain('Usage of EmptyDir volume "scratch" exceeds the limit "1Gi"');
	expect(told?.when.earliest).toBeLessThanOrEqual(now + 70 * second);
	expect(told?.when.earliest).toBeGreaterThanOrEqual(now + 50 * second);
	expect(told?.when.latest).toBeGreaterThanOrEqual(now + 190 * second);
	expect(told?.when.latest).toBeLessThanOrEqual(now + 215 * second);
});

/** Eight measurements of a node that falls by 5Mi per second from 1200Mi; one pod takes `growth` mebibytes of that. */
const falling = (growth: number, pod: NodePod) => {
	const samples = Array.from({length: 8}, (_, index) => {
		const seenAt = now - (7 - index) * 10 * second;
		const uses = [memoryStats('leak', `${300 + 10 * growth * index}Mi`), memoryStats('calm', '100Mi')];
		return {seenAt, summary: timed(memoryLeft(`${1200 - 50 * index}Mi`, uses), seenAt)};
	});
	const {evictions} = forecastPressure({...evidence([], [pod, calm], []), samples}, now);
	return new Map(evictions.map(({pod: {name}, isCertain, when}) => [name, {isCertain, latest: when.latest}]));
};

test('certain is only what pods are seen to take: what else falls may end, by itself or with any pod', () => {
	expect(falling(5, leak).get('leak')?.isCertain).toBe(true);
	// It frees everything that the node loses.
	expect(falling(5, leak).get('calm')?.isCertain ?? false).toBe(false);
	expect(falling(0, leak).get('leak')).toEqual({isCertain: false, latest: null});
	expect(falling(0, leak).get('calm')).toEqual({isCertain: false, latest: null});
});

test('a pod that began shortly before it was first looked at may be starting: what it takes is not certain to go on', () => {
	const judged = (startTime: number) => {
		const samples = leaking([1000, 900, 800, 700, 600], 800).map(({seenAt, summary}) => ({
			seenAt,
			summary: {...summary, pods: summary.pods.map((stats) => ({...stats, startTime}))},
		}));
		return forecastPressure({...evidence([], [leak, calm], []), samples}, now).evictions[0];
	};
	expect(judged(now - 50 * second)).toMatchObject({pod: {name: 'leak'}, isCertain: false});
	expect(judged(now - 10 * minute)).toMatchObject({pod: {name: 'leak'}, isCertain: true});
});

test('a pod takes no more than the limits of its containers, where the kernel stops it', () => {
	// 350Mi to the threshold from 650Mi on.
	const limited = (memory: string) => aNodePod('leak', {limits: {memory}});
	expect(falling(5, limited('1100Mi')).get('leak')?.isCertain).toBe(true);
	expect(falling(5, limited('900Mi')).get('leak')).toEqual({isCertain: false, latest: null});
});
