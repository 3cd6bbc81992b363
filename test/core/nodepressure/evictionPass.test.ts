import {expect, test} from 'vitest';
import {parseQuantity} from '../../../src/core/nodepressure/quantities/parseQuantity.ts';
import {
	aNodePod,
	bytes,
	evictionLoop,
	lines,
	memoryLeft,
	memoryStats,
	nodeFs,
	ScriptedNode,
} from '../../support/pressure.ts';

const hard = {evictionHard: {'memory.available': '500Mi'}};
const soft = {
	evictionSoft: {'memory.available': '1Gi'},
	evictionSoftGracePeriod: {'memory.available': '20s'},
	evictionMaxPodGracePeriod: 30,
};
const cart = aNodePod('cart');

/** The effects from now to `until` seconds, without the starts of passes. */
const told = (loop: ReturnType<typeof evictionLoop>, until: number) =>
	lines(loop.advanceTo(until * 1000)).filter((line) => !line.endsWith('passStarted'));

test('exactly the threshold is not below it', () => {
	const node = new ScriptedNode(memoryLeft('500Mi'), [cart]);
	const loop = evictionLoop(hard, node);
	expect(told(loop, 5)).toEqual([]);
	node.answer = {node: {memory: {availableBytes: bytes('500Mi') - 1n, workingSetBytes: 1n}}, pods: []};
	expect(told(loop, 10)).toContain('10s killed cart');
});

test('a soft threshold raises its condition at once, without grace', () => {
	const loop = evictionLoop(soft, new ScriptedNode(memoryLeft('700Mi'), [cart]));
	expect(told(loop, 19)).toEqual(['0s conditionChanged MemoryPressure=true']);
	expect(told(loop, 20)).toContain('20s killed cart');
});

test('one pass above a soft threshold begins its grace period anew', () => {
	const node = new ScriptedNode(memoryLeft('700Mi'), [cart]);
	const loop = evictionLoop(soft, node);
	told(loop, 5);
	node.answer = memoryLeft('2Gi');
	told(loop, 15);
	node.answer = memoryLeft('700Mi');
	expect(told(loop, 39)).toEqual([]);
	expect(told(loop, 40)).toContain('40s killed cart');
});

test('with a transition period of zero no condition is ever shown', () => {
	const config = {...hard, evictionPressureTransitionPeriod: '0s'};
	const loop = evictionLoop(config, new ScriptedNode(memoryLeft('1Mi'), [cart]));
	expect(told(loop, 0)).toEqual(['0s reclaimAttempted memory', '0s ranked cart', '0s killed cart']);
});

test('statistics without a time always count as new', () => {
	const node = new ScriptedNode(memoryLeft('1Mi'), [cart, aNodePod('shop')]);
	expect(told(evictionLoop(hard, node), 1)).toContain('1s killed shop');
	const measured = memoryLeft('1Mi');
	const old = {...measured, node: {memory: {...measured.node.memory, time: 5}}};
	const stale = evictionLoop(hard, new ScriptedNode(old, [cart, aNodePod('shop')]));
	expect(told(stale, 100).filter((line) => line.includes('killed'))).toEqual(['0s killed cart']);
});

test('where statistics fail nothing is forgotten, and grace periods run on', () => {
	const node = new ScriptedNode(memoryLeft('700Mi'), [cart]);
	const loop = evictionLoop(soft, node);
	told(loop, 5);
	node.answer = {error: 'no cgroup'};
	expect(told(loop, 15)).toEqual(['10s statsFailed']);
	node.answer = memoryLeft('700Mi');
	expect(told(loop, 20)).toContain('20s killed cart');
});

test('a threshold that was acted on stays met until its minimum reclaim is free as well, and raises its condition', () => {
	const node = new ScriptedNode(memoryLeft('1Mi'), [cart, aNodePod('shop')]);
	const config = {...hard, evictionMinimumReclaim: {'memory.available': '300Mi'}};
	const loop = evictionLoop(config, node);
	told(loop, 0);
	node.answer = memoryLeft('600Mi');
	expect(told(loop, 1)).toContain('1s killed shop');
	// The same amount causes no eviction if nothing was reclaimed before.
	expect(told(evictionLoop(config, new ScriptedNode(memoryLeft('600Mi'), [cart])), 60)).toEqual([]);
});

