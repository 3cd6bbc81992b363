import {expect, test} from 'vitest';
import type {Pod} from '../../../src/core/model/pod.ts';
import type {Taint} from '../../../src/core/model/taint.ts';
import type {Toleration} from '../../../src/core/model/toleration.ts';
import type {Simulation} from '../../../src/core/simulation/simulation.ts';
import {noExecuteTaints} from '../../../src/core/tainteviction/taintEvictionController.ts';
import {type Instant, second} from '../../../src/core/time/instant.ts';
import {aNode, aPod, aTaint, tolerates} from '../../support/builders.ts';
import {aWorld, story} from '../../support/simulations.ts';

/** Node n1 with these pods; the eviction controller runs, the node lifecycle controller does not. */
function world({
	taints = [],
	pods = [],
}: {
	taints?: readonly Taint[];
	pods?: readonly Pod[];
} = {}): Simulation {
	const simulation = aWorld({alive: ['n1']});
	simulation.adoptControllers();
	simulation.observe({type: 'nodeApplied', node: aNode('n1', {taints})});
	for (const pod of pods) simulation.observe({type: 'podApplied', pod});
	return simulation;
}

const taint = (simulation: Simulation, ...taints: readonly Taint[]) =>
	simulation.editNode('n1', (node) => ({...node, taints}));

const apply = (simulation: Simulation, pod: Pod) => simulation.observe({type: 'podApplied', pod});

/** The effects on pods so far and up to an instant. */
const evictions = (simulation: Simulation, until: Instant, ...sofar: readonly ReturnType<typeof apply>[]) =>
	story([...sofar.flat(), ...simulation.advanceTo(until)], /delete|cancel/);

const patient = (seconds?: number, name = 'web') => aPod(name, {tolerations: [tolerates('gpu', seconds)]});

test('only NoExecute taints evict', () => {
	const taints = [
		aTaint('gpu'),
		aTaint('disk', {effect: 'NoSchedule'}),
		aTaint('net', {effect: 'PreferNoSchedule'}),
	];
	expect(noExecuteTaints(aNode('n1', {taints}))).toEqual([aTaint('gpu')]);
});

test.for<{name: string; pod: Pod; taints?: readonly Taint[]; want: readonly string[]}>([
	{name: 'a pod that is not bound is left alone', pod: aPod('web', {nodeName: ''}), want: []},
	{name: 'a pod on a node without taints is left alone', pod: aPod('web'), taints: [], want: []},
	{name: 'a pod that comes to a tainted node is deleted', pod: aPod('web'), want: ['0 s: delete shop/web']},
	{
		name: 'one that tolerates the taint for a while stays as long',
		pod: patient(100),
		want: ['100 s: delete shop/web'],
	},
	{name: 'one that tolerates it for ever stays', pod: patient(), want: []},
	{
		name: 'one that tolerates something else for ever is deleted',
		pod: aPod('web', {tolerations: [tolerates('disk')]}),
		want: ['0 s: delete shop/web'],
	},
])('$name', ({pod, taints = [aTaint('gpu')], want}) => {
	const simulation = world({taints});
	expect(evictions(simulation, 1000 * second, apply(simulation, pod))).toEqual(want);
});

test.for<{name: string; before: Pod; after: Pod; want: readonly string[]}>([
	{
		name: 'a pod that is bound to a tainted node is deleted',
		before: aPod('web', {nodeName: ''}),
		after: aPod('web'),
		want: ['5 s: delete shop/web'],
	},
	{
		name: 'not where it tolerates the taint',
		before: {...patient(), nodeName: ''},
		after: patient(),
		want: [],
	},
	{
		name: 'a pod whose toleration is taken away is deleted at once',
		before: patient(100),
		after: aPod('web'),
		want: ['5 s: cancel shop/web', '5 s: delete shop/web'],
	},
	{
		name: 'a longer toleration comes too late',
		before: patient(10),
		after: patient(100),
		want: ['10 s: delete shop/web'],
	},
	{
		name: 'a shorter one as well',
		before: patient(100),
		after: patient(10),
		want: ['100 s: delete shop/web'],
	},
	{
		name: 'a toleration for ever cancels',
		before: patient(100),
		after: patient(),
		want: ['5 s: cancel shop/web'],
	},
])('$name', ({before, after, want}) => {
	const simulation = world({taints: [aTaint('gpu')], pods: [before]});
	simulation.advanceTo(5 * second);
	expect(evictions(simulation, 1000 * second, apply(simulation, after))).toEqual(want);
});

test('a change of a pod that has nothing to do with tolerations changes nothing', () => {
	const simulation = world({taints: [aTaint('gpu')], pods: [patient(100)]});
	simulation.advanceTo(5 * second);
	const change = apply(simulation, {...patient(100), ready: 'False'});
	expect(evictions(simulation, 1000 * second, change)).toEqual(['100 s: delete shop/web']);
});

