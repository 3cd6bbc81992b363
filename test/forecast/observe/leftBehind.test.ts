import {expect, test} from 'vitest';
import {nodesIn, podOn, sceneOf, stopKubelets} from '../explain/scene.ts';

const down = ['a0', 'a1', 'a2', 'a3'];

// In v1.17 a node keeps its first place in its zone's queue: one that is deleted there is processed before later ones.
test.for([
	{at: 66, gone: ['a0', 'a3']},
	{at: 71, gone: ['a2']},
	{at: 71, gone: ['a1', 'a2']},
	{at: 74, gone: ['a2', 'a3']},
])('those that wait go after $gone, deleted in the queue, at $at s', ({at, gone}) => {
	const deletions = gone.map((node) => ({at: at - 1, do: 'delete-node' as const, node}));
	const scene = sceneOf(
		{
			nodes: nodesIn('a', 10),
			pods: down.map((node) => podOn(node, `on-${node}`, 7)),
			steps: [...stopKubelets(10.4, ...down), ...deletions],
		},
		{at, version: 'v1.17.17', watchFrom: 5},
	);
	const {nodes} = scene.forecaster.forecast(scene.now);
	const future = scene.future();
	const waiting = nodes.filter(({verdict}) => verdict === 'Queued');
	expect(waiting.length).toBeGreaterThan(0);
	for (const {name, noExecute} of waiting) {
		const taintedAt = future.get(`taint ${name}`);
		expect(taintedAt).toBeGreaterThanOrEqual(noExecute?.earliest ?? Number.NaN);
		expect(taintedAt).toBeLessThanOrEqual(noExecute?.latest ?? Number.NaN);
	}
});
