import {expect, test} from 'vitest';
import type {DeviceTaint} from '../../../src/core/model/device.ts';
import type {Observation} from '../../../src/core/model/observation.ts';
import type {Pod} from '../../../src/core/model/pod.ts';
import {second} from '../../../src/core/time/instant.ts';
import type {Interval} from '../../../src/forecast/observe/interval.ts';
import {ActionFinder} from '../../../src/shadow/compare/actionFinder.ts';
import {ClusterHistory} from '../../../src/shadow/compare/clusterHistory.ts';
import {ClusterStore} from '../../../src/store/clusterStore.ts';
import {aNode, aPod, aTaint} from '../../support/builders.ts';

const now = 1000 * second;
const seen = {lo: now - 100, hi: now};
const goes = {type: 'podDeleted', namespace: 'shop', name: 'web'} as const;

/** A finder with its own store. */
function newFinder() {
	const store = new ClusterStore();
	const finder = new ActionFinder(new ClusterHistory(store));
	return (observations: readonly Observation[], at: number, during: Interval | undefined) =>
		finder.observe(store.apply(observations, at).changes, at, during);
}

/** The actions found when the pod is deleted, after a first list of everything. */
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

const device = {driver: 'gpu.example.com', pool: 'a', device: 'gpu-0'};

/** A device of node `a`, and the claim of the pod `web` for it. */
const deviceObjects = (taints: readonly DeviceTaint[]): readonly Observation[] => {
	const {driver, pool, device: name} = device;
	const of = {kind: 'ResourceSlice', name: 'a-gpus', driver, pool, generation: 1} as const;
	const allocated = [{...device, tolerations: []}];
	const reservedFor = [{name: 'web', uid: 'uid-of-web'}];
	const named = {kind: 'ResourceClaim', namespace: 'shop', name: 'gpu', uid: 'uid-of-gpu'} as const;
	return [
		{type: 'deviceObjectApplied', object: {...of, nodeName: 'a', devices: [{name, taints}]}},
		{type: 'deviceObjectApplied', object: {...named, allocated, reservedFor}},
	];
};

test.for<{name: string; taints: readonly DeviceTaint[]; deviceEvictedAt: number; want: object}>([
	{
		name: 'a device of its own is tainted',
		taints: [aTaint('broken', {timeAdded: now - second})],
		deviceEvictedAt: now - second,
		want: {actions: ['DeletePodForDevice'], disturbances: []},
	},
	{name: 'no device is tainted', taints: [], deviceEvictedAt: now - second, want: isDone},
	{
		name: 'the mark is of long ago',
		taints: [aTaint('broken', {timeAdded: now - second})],
		deviceEvictedAt: now - 300 * second,
		want: isDone,
	},
])('whether a pod went for its device where $name', ({taints, deviceEvictedAt, want}) => {
	const pod = aPod('web', {nodeName: 'a', claims: [{name: 'gpu', isGenerated: false}], deviceEvictedAt});
	const others: readonly Observation[] = [{type: 'nodeApplied', node: aNode('a')}, ...deviceObjects(taints)];
	expect(foundAtEnd(pod, others)).toEqual(want);
});

test.for(['PreemptionByScheduler', 'EvictionByEvictionAPI', 'TerminationByKubelet'] as const)(
	'who else announces the end of a pod is named once, and held to nothing: %s',
	(disruptedBy) => {
		const observe = newFinder();
		const pod = aPod('web', {nodeName: 'a'});
		const told = {...pod, isDisruptionTarget: true, disruptedBy};
		observe(
			[
				{type: 'nodeApplied', node: aNode('a')},
				{type: 'podApplied', pod},
			],
			now,
			undefined,
		);
		const announced = observe([{type: 'podApplied', pod: told}], now, seen);
		expect(announced).toMatchObject({actions: [], disrupters: [disruptedBy]});
		const ending = {...told, deletionTimestamp: now + 30 * second};
		const deleted = observe([{type: 'podApplied', pod: ending}], now, seen);
		expect(deleted).toMatchObject({actions: [], disturbances: [{type: 'pod'}], disrupters: []});
		// The changes in a first list happened at an unknown earlier time.
		expect(newFinder()([{type: 'podApplied', pod: told}], now, undefined).disrupters).toEqual([]);
	},
);
