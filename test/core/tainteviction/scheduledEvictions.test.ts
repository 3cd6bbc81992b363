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

test('handled twice at one instant, a pod is cancelled and scheduled anew', () => {
	const simulation = countdown(web(tolerates('gpu', 100)));
	const change = simulation.observe({type: 'podApplied', pod: web(tolerates('gpu', 30))});
	expect(rest(simulation, change)).toEqual(['0 s: cancel shop/web', '30 s: delete shop/web']);
});

test('a toleration of no seconds at all comes too late as well', () => {
	const simulation = countdown(web(tolerates('gpu', 100)));
	simulation.advanceTo(5 * second);
	const change = simulation.observe({type: 'podApplied', pod: web(tolerates('gpu', 0))});
	expect(rest(simulation, change)).toEqual(['100 s: delete shop/web']);
});

test('a pod that is Terminating gets a timer and a second delete like any other', () => {
	const simulation = countdown({...web(tolerates('gpu', 30)), deletionTimestamp: 10 * second}, []);
	expect(rest(simulation)).toEqual(['30 s: delete shop/web again']);
});

test('a pod on a dead kubelet stays, Terminating, and is not deleted again by itself', () => {
	const simulation = countdown(web(tolerates('gpu', 30)), []);
	expect(rest(simulation)).toEqual(['30 s: delete shop/web']);
	expect(simulation.state.pod('shop/web')).toMatchObject({
		deletionTimestamp: 60 * second,
		isDisruptionTarget: true,
	});
});

test("the timers of a deleted node's pods run on", () => {
	const simulation = countdown(web(tolerates('gpu', 30)));
	simulation.advanceTo(5 * second);
	expect(rest(simulation, simulation.observe({type: 'nodeDeleted', name: 'n1'}))).toEqual([
		'30 s: delete shop/web',
	]);
});

test('a pod that comes to a deleted node finds no taints', () => {
	const simulation = countdown(web(tolerates('gpu')));
	simulation.observe({type: 'nodeDeleted', name: 'n1'});
	expect(rest(simulation, simulation.observe({type: 'podApplied', pod: aPod('late')}))).toEqual([]);
});

test('a pod that is not tolerated is deleted twice at a start, once for its node and once for itself', () => {
	const simulation = aWorld({nodes: [aNode('n1', {taints: [aTaint('gpu')]})], pods: [aPod('web')]});
	expect(story(simulation.startControllers(), /delete/)).toEqual([
		'0 s: delete shop/web',
		'0 s: delete shop/web again',
	]);
});

test('a cancelled eviction is told of once per pod and process', () => {
	const simulation = countdown(web(tolerates('gpu', 100)));
	const flaps = [1, 2, 3].flatMap((at) => {
		simulation.advanceTo(at * second);
		const off = simulation.editNode('n1', (node) => ({...node, taints: []}));
		return [...off, ...addTaint(simulation, 'gpu')];
	});
	expect(rest(simulation, flaps)).toEqual(['1 s: cancel shop/web', '103 s: delete shop/web']);
});

test('a pod of the same name that comes while the first is being deleted can be passed over', () => {
	const simulation = aWorld({alive: ['n1'], process: {callDuration: second}});
	simulation.adoptControllers();
	simulation.observe({type: 'nodeApplied', node: aNode('n1', {taints: [aTaint('gpu')]})});
	simulation.observe({type: 'podApplied', pod: web(tolerates('gpu', 10))});
	simulation.advanceTo(12.5 * second);
	const successor = simulation.observe({
		type: 'podApplied',
		pod: {...web(tolerates('gpu', 300)), uid: 'second'},
	});
	expect(rest(simulation, successor)).toEqual(['13 s: delete shop/web']);
});

test('the event that announces a deletion waits in the same line as its calls', () => {
	const simulation = aWorld({alive: ['n1'], settings: {kubeApiQps: 1, kubeApiBurst: 1}});
	simulation.adoptControllers();
	simulation.observe({type: 'nodeApplied', node: aNode('n1', {taints: [aTaint('gpu')]})});
	expect(rest(simulation, simulation.observe({type: 'podApplied', pod: aPod('web')}))).toEqual([
		'3 s: delete shop/web',
	]);
});

test.for([
	{name: 'value', change: {value: 'broken'}, want: ['5 s: delete shop/web']},
	{name: 'time', change: {timeAdded: 5 * second}, want: []},
])('a taint whose $name changes is looked at again', ({change, want}) => {
	const equal = {key: 'gpu', operator: 'Equal', value: '', effect: 'NoExecute'};
	const simulation = countdown(web(equal));
	simulation.advanceTo(5 * second);
	const seen = simulation.editNode('n1', (node) => ({...node, taints: [aTaint('gpu', change)]}));
	expect(rest(simulation, seen)).toEqual(want);
});
