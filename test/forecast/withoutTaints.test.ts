import {expect, test} from 'vitest';
import type {ClusterEvent} from '../../src/core/model/clusterEvent.ts';
import type {ControllerSettings} from '../../src/core/model/controllerSettings.ts';
import {settingsFor} from '../../src/core/model/versionProfile.ts';
import {second} from '../../src/core/time/instant.ts';
import {timeBudget} from '../../src/forecast/settings/timeBudget.ts';
import {aPod} from '../support/builders.ts';
import {defaultConfig} from '../support/scenarios.ts';
import {isWithin, nodesIn, podOn, sceneOf, stopKubelets} from './explain/scene.ts';

const settings: Partial<ControllerSettings> = {
	taintBasedEvictions: false,
	taintEviction: false,
	podEvictionTimeout: 120 * second,
};
const daemon = {ownerKind: 'DaemonSet', labels: {app: 'agent'}};

const oneDies = {
	config: {...defaultConfig, taintBasedEvictions: false, podEvictionTimeout: 120},
	nodes: [...nodesIn('a', 4), ...nodesIn('b', 3)],
	pods: [podOn('a0', 'web', 7), {...podOn('a0', 'agent', 7), ...daemon}, podOn('a1', 'well', 7)],
	steps: stopKubelets(20, 'a0'),
};
const sceneAt = (at: number) => sceneOf(oneDies, {at, version: 'v1.20.15'});

test('tolerations mean nothing: pods go once the node has had its time, except those of DaemonSets', () => {
	const scene = sceneAt(90);
	const {pods, nodes} = scene.forecaster.forecast(scene.now);
	const verdicts = pods.map(({name, verdict, cause}) => `${name} ${verdict} ${cause?.kind ?? ''}`.trim());
	expect(verdicts.toSorted()).toEqual(['agent Stays', 'web Expected NodeEviction', 'well Safe']);
	const web = pods.find(({name}) => name === 'web');
	const future = scene.future();
	expect(isWithin(future.get('delete default/web'), {at: web?.eviction ?? null})).toBe(true);
	expect(future.has('delete default/agent')).toBe(false);
	expect(nodes.find(({name}) => name === 'a0')).toMatchObject({verdict: 'Unknown', noExecute: null});
	expect(nodes.find(({name}) => name === 'a0')?.eviction?.latest).not.toBeNull();
});

test('where one renewal of the lease is overdue, its pods may go, whatever they tolerate', () => {
	const scene = sceneAt(26);
	const {pods, nodes} = scene.forecaster.forecast(scene.now);
	expect(nodes.find(({name}) => name === 'a0')?.verdict).toBe('Late');
	const judged = new Map(pods.map((pod) => [pod.name, pod] as const));
	const [web, agent] = [judged.get('web'), judged.get('agent')];
	expect(web).toMatchObject({verdict: 'Unsure', cause: {kind: 'NodeEviction'}, eviction: {latest: null}});
	expect(isWithin(scene.future().get('delete default/web'), {at: web?.eviction ?? null})).toBe(true);
	expect(agent?.verdict).toBe('Safe');
	expect(scene.explainPod('web').summary).toContain('One renewal of node a0 is overdue');
});

test('DaemonSetPod: what the eviction of its node leaves alone', () => {
	const {whyNot, summary} = sceneAt(90).explain({kind: 'pod', namespace: 'default', name: 'agent'});
	expect(whyNot.map(({reason}) => reason)).toContain('DaemonSetPod');
	expect(summary).toBe(
		'The pod is not evicted: the pods of DaemonSets are left alone when node a0 is evicted.',
	);
});

test('the chain tells of the timeout, and of the turn of the node', () => {
	const {steps} = sceneAt(90).explain({kind: 'pod', namespace: 'default', name: 'web'});
	const told = steps.map(({what}) => what).join('\n');
	expect(told).toContain('once its time is over (pod-eviction-timeout=2m0s)');
	expect(told).toContain('the turn of node a0 comes: its pods are deleted, except those of DaemonSets');
	expect(told).toContain('the node lifecycle controller deletes the pod');
	expect(told).not.toContain('gets the taint');
});

