import {expect, test} from 'vitest';
import {second} from '../../../src/core/time/instant.ts';
import {Range} from '../../../src/forecast/range.ts';
import {whenWords} from '../../../src/forecast/words.ts';
import {defaultConfig} from '../../support/scenarios.ts';
import {isWithin, namesOf, nodesIn, podOn, reasonOf, sceneOf, stepOf, stopKubelets} from './scene.ts';

const node = (name: string) => ({kind: 'node', name}) as const;

const threeDie = {
	nodes: [...nodesIn('a', 8), ...nodesIn('b', 3)],
	pods: [podOn('a0', 'web', 60), podOn('a0', 'log')],
	steps: stopKubelets(20, 'a0', 'a1', 'a2'),
};

test('a silent node: when it turns Unknown, and what happens to its pods', () => {
	const scene = sceneOf(threeDie, {at: 45});
	const explanation = scene.explain(node('a0'));
	expect(explanation.verdict).toBe('Silent');
	expect(explanation.summary).toMatch(
		/^Node a0 is silent: it turns Unknown .*, and it gets the NoExecute taint between .* and .*\. Its pods: 1 Expected, 1 Stays; the next is deleted between .* and .*\.$/,
	);
	const future = scene.future();
	expect(isWithin(future.get('a0 Unknown'), stepOf(explanation, /to Unknown/))).toBe(true);
	expect(isWithin(future.get('taint a0'), {at: explanation.eviction})).toBe(true);
	expect(stepOf(explanation, /next monitor pass begins/).evidence[0]?.note).toBe(
		"known from: the controllers' start",
	);
});

test('a taint that need not come is told as one, as its zone may be stopped before', () => {
	const nodes = [...nodesIn('a', 5), ...nodesIn('b', 2)];
	const steps = [...stopKubelets(20, 'b0', 'b1'), ...stopKubelets(24, 'a0', 'a1', 'a2')];
	const explanation = sceneOf({...threeDie, nodes, steps}, {at: 60}).explain(node('a0'));
	expect(explanation.summary).toMatch(
		/, and it may get the NoExecute taint at .* or later\. Its pods: 1 Unsure, 1 Stays; the next may be deleted at .* or later\.$/,
	);
	expect(stepOf(explanation, /the taint node/).what).toBe(
		'node a0 may get the taint node.kubernetes.io/unreachable:NoExecute',
	);
});

test('nodes that wait: which is next is chance', () => {
	const scene = sceneOf(threeDie, {at: 67});
	const waiting = ['a0', 'a1', 'a2'].filter((name) => scene.explain(node(name)).verdict === 'Queued');
	expect(waiting).toHaveLength(2);
	const explanation = scene.explain(node(waiting[0] ?? ''));
	const step = stepOf(explanation, /waits for that with 1 other node, in random order \(1 in 2\)$/);
	expect(step.rule).toMatch(/node-eviction-rate=0.1 allows one node every 10s; .* in random order$/);
	const future = scene.future();
	const first = Math.min(...waiting.map((name) => future.get(`taint ${name}`) ?? 0));
	expect(isWithin(first, step)).toBe(true);
});

test.for([
	{version: 'v1.36.3', rule: /^it is queued in the pass that sets Ready to Unknown/},
	{version: 'v1.33.1', rule: /^it is queued one pass after Ready turned Unknown \(before v1.34\)/},
])('when a node is queued, in $version', ({version, rule}) => {
	const scene = sceneOf(threeDie, {at: 45, version});
	const step = stepOf(scene.explain(node('a0')), /gets the taint/);
	expect(step.rule).toMatch(rule);
	expect(isWithin(scene.future().get('taint a0'), step)).toBe(true);
});

test('a held node: what stops its zone, and when the first would get its taint', () => {
	const falls = {...threeDie, nodes: [...nodesIn('a', 4), ...nodesIn('b', 3)]};
	const steps = [...falls.steps, {at: 120, do: 'start-kubelet' as const, node: 'a1'}];
	const scene = sceneOf({...falls, steps}, {at: 119.9});
	const held = ['a0', 'a2']
		.map((name) => scene.explain(node(name)))
		.filter(({verdict}) => verdict === 'Held');
	expect(held.length).toBeGreaterThan(0);
	const {what, effect} = reasonOf(held[0] ?? scene.explain(node('a0')), 'ZoneStopped');
	expect(effect).toBe('Prevents');
	expect(what).toMatch(
		/Evictions resume when .*\. If they resumed now, the first of \d nodes? waiting in zone <none>\/a would get its taint between/,
	);
	expect(held[0]?.summary).toMatch(
		/^Node a\d would get the NoExecute taint, but evictions in zone <none>\/a are stopped/,
	);
});

