import {expect, test} from 'vitest';
import {isWithin, nodesIn, podOn, reasonOf, sceneOf, stepOf, stopKubelets} from './scene.ts';

const zone = {kind: 'zone', name: '<none>/a'} as const;
const someDie = (size: number, ...down: number[]) => ({
	nodes: [...nodesIn('a', size), ...nodesIn('b', 3)],
	steps: stopKubelets(20, ...down.map((index) => `a${index}`)),
});
const first = (count: number) => Array.from({length: count}, (_, index) => index);

test.for([
	{
		size: 20,
		down: 11,
		state: 'PartialDisruption',
		why: '11 of 20 nodes are not ready: more than two, and at least 0.55 of all',
	},
	{size: 13, down: 7, state: 'Normal', why: '7 of 13 nodes are not ready: less than 0.55 of all'},
	{size: 3, down: 2, state: 'Normal', why: '2 of 3 nodes are not ready, not more than two'},
	{size: 3, down: 0, state: 'Normal', why: '0 of 3 nodes are not ready'},
	{size: 2, down: 2, state: 'FullDisruption', why: '2 of 2 nodes are not ready'},
])('the arithmetic of $state with $down of $size', ({size, down, state, why}) => {
	const scene = sceneOf(someDie(size, ...first(down)), {at: 80});
	const explanation = scene.explain(zone);
	expect(explanation.verdict).toBe(state);
	expect(scene.player.simulation.controllers?.lifecycle.zones.state(':\0:a')).toBe(state);
	const step = stepOf(explanation, /^zone <none>\/a is /);
	expect(step.what).toBe(`zone <none>/a is ${state}: ${why}`);
	expect(step.rule).toContain('unhealthy-zone-threshold=0.55');
});

test.for([
	{size: 4, down: 1, rate: /is Normal: node-eviction-rate=0.1 allows one node every 10s$/},
	{size: 4, down: 4, rate: /is FullDisruption: node-eviction-rate=0.1 allows one node every 10s$/},
	{
		size: 5,
		down: 3,
		rate: /with 5 nodes, not more than large-cluster-size-threshold=50: no node is tainted$/,
	},
	{
		size: 51,
		down: 30,
		rate: /with 51 nodes, more than .*=50: secondary-node-eviction-rate=0.01 allows one node every 1m40s$/,
	},
])('the rate with $down of $size down', ({size, down, rate}) => {
	const explanation = sceneOf(someDie(size, ...first(down)), {at: 80}).explain(zone);
	const words = explanation.steps.map(({what}) => what);
	expect(words.some((what) => rate.test(what))).toBe(true);
});

test('a rate that is not known is told as its range, with what follows from the one that is expected', () => {
	const source = {kind: 'profile', detail: 'v1.36.3'} as const;
	const rate = {name: 'node-eviction-rate', unit: 'number', value: 0.1, source} as const;
	const settings = [{...rate, range: [0.01, 10], isInDoubt: true}] as const;
	const explanation = sceneOf(someDie(4, ...first(4)), {at: 80}).explain(zone, {settings});
	expect(explanation.steps.map(({what}) => what)).toContainEqual(
		expect.stringMatching(/is FullDisruption: node-eviction-rate=0.01-10 allows one node every 10s at 0.1$/),
	);
});

test('the next token, who waits for it, and what brings another state', () => {
	const scene = sceneOf(someDie(6, 0, 1, 2), {at: 67});
	const explanation = scene.explain(zone);
	const token = stepOf(
		explanation,
		/^the zone may taint one more node: 2 nodes wait, and their order is random \(1 in 2 each\)$/,
	);
	expect(explanation.steps.map(({what}) => what)).toContain(
		'if 1 more of its nodes fails: evictions stop (PartialDisruption)',
	);
	const future = scene.future();
	const next = ['a0', 'a1', 'a2'].flatMap((name) => future.get(`taint ${name}`) ?? []);
	expect(isWithin(Math.min(...next), token)).toBe(true);
});

