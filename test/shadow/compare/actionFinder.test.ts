import {expect, test} from 'vitest';
import type {Observation} from '../../../src/core/model/observation.ts';
import type {Pod} from '../../../src/core/model/pod.ts';
import {second} from '../../../src/core/time/instant.ts';
import type {Interval} from '../../../src/forecast/observe/interval.ts';
import {ActionFinder} from '../../../src/shadow/compare/actionFinder.ts';
import {ClusterHistory} from '../../../src/shadow/compare/clusterHistory.ts';
import {ClusterStore} from '../../../src/store/clusterStore.ts';
import {aNode, aPod} from '../../support/builders.ts';

const now = 1000 * second;
const seen = {lo: now - 100, hi: now};
const goes = {type: 'podDeleted', namespace: 'shop', name: 'web'} as const;

/** A finder that is told what its store holds. */
function newFinder() {
	const store = new ClusterStore();
	const finder = new ActionFinder(new ClusterHistory(store));
	return (observations: readonly Observation[], at: number, during: Interval | undefined) =>
		finder.observe(store.apply(observations, at).changes, at, during);
}

/** What is found when the pod goes, after a first look at all of them. */
function foundAtEnd(pod: Pod, others: readonly Observation[]) {
	const observe = newFinder();
	observe([...others, {type: 'podApplied', pod}], now - 30 * second, undefined);
	const {actions, disturbances} = observe([goes], now, seen);
	return {actions: actions.map(({action}) => action), disturbances: disturbances.map(({type}) => type)};
}

const isDone = {actions: [], disturbances: ['pod']};
const isCollected = {actions: ['CollectPod'], disturbances: []};
const other: Observation = {type: 'nodeApplied', node: aNode('b')};
const marked = {evictedAt: now - second};

test.for<{name: string; pod: Pod; others: readonly Observation[]; want: object}>([
	{name: 'nodes may not be read', pod: aPod('web', {nodeName: 'a'}), others: [], want: isDone},
	{
		name: 'the same, of one that was evicted',
		pod: aPod('web', {nodeName: 'a', ...marked}),
		others: [],
		want: isDone,
	},
	{name: 'it has no node', pod: aPod('web', {nodeName: ''}), others: [other], want: isDone},
	{name: 'its node is gone', pod: aPod('web', {nodeName: 'a'}), others: [other], want: isCollected},
])('whether a pod is collected where $name', ({pod, others, want}) => {
	expect(foundAtEnd(pod, others)).toEqual(want);
});

test('a node whose end was seen is gone, though it was the last', () => {
	const observe = newFinder();
	observe(
		[
			{type: 'nodeApplied', node: aNode('a')},
			{type: 'podApplied', pod: aPod('web', {nodeName: 'a'})},
		],
		now - 60 * second,
		undefined,
	);
	observe([{type: 'nodeDeleted', name: 'a'}], now - 50 * second, {
		lo: now - 50 * second,
		hi: now - 50 * second,
	});
	expect(observe([goes], now, seen).actions.map(({action}) => action)).toEqual(['CollectPod']);
});
