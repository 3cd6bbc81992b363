import {expect, test} from 'vitest';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {aLease, aNode, aPod, aTaint, inZone, tolerates} from '../../support/builders.ts';
import {foreseeableIn} from './foreseeable.ts';
import {judge} from './judge.ts';
import type {Recording, Step} from './recording.ts';
import {blogTally, tally} from './statistics.ts';

const unreachable = 'node.kubernetes.io/unreachable';
const healthy = {type: 'leaseApplied', lease: aLease('a-1', 0)} as const;

const nothing: Recording = {
	name: 'made-up',
	title: 'Made up',
	startedAt: 0,
	kubernetesVersion: 'v1.36.3',
	flags: [],
	settings: settingsFor('v1.36.3'),
	observed: [{at: 0, observations: [healthy]}],
	snapshots: [],
	steps: [],
	changes: [],
	endedAt: 300_000,
};
const stop: Step = {at: 5000, kind: 'stop', nodes: ['a-1'], touches: ['a-1', 'a-2']};

test.for([
	{name: 'before the step', saidAt: 1000, happensAt: 60_000, want: false},
	{name: 'while nothing shows it', saidAt: 20_000, happensAt: 60_000, want: false},
	{name: 'when the node is known to be silent', saidAt: 20_500, happensAt: 60_000, want: true},
	{name: 'of something that comes before the step', saidAt: 1000, happensAt: 4000, want: true},
])('a forecast made $name', ({saidAt, happensAt, want}) => {
	const foreseeable = foreseeableIn({...nothing, steps: [stop]});
	expect(foreseeable('a-2', saidAt, happensAt)).toBe(want);
	expect(foreseeable('b-1', saidAt, happensAt)).toBe(true);
});

test('a restart is known when the new leader is heard of', () => {
	const lease = (acquireTime: number) => ({
		type: 'leaseApplied' as const,
		lease: {namespace: 'kube-system', name: 'kube-controller-manager', acquireTime},
	});
	const foreseeable = foreseeableIn({
		...nothing,
		observed: [
			{at: 11_000, observations: [lease(0)]},
			{at: 29_000, observations: [lease(28_900)]},
		],
		steps: [{at: 10_000, kind: 'restart', nodes: [], touches: ['a-1']}],
	});
	expect([28_000, 29_000].map((saidAt) => foreseeable('a-1', saidAt, 60_000))).toEqual([false, true]);
});

test('what a user does while the API server stands still is known once it tells of it', () => {
	const foreseeable = foreseeableIn({
		...nothing,
		observed: [
			{at: 10_000, observations: [healthy]},
			{at: 18_000, observations: [healthy], provenance: {type: 'late', since: 11_000}},
		],
		steps: [{at: 12_000, kind: 'taint', nodes: [], touches: ['a-1']}],
	});
	expect([14_000, 19_000].map((saidAt) => foreseeable('a-1', saidAt, 27_000))).toEqual([false, true]);
});

/** A node whose taint was observed at 10 s, long after the pass that detected it, and a pod that tolerates it for 20 s. */
const taint = aTaint(unreachable, {timeAdded: 10_000});
const node = aNode('a-1', {
	labels: inZone('a'),
	taints: [taint],
	conditions: [{type: 'Ready', status: 'Unknown', lastHeartbeatTime: -60_000, lastTransitionTime: 2000}],
});
const pod = aPod('a-1-brief', {nodeName: 'a-1', tolerations: [tolerates(unreachable, 20)]});
const tainted: Recording = {
	...nothing,
	observed: [
		{
			at: 10_050,
			observations: [
				{type: 'nodeApplied', node},
				{type: 'podApplied', pod},
			],
		},
	],
	snapshots: [
		{observedAt: 11_000, source: 'cluster', nodes: [node], leases: undefined, pods: [pod], problems: []},
	],
};

test.for([
	{name: 'in time', at: 30_100, inside: 2, blog: 1},
	{name: 'far too late', at: 60_000, inside: 0, blog: 0},
])('a deletion $name is judged for cold, warm and the blog formula', ({at, inside, blog}) => {
	const changes = [{at, object: 'pod/shop/a-1-brief', what: 'Terminating'}];
	const {deletions, alarms} = judge({...tainted, changes});
	expect(tally(deletions)).toMatchObject({count: 2, inside});
	expect(blogTally(deletions)).toEqual({count: 1, right: blog});
	expect([alarms.cold.size, alarms.warm.size, alarms.blog.size]).toEqual([0, 0, 0]);
});

test('a pod that was said to go and stays is a false alarm of all who said so', () => {
	const {deletions, alarms} = judge(tainted);
	expect(deletions).toEqual([]);
	expect([alarms.cold.size, alarms.warm.size, alarms.blog.size]).toEqual([1, 1, 1]);
});
