import {expect, test} from 'vitest';
import {second} from '../../../src/core/time/instant.ts';
import {aForecaster} from '../../support/aForecaster.ts';
import {aNode, aPod, tolerates} from '../../support/builders.ts';
import {ClientView} from '../../support/clientView.ts';
import {aWorld} from '../../support/simulations.ts';

test.for([
	{name: 'when their node is tainted', tolerated: 20, lookAfter: 5},
	{name: 'once their node gets its taint', tolerated: 20, lookAfter: -5},
])('pods that are Terminating already take calls of the client again $name', ({tolerated, lookAfter}) => {
	const settings = {kubeApiQps: 2, kubeApiBurst: 2};
	const brief = {nodeName: 'n1', tolerations: [tolerates('node.kubernetes.io/unreachable', tolerated)]};
	const leaving = {...brief, deletionTimestamp: 20 * second, deletionGracePeriodSeconds: 0};
	const world = aWorld({
		nodes: ['n1', 'n2', 'n3'].map((name) => aNode(name)),
		alive: ['n2', 'n3'],
		pods: [aPod('z-victim', brief), ...Array.from({length: 12}, (_, index) => aPod(`a-${index}`, leaving))],
		settings,
	});
	const taintedAt = (play: ReturnType<typeof aWorld>) =>
		play
			.advanceTo(100 * second)
			.find(({effect}) => effect.type === 'taintAdded' && effect.taint.effect === 'NoExecute')?.at ?? 0;
	world.startControllers();
	const view = new ClientView(world);
	const now = taintedAt(world.fork()) + lookAfter * second;
	world.advanceTo(now);
	const {pods} = aForecaster(settings, view.list()).forecast(now);
	const goesAt = world
		.advanceTo(300 * second)
		.find(({effect}) => effect.type === 'podDeleted' && effect.pod.endsWith('victim'))?.at;
	const range = pods.find(({name}) => name === 'z-victim')?.eviction;
	expect(goesAt).toBeGreaterThan(range?.earliest ?? Number.NaN);
	expect(goesAt).toBeLessThan(range?.latest ?? Number.NaN);
});