test('taints that keep pods away are told from those that evict', () => {
	const steps = [...threeDie.steps, {at: 30, do: 'cordon' as const, node: 'a0'}];
	const explanation = sceneOf({...threeDie, steps}, {at: 67}).explain(node('a0'));
	expect(stepOf(explanation, /unschedulable:NoSchedule keeps new pods away, and evicts nobody/).rule).toBe(
		'only NoExecute evicts',
	);
});

test('a condition that is True where it should not be', () => {
	const condition = {type: 'DiskPressure', status: 'True' as const};
	const steps = [{at: 30, do: 'set-condition' as const, node: 'b0', condition}];
	const explanation = sceneOf({...threeDie, steps}, {at: 60}).explain(node('b0'));
	expect(stepOf(explanation, /^condition DiskPressure turned True/).at).toBe(30 * second);
	expect(explanation).toMatchObject({
		verdict: 'Healthy',
		summary: 'Node b0 is ready, but DiskPressure is True: its kubelet evicts pods by its own rules.',
	});
	expect(namesOf(explanation, 'Prevents')).toEqual(['OnlyNoSchedule']);
});

test("a condition that is not the kubelet's evicts nothing, whatever its name", () => {
	const condition = {type: 'NetworkPressure', status: 'True' as const};
	const steps = [{at: 30, do: 'set-condition' as const, node: 'b0', condition}];
	const {summary} = sceneOf({...threeDie, steps}, {at: 60}).explain(node('b0'));
	expect(summary).not.toContain('by its own rules');
});

test('a healthy node with a taint of a user is well, but its pods go', () => {
	const taint = {key: 'gpu', effect: 'NoExecute' as const};
	const pods = [
		{name: 'gpu', node: 'b0', tolerations: [{key: 'gpu', operator: 'Exists', tolerationSeconds: 60}]},
	];
	const steps = [{at: 30, do: 'add-taint' as const, node: 'b0', taint}];
	const scene = sceneOf({...threeDie, pods, steps}, {at: 60, watchFrom: 20});
	const explanation = scene.explain(node('b0'));
	expect(explanation.verdict).toBe('Healthy');
	const {eviction} = scene.explainPod('gpu');
	expect(explanation.summary).toBe(
		`Node b0 is well, but it carries a NoExecute taint: pods that do not tolerate it are evicted. Its pods: 1 Scheduled; the next is deleted ${whenWords(eviction, 60 * second)}.`,
	);
	expect(isWithin(scene.future().get('delete default/gpu'), {at: eviction})).toBe(true);
});

test('a throttled pass: how far it is', () => {
	const nodes = [...nodesIn('a', 20), ...nodesIn('b', 20)];
	const pods = nodes
		.filter(({name}) => name.startsWith('a'))
		.flatMap(({name}) => Array.from({length: 40}, (_, index) => podOn(name, `${name}-${index}`, 300)));
	const names = nodes.filter(({name}) => name.startsWith('a')).map(({name}) => name);
	const config = {...defaultConfig, kubeApiQps: 20, kubeApiBurst: 30};
	const scene = sceneOf({nodes, pods, config, steps: stopKubelets(12, ...names)}, {at: 85});
	const unknown = names.filter((name) => scene.explain(node(name)).verdict !== 'Silent').length;
	const silent = names.find((name) => scene.explain(node(name)).verdict === 'Silent') ?? '';
	const explanation = scene.explain(node(silent));
	const step = stepOf(explanation, /^a monitor pass began, and is still under way/);
	// The pass before it set six, and was over five seconds before this one began.
	expect(step.what).toContain(`it set ${unknown - 6} nodes to Unknown, about ${20 - unknown} are left`);
	expect(step.rule).toMatch(/^kube-api-qps=20, kube-api-burst=30/);
	const [earliest, latest] = (step.evidence[0]?.value ?? '').split('/').map((time) => Date.parse(time));
	const future = scene.future();
	const last = Math.max(...names.flatMap((name) => future.get(`${name} Unknown`) ?? []));
	expect(isWithin(last, {at: new Range(earliest ?? 0, 0, latest ?? null)})).toBe(true);
	expect(isWithin(future.get(`${silent} Unknown`), stepOf(explanation, /sets Ready of node/))).toBe(true);
});
