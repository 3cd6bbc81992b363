import {expect, test} from 'vitest';
import type {Pod} from '../../../src/core/model/pod.ts';
import type {Toleration} from '../../../src/core/model/toleration.ts';
import type {Simulation} from '../../../src/core/simulation/simulation.ts';
import {second} from '../../../src/core/time/instant.ts';
import {aNode, aPod, aTaint, tolerates} from '../../support/builders.ts';
import {aWorld, story} from '../../support/simulations.ts';

const web = (...tolerations: readonly Toleration[]) => aPod('web', {tolerations});

/** A node with a taint that its pod tolerates; only the eviction controller runs. */
function countdown(pod: Pod, alive: readonly string[] = ['n1']): Simulation {
	const simulation = aWorld({alive});
	simulation.adoptControllers();
	simulation.observe({type: 'nodeApplied', node: aNode('n1', {taints: [aTaint('gpu')]})});
	simulation.observe({type: 'podApplied', pod});
	return simulation;
}

const rest = (simulation: Simulation, ...sofar: readonly ReturnType<Simulation['advanceTo']>[]) =>
	story([...sofar.flat(), ...simulation.advanceTo(1000 * second)], /delete|cancel/);

const addTaint = (simulation: Simulation, key: string) =>
	simulation.editNode('n1', (node) => ({...node, taints: [...node.taints, aTaint(key)]}));

test.for([
	{name: 'a shorter one', seconds: 20},
	{name: 'a longer one', seconds: 500},
])(
	'a scheduled eviction keeps its time for any later toleration with a limit, be it shorter or longer: $name',
	({seconds}) => {
		const byTaint = countdown(web(tolerates('gpu', 100), tolerates('disk', seconds)));
		byTaint.advanceTo(5 * second);
		expect(rest(byTaint, addTaint(byTaint, 'disk'))).toEqual(['100 s: delete shop/web']);

		const byChange = countdown(web(tolerates('gpu', 100)));
		byChange.advanceTo(5 * second);
		const change = byChange.observe({type: 'podApplied', pod: web(tolerates('gpu', seconds))});
		expect(rest(byChange, change)).toEqual(['100 s: delete shop/web']);
	},
);

test('a pod that is Terminating gets a timer and a second delete like any other', () => {
	const simulation = countdown({...web(tolerates('gpu', 30)), deletionTimestamp: 10 * second}, []);
	expect(rest(simulation)).toEqual(['30 s: delete shop/web again']);
});

test("the timers of a deleted node's pods run on", () => {
	const simulation = countdown(web(tolerates('gpu', 30)));
	simulation.advanceTo(5 * second);
	expect(rest(simulation, simulation.observe({type: 'nodeDeleted', name: 'n1'}))).toEqual([
		'30 s: delete shop/web',
	]);
});

test('a pod that is not tolerated is deleted twice at a start, once for its node and once for itself', () => {
	const simulation = aWorld({nodes: [aNode('n1', {taints: [aTaint('gpu')]})], pods: [aPod('web')]});
	expect(story(simulation.startControllers(), /delete/)).toEqual([
		'0 s: delete shop/web',
		'0 s: delete shop/web again',
	]);
});