test.for([false, true])(
	'a node whose pods were deleted is Evicted, and says so; with an event: %s',
	(isReported) => {
		const at = {at: 136 * second, precision: 0};
		const deleting: ClusterEvent = {
			...{namespace: 'default', name: 'a0.1', reason: 'DeletingAllPods', about: 'a0'},
			...{first: at, last: at, createdAt: at.at},
		};
		const scene = sceneOf(oneDies, {
			...{at: 170, version: 'v1.20.15'},
			edit: (snapshot) => ({...snapshot, events: isReported ? [deleting] : []}),
		});
		const {nodes} = scene.forecaster.forecast(scene.now);
		expect(nodes.find(({name}) => name === 'a0')?.verdict).toBe('Evicted');
		const node = scene.explain({kind: 'node', name: 'a0'});
		expect(node.steps.map(({what}) => what).join()).toContain('the pods of node a0 were deleted');
		const facts = node.steps.flatMap(({evidence}) => evidence).map(({value}) => value);
		expect(facts).toContain('NodeLost');
		expect(facts).not.toContain(undefined);
		expect(facts.some((value) => value.includes('DeletingAllPods'))).toBe(isReported);
	},
);

test('what comes to a node that was evicted goes with the next pass', () => {
	const late = aPod('late', {nodeName: 'a0', createdAt: 169 * second});
	const scene = sceneOf(oneDies, {
		...{at: 170, version: 'v1.20.15'},
		edit: (snapshot) => ({...snapshot, pods: [...snapshot.pods, late]}),
	});
	const {pods} = scene.forecaster.forecast(scene.now);
	const told = pods.find(({name}) => name === 'late');
	expect(told).toMatchObject({verdict: 'Expected', eviction: {earliest: scene.now}});
	expect(told?.because.at(-1)).toMatch(/^between 00:02:15Z and 00:02:16Z the pods of node a0 were deleted/);
	expect(told?.eviction?.latest).toBeGreaterThan(scene.now + 5 * second);
	expect(told?.eviction?.latest).toBeLessThan(scene.now + 6 * second);
});

test('a node whose time is over is queued until its turn comes', () => {
	const scene = sceneOf({...oneDies, steps: stopKubelets(20, 'a0', 'a1')}, {at: 140, version: 'v1.20.15'});
	const verdicts = scene.forecaster.forecast(scene.now).nodes.map(({verdict}) => verdict);
	expect(verdicts.slice(0, 2)).toEqual(['Evicted', 'Queued']);
});

test('of nodes that wait, the one whose time was over first is next for sure', () => {
	const first = ['a0', 'a1', 'a2', 'a3'];
	const fiveDie = {
		config: oneDies.config,
		nodes: [...nodesIn('a', 12), ...nodesIn('b', 3)],
		pods: [...first, 'a4'].map((node) => podOn(node, `web-${node}`, 7)),
		steps: [...stopKubelets(20, ...first), ...stopKubelets(34, 'a4')],
	};
	const scene = sceneOf(fiveDie, {at: 158, version: 'v1.20.15'});
	const {nodes} = scene.forecaster.forecast(scene.now);
	const waiting = nodes.filter(({verdict}) => verdict === 'Queued');
	expect(
		waiting.map(({name, nextProbability}) => [name === 'a4' ? 'last' : 'first', nextProbability]),
	).toEqual([
		['first', 1],
		['last', 0],
	]);
});

test('where all zones are down the pods are held, and no taint is spoken of', () => {
	const steps = stopKubelets(20, ...[0, 1, 2, 3].map((n) => `a${n}`), ...[0, 1, 2].map((n) => `b${n}`));
	const scene = sceneOf({...oneDies, steps}, {at: 120, version: 'v1.20.15'});
	const {pods} = scene.forecaster.forecast(scene.now);
	const web = pods.find(({name}) => name === 'web');
	expect(web?.verdict).toBe('Held');
	expect(web?.held?.by).toBe('every zone is down, so all evictions are stopped');
});

test('the time budget counts from the last renewal to the end of the timeout', () => {
	const {steps, total} = timeBudget({...settingsFor('v1.20.15'), ...settings}, 300, 10);
	expect(steps.map(({to}) => to)).toEqual(['queued for eviction', 'deletion']);
	expect(total?.lo).toBeGreaterThan(120 * second);
	expect(total?.hi).toBeLessThan(132 * second);
});