test('a pod that somebody deletes during its countdown is not deleted again', () => {
	const simulation = world({taints: [aTaint('gpu')], pods: [patient(100)]});
	const gone = simulation.observe({type: 'podDeleted', namespace: 'shop', name: 'web'});
	expect(evictions(simulation, 1000 * second, gone)).toEqual(['0 s: cancel shop/web']);
});

test.for<{name: string; node: readonly Taint[]; pod: Pod; want: readonly string[]}>([
	{name: 'a node without taints leaves its pods alone', node: [], pod: aPod('web'), want: []},
	{name: 'a tainted one does not', node: [aTaint('gpu')], pod: aPod('web'), want: ['0 s: delete shop/web']},
	{name: 'but for those that tolerate it', node: [aTaint('gpu')], pod: patient(), want: []},
])('when a node appears with pods bound already: $name', ({node, pod, want}) => {
	const simulation = aWorld({pods: [pod], alive: ['n1']});
	simulation.adoptControllers();
	const seen = simulation.observe({type: 'nodeApplied', node: aNode('n1', {taints: node})});
	expect(evictions(simulation, 1000 * second, seen)).toEqual(want);
});

const twice = (first: Toleration, second: Toleration) => aPod('web', {tolerations: [first, second]});

test.for<{name: string; pod: Pod; added: readonly Taint[]; want: readonly string[]}>([
	{
		name: 'a taint that is not tolerated deletes',
		pod: aPod('web'),
		added: [aTaint('gpu')],
		want: ['0 s: delete shop/web'],
	},
	{
		name: 'one that is tolerated waits',
		pod: patient(100),
		added: [aTaint('gpu')],
		want: ['100 s: delete shop/web'],
	},
	{
		name: 'of two taints both must be tolerated',
		pod: patient(100),
		added: [aTaint('gpu'), aTaint('disk')],
		want: ['0 s: delete shop/web'],
	},
	{
		name: 'of two tolerations the one that runs out first counts',
		pod: twice(tolerates('gpu', 1), tolerates('disk', 100)),
		added: [aTaint('gpu'), aTaint('disk')],
		want: ['1 s: delete shop/web'],
	},
	{
		name: 'a toleration for ever does not lengthen the other',
		pod: twice(tolerates('gpu'), tolerates('disk', 100)),
		added: [aTaint('gpu'), aTaint('disk')],
		want: ['100 s: delete shop/web'],
	},
])('when a node is tainted: $name', ({pod, added, want}) => {
	const simulation = world({pods: [pod]});
	expect(evictions(simulation, 1000 * second, taint(simulation, ...added))).toEqual(want);
});

test('when the taint goes, the eviction is cancelled; when it comes back, the countdown starts in full', () => {
	const simulation = world({pods: [patient(100)], taints: [aTaint('gpu')]});
	simulation.advanceTo(50 * second);
	expect(evictions(simulation, 60 * second, taint(simulation))).toEqual(['50 s: cancel shop/web']);
	expect(evictions(simulation, 1000 * second, taint(simulation, aTaint('gpu')))).toEqual([
		'160 s: delete shop/web',
	]);
});

test('when the taint that runs out goes and one that is tolerated for ever stays, the eviction is cancelled', () => {
	const simulation = world({pods: [twice(tolerates('gpu'), tolerates('disk', 60))]});
	const changes = [[aTaint('gpu')], [aTaint('gpu'), aTaint('disk')], [aTaint('gpu')]].map((taints, step) => {
		simulation.advanceTo(step * second);
		return taint(simulation, ...taints);
	});
	expect(evictions(simulation, 1000 * second, ...changes)).toEqual(['2 s: cancel shop/web']);
});

test('pods of one node go each at its time', () => {
	const simulation = world({pods: [aPod('now'), patient(1, 'soon'), patient(undefined, 'never')]});
	expect(evictions(simulation, 1000 * second, taint(simulation, aTaint('gpu')))).toEqual([
		'0 s: delete shop/now',
		'1 s: delete shop/soon',
	]);
});

test('all pods go at once where nobody tolerates all taints', () => {
	const simulation = world({pods: [aPod('now'), patient(1, 'soon'), patient(undefined, 'never')]});
	const deleted = evictions(simulation, 1000 * second, taint(simulation, aTaint('gpu'), aTaint('disk')));
	expect(deleted).toEqual(['never', 'now', 'soon'].map((name) => `0 s: delete shop/${name}`));
});

test.for([
	{name: 'one that tolerates nothing', pod: aPod('late'), want: ['5 s: delete shop/late']},
	{
		name: 'one that tolerates the taint for a while',
		pod: patient(100, 'late'),
		want: ['105 s: delete shop/late'],
	},
])('a pod that arrives after its node was emptied is not forgotten: $name', ({pod, want}) => {
	const simulation = world({pods: [aPod('first')], taints: [aTaint('gpu')]});
	simulation.advanceTo(5 * second);
	expect(evictions(simulation, 1000 * second, apply(simulation, pod))).toEqual(want);
});
