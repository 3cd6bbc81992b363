import {expect, test} from 'vitest';
import {nothingRelated, type Related} from '../../src/core/model/workloads/related.ts';
import type {NodeForecast} from '../../src/forecast/nodeForecast.ts';
import type {After, PodForecast} from '../../src/forecast/podForecast.ts';
import {afterContext, afterOf} from '../../src/impact/after.ts';
import {withAfter} from '../../src/impact/withAfter.ts';
import {aForecast, aNodeForecast, aPodForecast} from '../print/forecasts.ts';
import {aNode, aTaint} from '../support/builders.ts';
import {aController, aTemplate, relatedTo} from './related.ts';

const owner = (kind: string, name = 'web') => ({kind, name, uid: name});
const alive = aNodeForecast({name: 'n1', node: aNode('n1')});
const dead = aNodeForecast({name: 'n1', node: aNode('n1'), verdict: 'Tainted', ready: 'Unknown'});
const outOfService = {
	...dead,
	node: aNode('n1', {taints: [aTaint('node.kubernetes.io/out-of-service')]}),
};
const other = aNodeForecast({name: 'n2', node: aNode('n2')});

function after(
	pod: Partial<PodForecast>,
	node: NodeForecast = dead,
	related: Related = nothingRelated,
): After | null {
	return afterOf(
		aPodForecast({phase: 'Running', ...pod}),
		afterContext({pods: [], nodes: [node, other]}, related),
	);
}

test.for<{owner: PodForecast['owner']; want: After['outcome']}>([
	{owner: owner('ReplicaSet'), want: 'Replaced'},
	{owner: undefined, want: 'Lost'},
])('whom a kubelet evicts ends as Failed, and hangs nowhere: $want', ({owner: of, want}) => {
	const cause = {kind: 'NodePressure', signals: ['memory.available']} as const;
	const found = after({verdict: 'Expected', cause, owner: of}, alive);
	expect(found?.outcome).toBe(want);
	expect(found?.detail).toContain('it ends as Failed (Evicted), its object stays');
	expect(found?.ghost).toBeUndefined();
});

test.for<{
	name: string;
	pod: Partial<PodForecast>;
	on?: NodeForecast;
	want: After['outcome'];
	detail?: RegExp;
}>([
	{name: 'a bare pod is lost', pod: {}, want: 'Lost', detail: /stays Terminating until its kubelet is back/},
	{name: 'a bare pod is lost on a live node', pod: {}, on: alive, want: 'Lost'},
	{
		name: "a ReplicaSet's is replaced",
		pod: {owner: owner('ReplicaSet')},
		want: 'Replaced',
		detail: /at once/,
	},
	{name: "a StatefulSet's blocks it", pod: {owner: owner('StatefulSet')}, want: 'Blocked', detail: /6 min/},
	{
		name: "a StatefulSet's is made anew where its kubelet can end it",
		pod: {owner: owner('StatefulSet')},
		on: alive,
		want: 'Replaced',
		detail: /once it is gone/,
	},
	{
		name: "a StatefulSet's is made anew where its node is out of service",
		pod: {owner: owner('StatefulSet')},
		on: outOfService,
		want: 'Replaced',
		detail: /within 20 s/,
	},
	{
		name: "a StatefulSet's is made anew where its node is deleted",
		pod: {owner: owner('StatefulSet'), cause: {kind: 'NodeDeleted'}},
		want: 'Replaced',
	},
	{
		name: "a DaemonSet's that tolerates stays",
		pod: {owner: owner('DaemonSet'), verdict: 'Stays'},
		want: 'Stays',
	},
	{
		name: "a DaemonSet's that does not is not made again there",
		pod: {owner: owner('DaemonSet')},
		on: alive,
		want: 'Blocked',
	},
	{name: 'a static one restarts', pod: {owner: owner('Node')}, want: 'Restarted'},
	{
		name: 'a static one that nothing evicts stays',
		pod: {owner: owner('Node'), verdict: 'Stays', eviction: null},
		want: 'Stays',
		detail: /^static pod: /,
	},
	{name: "a Job's is made again after a while", pod: {owner: owner('Job')}, want: 'Replaced', detail: /10 s/},
	{name: 'another owner decides', pod: {owner: owner('Rollout')}, on: alive, want: 'Unknown'},
	{
		name: 'another owner does not help on a dead node',
		pod: {owner: owner('Rollout')},
		want: 'StuckTerminating',
	},
	{
		name: 'what is Terminating on a dead node has been replaced, and stays',
		pod: {owner: owner('ReplicaSet'), verdict: 'Terminating', eviction: null},
		want: 'Replaced',
		detail: /^its ReplicaSet has made another; its object stays Terminating until/,
	},
	{
		name: 'what nothing owns is lost after its deletion as before it',
		pod: {verdict: 'Terminating', eviction: null},
		want: 'Lost',
	},
	{
		name: "a DaemonSet's that is Terminating on a dead node is stuck",
		pod: {owner: owner('DaemonSet'), verdict: 'Terminating', eviction: null},
		want: 'StuckTerminating',
	},
])('$name', ({pod, on, want, detail}) => {
	const said = after(pod, on);
	expect(said?.outcome).toBe(want);
	if (detail) expect(said?.detail).toMatch(detail);
});