test('among several thresholds that may come first, chance decides', () => {
	const graces = [0, 1].map((choice) => {
		const node = new ScriptedNode(memoryLeft('700Mi'), [cart]);
		node.choice = choice;
		const loop = evictionLoop({...hard, ...soft}, node);
		loop.advanceTo(15_000);
		node.answer = memoryLeft('1Mi');
		const killed = loop.advanceTo(20_000).find(({effect}) => effect.type === 'killed')?.effect;
		return killed?.type === 'killed' ? killed.graceSeconds : undefined;
	});
	expect(graces).toEqual([1, 30]);
});

test("a soft eviction's grace of zero or less is passed on as it is", () => {
	const graceOf = (granted: number, own?: number) => {
		const pod = aNodePod('p', {}, own === undefined ? {} : {terminationGracePeriodSeconds: own});
		const loop = evictionLoop(
			{...soft, evictionMaxPodGracePeriod: granted},
			new ScriptedNode(memoryLeft('1Mi'), [pod]),
		);
		const killed = loop.advanceTo(20_000).find(({effect}) => effect.type === 'killed')?.effect;
		return killed?.type === 'killed' ? killed.graceSeconds : undefined;
	};
	expect([graceOf(0), graceOf(-1), graceOf(30), graceOf(30, 5), graceOf(5, 30)]).toEqual([0, -1, 30, 5, 5]);
});

const disk = {evictionHard: {'nodefs.available': '10Gi', 'nodefs.inodesFree': '5%'}};
const starved = {node: nodeFs('1Gi'), pods: []};
const relieved = {node: nodeFs('50Gi'), pods: []};

test('collecting garbage suffices only where no threshold of any signal is met any more, soft ones in grace included', () => {
	const node = new ScriptedNode(starved, [cart]);
	node.afterCollection = {node: {...relieved.node, ...memoryLeft('700Mi').node}, pods: []};
	expect(told(evictionLoop({...disk, ...soft}, node), 0)).toContain('0s killed cart');
});

test('containerfs thresholds that were not configured are evaluated from the second pass on', () => {
	const fs = {availableBytes: bytes('1Gi'), capacityBytes: bytes('100Gi')};
	const node = new ScriptedNode({node: {containerFs: fs}, pods: []}, [cart]);
	const loop = evictionLoop({evictionHard: {'nodefs.available': '10Gi'}}, node);
	expect(told(loop, 9)).toEqual([]);
	expect(told(loop, 10)).toContain('10s killed cart');
	const configured = {evictionHard: {'nodefs.available': '10Gi', 'containerfs.available': '1'}};
	const again = new ScriptedNode({node: {containerFs: fs}, pods: []}, [cart]);
	expect(told(evictionLoop(configured, again), 0)).toContain('0s killed cart');
});

const overLimit = (name: string, priority = 0) =>
	aNodePod(
		name,
		{limits: {'ephemeral-storage': '1Gi'}},
		{priority, volumes: [{name: 'scratch', kind: 'emptyDir', medium: '', sizeLimit: parseQuantity('1Gi')}]},
	);
const overLimitStats = (name: string) => ({
	...memoryStats(name, '1Gi'),
	ephemeralStorage: {usedBytes: bytes('2Gi')},
	volumes: [{name: 'scratch', usedBytes: bytes('2Gi')}],
});

test('any number of pods over their own storage limits are killed in one pass, and thresholds wait for newer statistics', () => {
	const measured = memoryLeft('1Mi', [overLimitStats('a'), overLimitStats('b')]);
	const answer = {...measured, node: {memory: {...measured.node.memory, time: 5}}};
	const node = new ScriptedNode(answer, [overLimit('a'), overLimit('b'), cart]);
	expect(told(evictionLoop(hard, node), 100)).toEqual([
		'0s conditionChanged MemoryPressure=true',
		'0s killed a',
		'0s killed b',
		'1s cleanedUp a+b',
	]);
});

test('a critical pod over several limits of its own is refused once for each', () => {
	const pods = [overLimit('core', 2_000_000_000)];
	const node = new ScriptedNode(memoryLeft('4Gi', [overLimitStats('core')]), pods);
	expect(told(evictionLoop(hard, node), 0)).toEqual(['0s criticalSkipped core', '0s criticalSkipped core']);
	expect(told(evictionLoop({...hard, localStorageCapacityIsolation: false}, node), 60)).toEqual([]);
});
