import {expect, test} from 'vitest';
import {second} from '../../../src/core/time/instant.ts';
import {isWithin, nodesIn, podOn, sceneOf, stopKubelets} from '../explain/scene.ts';

/** The two remaining nodes of a zone of four renew their leases at these times, modulo 10 s. */
test.for([
	[1, 6],
	[5, 2],
	[5, 8],
	[7, 4],
])(
	'the loss of the rest of a zone, which may be stopped for a pass between: its pods go for sure (%d, %d)',
	([a2 = 0, a3 = 0]) => {
		const lost = ['a2', 'a3'];
		const phases: Readonly<Record<string, number>> = {a2, a3};
		const nodes = [...nodesIn('a', 4), ...nodesIn('b', 3)];
		const scene = sceneOf(
			{
				nodes: nodes.map((node) => ({...node, leasePhase: phases[node.name] ?? 0.5})),
				pods: lost.map((node) => podOn(node, `on-${node}`, 60)),
				steps: [...stopKubelets(20, 'a0', 'a1'), ...stopKubelets(100, ...lost)],
			},
			{at: 99.9},
		);
		const changes = lost.map((node) => ({type: 'nodeDown' as const, node, at: 100 * second}));
		const {pods} = scene.forecaster.whatIf(changes, scene.now);
		expect(pods).toMatchObject(lost.map(() => ({effect: 'added', after: {verdict: 'Expected'}})));
		const future = scene.future();
		for (const {after} of pods)
			expect(isWithin(future.get(`delete default/${after.name}`), {at: after.eviction})).toBe(true);
	},
);