test('each of the waiting nodes in turn, to the second, whoever it is', () => {
	// Its pods, marked not ready, prove that a node was ready before.
	const pods = first(4).map((index) => podOn(`a${index}`, `web-${index}`, 300));
	const scene = sceneOf({...someDie(12, 0, 1, 2, 3), pods}, {at: 67});
	const explanation = scene.explain(zone);
	const taints = first(3).map((index) =>
		stepOf(explanation, new RegExp(`^the ${['1st', '2nd', '3rd'][index]} of 3 waiting nodes is tainted$`)),
	);
	const future = scene.future();
	const times = first(4).flatMap((index) => future.get(`taint a${index}`) ?? []);
	expect(times).toHaveLength(3);
	for (const [index, at] of times.toSorted((a, b) => a - b).entries()) {
		const step = taints[index];
		expect(step && isWithin(at, step)).toBe(true);
		const when = step?.at;
		expect(typeof when === 'object' && when && (when.latest ?? Number.NaN) - when.earliest).toBeLessThan(
			2000,
		);
	}
});

test('the taint of a node that is silent, but not Unknown yet', () => {
	const scene = sceneOf(someDie(12, 0, 1), {at: 55});
	const step = stepOf(
		scene.explain(zone),
		/^the 2nd taint of the zone goes to a node that turns Unknown by then$/,
	);
	const future = scene.future();
	const times = first(2).flatMap((index) => future.get(`taint a${index}`) ?? []);
	expect(isWithin(Math.max(...times), step)).toBe(true);
});

test('of many taints the first are told one by one', () => {
	const scene = sceneOf(someDie(40, ...first(12)), {at: 67});
	const words = scene.explain(zone).steps.map(({what}) => what);
	expect(words.filter((what) => what.endsWith('of 6 waiting nodes is tainted'))).toHaveLength(6);
	expect(
		words.some((what) => /^3 more taints follow in the next 15 minutes, the last between .* and /.test(what)),
	).toBe(true);
});

test('a stopped zone: the same reason as its pods have, and no token', () => {
	const explanation = sceneOf(someDie(5, 0, 1, 2), {at: 80}).explain(zone);
	expect(reasonOf(explanation, 'ZoneStopped').rule).toContain('nodes that have their taint keep it');
	expect(explanation.steps.some(({what}) => what.includes('may taint one more node'))).toBe(false);
	expect(explanation.summary).toBe(
		'Zone <none>/a is PartialDisruption: 3 of 5 nodes are not ready; no further node gets a taint (running countdowns continue), 3 nodes wait for their taints.',
	);
	expect(explanation.steps.map(({what}) => what)).toContain(
		'if 1 of its nodes recovers: evictions resume at 0.1/s (Normal)',
	);
});

test('how fast nodes are tainted is said only as long as a node waits for its taint, or may come to', () => {
	const summaryAt = (at: number) => sceneOf(someDie(6, 0, 1), {at}).explain(zone).summary;
	expect(summaryAt(67)).toBe(
		'Zone <none>/a is Normal: 2 of 6 nodes are not ready; one node tainted every 10s, 1 node waits for its taint.',
	);
	expect(summaryAt(100)).toBe('Zone <none>/a is Normal: 2 of 6 nodes are not ready; none waits for a taint.');
});

test('where every zone is down, its rate is told by that alone', () => {
	const down = {
		nodes: [...nodesIn('a', 4), ...nodesIn('b', 2)],
		steps: stopKubelets(20, 'a0', 'a1', 'a2', 'a3', 'b0', 'b1'),
	};
	const {steps, whyNot} = sceneOf(down, {at: 100}).explain(zone);
	const stop = 'every zone is down, so no further node gets the NoExecute taint';
	expect(steps.map(({what}) => what)).toContain(stop);
	expect(whyNot[0]?.what).toContain(
		`${stop}. Evictions resume when a node of another zone recovers, or 2 nodes of this zone do. If they resumed now,`,
	);
});

test('what does not exist is not explained', () => {
	const {forecaster, now} = sceneOf(someDie(3), {at: 30});
	const targets = [
		{kind: 'zone', name: 'a'},
		{kind: 'node', name: 'nope'},
		{kind: 'pod', namespace: 'default', name: 'nope'},
	] as const;
	expect(targets.map((target) => forecaster.explain(target, now))).toEqual([undefined, undefined, undefined]);
});

test('of a zone without a node that is not ready, it is not told how fast nodes get taints', () => {
	const {summary} = sceneOf(someDie(4, 0), {at: 45}).explain(zone);
	expect(summary).toBe(
		'Zone <none>/a is Normal: all 4 nodes are ready, 1 of them silent, and none waits for a taint.',
	);
});