test('safe pods, and those that a live kubelet ends, need no word', () => {
	expect(after({verdict: 'Safe', eviction: null})).toBeNull();
	expect(after({verdict: 'Terminating', eviction: null}, alive)).toBeNull();
});

test('a pod on a dead node that still says Running is a ghost', () => {
	expect(after({})?.ghost).toBe(true);
	expect(after({}, outOfService)?.ghost).toBe(true);
	expect(after({phase: 'Succeeded'})?.ghost).toBeUndefined();
	expect(after({}, alive)?.ghost).toBeUndefined();
});

test('a Job that has no failure left is lost', () => {
	const related = relatedTo([
		aController('web', {kind: 'Job', backoff: {limit: 2, failed: 2, waitsForEnd: false}}),
	]);
	expect(after({owner: owner('Job')}, dead, related)).toMatchObject({outcome: 'Lost'});
});

test('a pod that is deleted is one of the failures of its Job already', () => {
	const of = (failed: number) =>
		after(
			{owner: owner('Job'), verdict: 'Terminating', eviction: null},
			dead,
			relatedTo([aController('web', {kind: 'Job', backoff: {limit: 2, failed, waitsForEnd: false}})]),
		)?.outcome;
	expect([of(2), of(3)]).toEqual(['Replaced', 'Lost']);
});

test('a Job that replaces only what has ended waits for it', () => {
	const backoff = {limit: 6, failed: 0, waitsForEnd: true};
	const related = relatedTo([aController('web', {kind: 'Job', backoff})]);
	expect(after({owner: owner('Job')}, dead, related)).toMatchObject({outcome: 'Blocked'});
	expect(after({owner: owner('Job')}, alive, related)).toMatchObject({outcome: 'Replaced'});
});

test('the back-off of a Job counts from when the pod stopped being ready, which on a dead node is long before its deletion', () => {
	expect(after({owner: owner('Job')})?.detail).toMatch(/another 10 s after the pod stopped being ready/);
	expect(after({owner: owner('Job')}, alive)?.detail).toMatch(/another 10 s later, twice/);
});

test('where a new pod finds a node is said as far as it is known', () => {
	const ask = (template: Parameters<typeof aTemplate>[0]) =>
		after(
			{owner: owner('ReplicaSet')},
			dead,
			relatedTo([aController('web', {template: aTemplate(template)})]),
		);
	expect(ask({})).toMatchObject({
		placement: 'Unknown',
		detail: expect.stringContaining('1 node may take it, but what runs'),
	});
	expect(ask({nodeSelector: {disk: 'ssd'}})).toMatchObject({
		placement: 'None',
		detail: expect.stringContaining(
			'no node takes it: 1 not ready, 1 without the labels of its node selector',
		),
	});
});

test('a forecast says it of each of its pods, and what could not be read', () => {
	const problem = {reason: 'ServicesForbidden', message: 'no'};
	const forecast = aForecast({
		pods: [aPodForecast({after: null}), aPodForecast({verdict: 'Safe', after: null})],
		nodes: [dead],
	});
	const told = withAfter(forecast, relatedTo([], {problems: [problem]}));
	expect(told.pods.map((pod) => pod.after?.outcome)).toEqual(['Lost', undefined]);
	expect(told.problems).toContainEqual(problem);
});
