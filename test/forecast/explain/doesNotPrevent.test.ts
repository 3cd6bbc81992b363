import {expect, test} from 'vitest';
import type {ClusterSnapshot} from '../../../src/core/model/clusterSnapshot.ts';
import {isWithin, namesOf, nodesIn, podOn, reasonOf, sceneOf, stepOf, stopKubelets} from './scene.ts';

const excluded = 'node.kubernetes.io/exclude-disruption';
const [a0, ...others] = nodesIn('a', 3);

const oneDies = {
	nodes: [{...a0, name: 'a0', labels: {...a0?.labels, [excluded]: ''}}, ...others],
	pods: [podOn('a0', 'web', 60)],
	steps: stopKubelets(20, 'a0'),
};

test('BudgetIgnored and ExcludedFromDisruptionChecks: the pod goes all the same', () => {
	const scene = sceneOf(oneDies, {at: 100});
	const explanation = scene.explainPod('web');
	expect(namesOf(explanation, 'DoesNotPrevent')).toEqual(['ExcludedFromDisruptionChecks', 'BudgetIgnored']);
	expect(reasonOf(explanation, 'ExcludedFromDisruptionChecks').evidence[0]?.field).toBe(
		`metadata.labels[${excluded}]`,
	);
	const step = stepOf(explanation, /deletes the pod/);
	expect(isWithin(scene.future().get('delete default/web'), step)).toBe(true);
});

test('ExcludedFromDisruptionChecks: the node itself says so, and its zone does not count it', () => {
	const scene = sceneOf(oneDies, {at: 100});
	const node = scene.explain({kind: 'node', name: 'a0'});
	expect(namesOf(node, 'DoesNotPrevent')).toEqual(['ExcludedFromDisruptionChecks']);
	const zone = scene.explain({kind: 'zone', name: '<none>/a'});
	expect(stepOf(zone, /^zone <none>\/a is Normal: 0 of 2 nodes are not ready/).evidence).toContainEqual(
		expect.objectContaining({field: 'not counted', value: 'a0'}),
	);
});

test.for(['Succeeded', 'Failed'])('FinishedPod: one that has %s goes, too', (phase) => {
	const edit = (snapshot: ClusterSnapshot) => ({
		...snapshot,
		pods: snapshot.pods.map((pod) => ({...pod, phase})),
	});
	const scene = sceneOf(oneDies, {at: 100, edit});
	expect(reasonOf(scene.explainPod('web'), 'FinishedPod')).toMatchObject({
		what: `it is ${phase}, and is deleted all the same`,
		evidence: [{field: 'status.phase', value: phase}],
	});
	const pod = scene.player.simulation.state.pod('default/web');
	if (pod) scene.player.simulation.observe({type: 'podApplied', pod: {...pod, phase}});
	expect(scene.future().has('delete default/web')).toBe(true);
});

test('NodeGone: no toleration keeps a pod whose node is gone', () => {
	const steps = [{at: 50, do: 'delete-node' as const, node: 'a0'}];
	const pods = [{name: 'web', node: 'a0', tolerations: [{operator: 'Exists'}]}];
	const explanation = sceneOf({...oneDies, pods, steps}, {at: 70, watchFrom: 40}).explainPod('web');
	expect(explanation.verdict).toBe('Expected');
	expect(reasonOf(explanation, 'NodeGone')).toMatchObject({
		effect: 'DoesNotPrevent',
		evidence: [{field: 'spec.nodeName', value: 'a0'}],
	});
	expect(stepOf(explanation, /^the pod garbage collector deletes the pod/).at).not.toBeNull();
});
