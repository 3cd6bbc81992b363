import {expect, test} from 'vitest';
import type {Node} from '../../../src/core/model/node.ts';
import type {Observation} from '../../../src/core/model/observation.ts';
import type {Pod} from '../../../src/core/model/pod.ts';
import {taintNotReady, taintUnreachable} from '../../../src/core/model/taint.ts';
import {type Disturbance, disturbancesOf} from '../../../src/forecast/ledger/disturbance.ts';
import {ClusterStore} from '../../../src/store/clusterStore.ts';
import {aCondition, aNode, aPod, aTaint, inZone} from '../../support/builders.ts';

/** The predictions that the second of two observations disturbs. */
function disturbed(first: Observation, second: Observation): readonly Disturbance[] {
	const store = new ClusterStore();
	store.apply([first], 0);
	return store.apply([second], 1).changes.flatMap((change) => disturbancesOf(change));
}

const applied = (fields: Partial<Node> = {}): Observation => ({
	type: 'nodeApplied',
	node: aNode('n1', fields),
});
const ready = (status: 'True' | 'False' | 'Unknown') => ({conditions: [aCondition('Ready', status)]});
const notReady = aTaint(taintNotReady);
const unreachable = aTaint(taintUnreachable);
const own = aTaint('maintenance');

const nodes = {type: 'nodes'};
const podsOf = (cause: string) => ({type: 'podsOf', node: 'n1', cause});

test.for<{name: string; before: Partial<Node>; after: Partial<Node>; want: readonly object[]}>([
	{name: 'a turn to Unknown is predicted', before: ready('True'), after: ready('Unknown'), want: []},
	{name: 'a return', before: ready('Unknown'), after: ready('True'), want: [nodes]},
	{name: 'another zone', before: {}, after: {labels: inZone('b')}, want: [nodes]},
	{name: 'a taint that is given', before: {}, after: {taints: [own]}, want: [podsOf('taintGiven')]},
	{name: 'a taint that is lost', before: {taints: [own]}, after: {}, want: [podsOf('taintLost')]},
	{
		name: "one of the controllers' own for its opposite",
		before: {taints: [notReady]},
		after: {taints: [unreachable]},
		want: [podsOf('taintReplaced')],
	},
	{
		name: 'the same with a time of its own',
		before: {taints: [{...own, timeAdded: 0}]},
		after: {taints: [{...own, timeAdded: 1}]},
		want: [podsOf('taintGiven')],
	},
	{name: 'nothing', before: {taints: [own]}, after: {taints: [own]}, want: []},
	{name: 'another node of its name', before: {}, after: {uid: 'other'}, want: [nodes, podsOf('nodeGone')]},
])('of a node: $name', ({before, after, want}) => {
	expect(disturbed(applied(before), applied(after))).toEqual(want);
});

test('a node that comes, and one that goes', () => {
	const store = new ClusterStore();
	const after = (observation: Observation) =>
		store.apply([observation], 0).changes.flatMap((change) => disturbancesOf(change));
	expect(after(applied())).toEqual([nodes, podsOf('nodeNew')]);
	expect(after({type: 'nodeDeleted', name: 'n1'})).toEqual([nodes, podsOf('nodeGone')]);
});

const podApplied = (fields: Partial<Pod> = {}): Observation => ({
	type: 'podApplied',
	pod: aPod('cart-0', fields),
});
const uid = aPod('cart-0').uid;

test.for<{name: string; after: Partial<Pod>; want: readonly object[]}>([
	{
		name: 'other tolerations',
		after: {tolerations: [{key: '', operator: 'Exists', value: '', effect: ''}]},
		want: [{cause: 'changed'}],
	},
	{name: 'another pod of its name', after: {uid: 'other'}, want: [{cause: 'replaced'}]},
	{name: 'its deletion is left to others', after: {deletionTimestamp: 5, tolerations: []}, want: []},
	{name: 'nothing', after: {}, want: []},
])('of a pod: $name', ({after, want}) => {
	const found = want.map((one) => ({type: 'pod', uid, ...one}));
	expect(disturbed(podApplied(), podApplied(after))).toEqual(found);
});
