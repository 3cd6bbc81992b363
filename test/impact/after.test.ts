import {expect, test} from 'vitest';
import type {Pod} from '../../src/core/model/pod.ts';
import type {JobRules} from '../../src/core/model/workloads/jobRules.ts';
import {nothingRelated, type Related} from '../../src/core/model/workloads/related.ts';
import type {NodeForecast} from '../../src/forecast/nodeForecast.ts';
import type {After, PodForecast} from '../../src/forecast/podForecast.ts';
import {Range} from '../../src/forecast/range.ts';
import {Aftermath} from '../../src/impact/after.ts';
import {withAfter} from '../../src/impact/withAfter.ts';
import {aForecast, aNodeForecast, aPodForecast, now} from '../print/forecasts.ts';
import {aNode, aPod, aTaint} from '../support/builders.ts';
import {aController, aJob, aTemplate, relatedTo} from './related.ts';

const owner = (kind: string, name = 'web') => ({kind, name, uid: name});
const alive = aNodeForecast({name: 'n1', node: aNode('n1')});
const dead = aNodeForecast({name: 'n1', node: aNode('n1'), verdict: 'Tainted', ready: 'Unknown'});
const outOfService = {...dead, node: aNode('n1', {taints: [aTaint('node.kubernetes.io/out-of-service')]})};
/** Its kubelet is alive, and tells that it synchronizes no pods. */
const idle: NodeForecast = {
	...alive,
	ready: 'False',
	node: aNode('n1', {
		conditions: [
			{
				type: 'Ready',
				status: 'False',
				lastHeartbeatTime: now,
				lastTransitionTime: now,
				message: 'PLEG is not healthy',
			},
		],
	}),
};
const other = aNodeForecast({
	name: 'n2',
	node: aNode('n2', {allocatable: {cpu: 8000, memory: 2 ** 35, pods: 110}}),
});

type Case = {
	readonly pod?: Partial<PodForecast>;
	/** What its object has beside that. */
	readonly object?: Partial<Pod>;
	readonly on?: NodeForecast;
	readonly related?: Related;
	/** Other pods of the forecast. */
	readonly others?: readonly PodForecast[];
	readonly kubernetesVersion?: string;
};

function afterIn({
	pod,
	object,
	on = dead,
	related = nothingRelated,
	others = [],
	kubernetesVersion,
}: Case): After | null {
	const forecast = aPodForecast({
		phase: 'Running',
		object: aPod('cart-0', {nodeName: 'n1', phase: pod?.phase ?? 'Running', ...object}),
		...pod,
	});
	const of = {pods: [forecast, ...others], nodes: [on, other], observedAt: now};
	return new Aftermath({...of, ...(kubernetesVersion !== undefined && {kubernetesVersion})}, related).of(
		forecast,
	);
}

const after = (pod: Partial<PodForecast>, on?: NodeForecast, related?: Related) =>
	afterIn({pod, ...(on && {on}), ...(related && {related})});

const terminating = {verdict: 'Terminating', eviction: null} as const;

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

test.for<Case & {name: string; want: After['outcome']; detail?: RegExp}>([
	{name: 'a bare pod is lost', want: 'Lost', detail: /stays Terminating until the kubelet is back/},
	{name: 'a bare pod is lost on a live node', on: alive, want: 'Lost'},
	{
		name: "a ReplicaSet's is replaced",
		pod: {owner: owner('ReplicaSet')},
		want: 'Replaced',
		detail: /at once/,
	},
	{
		name: 'a ReplicaSet that was scaled to zero makes no other',
		pod: {owner: owner('ReplicaSet'), ...terminating},
		related: relatedTo([aController('web', {desired: 0, replicas: 0})]),
		want: 'NotNeeded',
		detail: /wants no pods/,
	},
	{
		name: 'a ReplicaSet that was scaled to zero makes no other, though its pod is not deleted yet',
		pod: {owner: owner('ReplicaSet')},
		related: relatedTo([aController('web', {desired: 0, replicas: 0})]),
		want: 'NotNeeded',
		detail: /wants no pods/,
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
		name: 'until v1.25 an out-of-service taint forces nothing',
		pod: {owner: owner('StatefulSet')},
		on: outOfService,
		kubernetesVersion: 'v1.25.3',
		want: 'Blocked',
	},
	{
		name: "a StatefulSet's is made anew where its node is deleted",
		pod: {owner: owner('StatefulSet'), cause: {kind: 'NodeDeleted'}},
		want: 'Replaced',
	},
	{
		name: 'a pod without a grace period goes with the request, whatever its kubelet does',
		pod: {owner: owner('StatefulSet')},
		object: {gracePeriodSeconds: 0},
		want: 'Replaced',
		detail: /at once$/,
	},
	{
		name: 'a pod that has ended goes with the request',
		pod: {phase: 'Failed', owner: owner('StatefulSet')},
		want: 'Replaced',
		detail: /at once$/,
	},
	{
		name: 'a finalizer keeps it, and what waits for it',
		pod: {owner: owner('StatefulSet')},
		object: {finalizers: ['example.com/protect']},
		on: outOfService,
		want: 'Blocked',
		detail: /until the finalizer example.com\/protect is removed/,
	},
	{
		name: 'a kubelet whose runtime is down ends no pods, though it is alive',
		pod: {owner: owner('StatefulSet')},
		on: idle,
		want: 'Blocked',
		detail: /until the container runtime of its node works again \(it reports "PLEG is not healthy"/,
	},
	{
		name: 'a kubelet that should have ended it long ago is told of',
		pod: {owner: owner('ReplicaSet'), ...terminating},
		object: {deletionTimestamp: now - 600_000, deletionGracePeriodSeconds: 30},
		on: alive,
		want: 'Replaced',
		detail: /its kubelet should have ended it by .*, and has not/,
	},
	...(
		[
			['its kubelet is alive', alive, 'at once'],
			['its kubelet is silent', dead, 'when it is back'],
			['its runtime is down', idle, 'once its container runtime works again'],
			['its Node is gone', other, 'once its Node is registered again'],
		] as const
	).map(([name, on, when]) => ({
		name: `the object of a deleted static pod is made again: ${name}`,
		pod: {owner: owner('Node', 'n1'), ...terminating},
		object: {isMirror: true, deletionTimestamp: now + 20_000, deletionGracePeriodSeconds: 30},
		on,
		want: 'Restarted' as const,
		detail: new RegExp(`keeps running it, and makes its object again ${when}$`),
	})),
	{
		name: 'a StatefulSet deletes its pod that has ended, and makes it again',
		pod: {owner: owner('StatefulSet'), phase: 'Failed'},
		want: 'Replaced',
		detail: /^StatefulSet web deletes it as it has ended, and makes it again at once/,
	},
	{
		name: "a DaemonSet's that fails comes again, later after each failure",
		pod: {owner: owner('DaemonSet'), cause: {kind: 'NodePressure', signals: ['memory.available']}},
		on: alive,
		want: 'Replaced',
		detail:
			/once it has deleted this one \(at once, then later after each failure: 1s, 2s and so on up to 15m\)/,
	},
	{
		name: 'a DaemonSet whose template names another node makes none there',
		pod: {owner: owner('DaemonSet')},
		on: alive,
		related: relatedTo([aController('web', {kind: 'DaemonSet', template: aTemplate({nodeName: 'n9'})})]),
		want: 'Blocked',
		detail: /while its template names another node/,
	},
	{
		name: 'an owner that is being deleted makes no other (syncReplicaSet)',
		pod: {owner: owner('ReplicaSet')},
		related: relatedTo([aController('web', {desired: 0, isDeleted: true})]),
		want: 'NotNeeded',
		detail: /^its ReplicaSet is being deleted, and makes no other/,
	},
	{
		name: "a DaemonSet's that tolerates stays",
		pod: {owner: owner('DaemonSet'), verdict: 'Stays'},
		want: 'Stays',
	},
	{
		name: "a DaemonSet's is made again where it tolerates the taint for a time",
		pod: {
			owner: owner('DaemonSet'),
			cause: {kind: 'Taint', taint: 'maintenance:NoExecute', tolerationSeconds: 60},
		},
		on: {...alive, node: aNode('n1', {taints: [aTaint('maintenance')]})},
		related: relatedTo([
			aController('web', {
				kind: 'DaemonSet',
				template: aTemplate({
					tolerations: [
						{key: 'maintenance', operator: 'Exists', value: '', effect: '', tolerationSeconds: 60},
					],
				}),
			}),
		]),
		want: 'Replaced',
		detail: /evicted again after 60s/,
	},
	{
		name: "a DaemonSet's is not made again where its template does not tolerate the taint",
		pod: {owner: owner('DaemonSet')},
		on: {...alive, node: aNode('n1', {taints: [aTaint('maintenance')]})},
		related: relatedTo([aController('web', {kind: 'DaemonSet'})]),
		want: 'Blocked',
		detail: /has the taint maintenance:NoExecute/,
	},
	{name: 'a static one restarts', pod: {owner: owner('Node')}, want: 'Restarted'},
	{
		name: 'a static one that nothing evicts stays',
		pod: {owner: owner('Node'), verdict: 'Stays', eviction: null},
		want: 'Stays',
		detail: /^static pod: /,
	},
	{name: 'another owner decides', pod: {owner: owner('Rollout')}, on: alive, want: 'Unknown'},
	{
		name: 'another owner decides about a dead node, too',
		pod: {owner: owner('Rollout')},
		want: 'Unknown',
		detail: /^the controller of its Rollout decides .*; its object stays Terminating until/,
	},
	{
		name: 'what is Terminating on a dead node has been replaced, and stays',
		pod: {owner: owner('ReplicaSet'), ...terminating},
		want: 'Replaced',
		detail: /^its ReplicaSet has made another; its object stays Terminating until/,
	},
	{name: 'what nothing owns is lost after its deletion as before it', pod: terminating, want: 'Lost'},
	{
		name: "a DaemonSet's that is Terminating on a dead node is stuck",
		pod: {owner: owner('DaemonSet'), ...terminating},
		want: 'StuckTerminating',
	},
])('$name', ({want, detail, ...of}) => {
	const said = afterIn(of);
	expect(said?.outcome).toBe(want);
	if (detail) expect(said?.detail).toMatch(detail);
});

test('safe pods, and those that a live kubelet ends, need no word', () => {
	expect(after({verdict: 'Safe', eviction: null})).toBeNull();
	expect(after(terminating, alive)).toBeNull();
});

test('a pod on a dead node that still says Running is a ghost', () => {
	expect(after({})?.ghost).toBe(true);
	expect(after({}, outOfService)?.ghost).toBe(true);
	expect(after({phase: 'Succeeded'})?.ghost).toBeUndefined();
	expect(after({}, alive)?.ghost).toBeUndefined();
});

/** A pod of the StatefulSet `web`. */
const ofSet = (ordinal: number, fields: Partial<PodForecast> = {}) =>
	aPodForecast({name: `web-${ordinal}`, uid: `web-${ordinal}`, owner: owner('StatefulSet'), ...fields});

test.for<{name: string; first: Partial<PodForecast>; isParallel?: true; want: After['outcome']}>([
	{name: 'a lower ordinal that nobody ends', first: {node: 'gone-silent'}, want: 'Blocked'},
	{name: 'a lower ordinal that is not ready', first: {verdict: 'Safe', ready: 'False'}, want: 'Blocked'},
	{name: 'in parallel, no other', first: {node: 'gone-silent'}, isParallel: true, want: 'Replaced'},
	{name: 'none, if the lower ordinal goes as well and is made again', first: {node: 'n1'}, want: 'Replaced'},
])('what a StatefulSet waits for: $name', ({first, isParallel = false, want}) => {
	const silent = aNodeForecast({name: 'gone-silent', node: aNode('gone-silent'), ready: 'Unknown'});
	const pods = [ofSet(1), ofSet(0, first)];
	const related = relatedTo([aController('web', {kind: 'StatefulSet', ordinals: {start: 0, isParallel}})]);
	const aftermath = new Aftermath({pods, nodes: [alive, silent], observedAt: now}, related);
	expect(aftermath.of(ofSet(1))?.outcome).toBe(want);
});

test('a StatefulSet does not make an ordinal again that it no longer wants', () => {
	const related = relatedTo([
		aController('web', {kind: 'StatefulSet', desired: 1, ordinals: {start: 0, isParallel: false}}),
	]);
	const pod = ofSet(1);
	const said = new Aftermath({pods: [pod], nodes: [dead], observedAt: now}, related).of(pod);
	expect(said).toMatchObject({outcome: 'NotNeeded', detail: expect.stringContaining('wants web-0 only')});
});

/** Asks about a pod of a Job that has these rules. */
const ofJob = (rules: Partial<JobRules>, of: Case = {}) =>
	afterIn({
		...of,
		pod: {owner: owner('Job'), ...of.pod},
		related: relatedTo([aController('web', {kind: 'Job', job: aJob(rules)})]),
	});

const ignoresDisruption = [
	{action: 'Ignore', conditions: [{type: 'DisruptionTarget', status: 'True'}]},
] as const;
const failsOnDisruption = [{...ignoresDisruption[0], action: 'FailJob'}] as const;

test.for<{name: string; rules: Partial<JobRules>; of?: Case; want: After['outcome']; detail?: RegExp}>([
	{
		name: 'another comes after a while',
		rules: {},
		want: 'Replaced',
		detail: /10 s after the pod stopped being ready/,
	},
	{
		name: 'a Job has failed by its deadline before its pod goes',
		rules: {deadline: now + 20_000},
		of: {pod: {eviction: new Range(now + 30_000, now + 31_000, now + 32_000)}},
		want: 'Lost',
		detail: /has failed by then, as its activeDeadlineSeconds are over/,
	},
	{
		name: 'whether a deadline comes before its pod goes may be open',
		rules: {deadline: now + 31_000},
		of: {pod: {eviction: new Range(now + 30_000, now + 31_000, now + 32_000)}},
		want: 'Unknown',
		detail: /unless its activeDeadlineSeconds are over before/,
	},
	{name: 'a deadline after that ends nothing yet', rules: {deadline: now + 3_600_000}, want: 'Replaced'},
	{name: 'a Job that has no failure left fails', rules: {backoffLimit: 2, failed: 2}, want: 'Lost'},
	{
		name: 'until v1.24 a pod that is being deleted is no failure',
		rules: {backoffLimit: 0},
		of: {kubernetesVersion: 'v1.24.17'},
		want: 'Replaced',
		detail: /at once/,
	},
	{
		name: 'until v1.24 a pod that its kubelet ends is one',
		rules: {backoffLimit: 0},
		of: {pod: {cause: {kind: 'NodePressure'}}, on: alive, kubernetesVersion: 'v1.24.17'},
		want: 'Lost',
	},
	{name: 'a Job that is over makes none', rules: {ended: 'Complete'}, want: 'NotNeeded'},
	{
		name: 'what has succeeded is not made again',
		rules: {},
		of: {pod: {phase: 'Succeeded'}},
		want: 'NotNeeded',
	},
	{
		name: 'a Job that replaces only what has ended waits for it',
		rules: {replacesOnlyFailed: true},
		want: 'Blocked',
	},
	{
		name: 'which a live kubelet ends',
		rules: {replacesOnlyFailed: true},
		of: {on: alive},
		want: 'Replaced',
		detail: /once it has ended/,
	},
	{
		name: 'until v1.28 a podReplacementPolicy means nothing',
		rules: {replacesOnlyFailed: true},
		of: {kubernetesVersion: 'v1.28.1'},
		want: 'Replaced',
	},
	{
		name: 'a Job with a podFailurePolicy waits for the end as well',
		rules: {failurePolicy: ignoresDisruption},
		want: 'Blocked',
	},
	{
		name: 'until v1.27 it does not wait, and counts no failure',
		rules: {failurePolicy: ignoresDisruption, backoffLimit: 0},
		of: {kubernetesVersion: 'v1.27.1'},
		want: 'Replaced',
	},
	{
		name: 'an ignored failure does not count',
		rules: {failurePolicy: ignoresDisruption, backoffLimit: 0},
		of: {on: outOfService},
		want: 'Replaced',
		detail: /Ignore/,
	},
	{
		name: 'FailJob fails the Job',
		rules: {failurePolicy: failsOnDisruption},
		of: {on: alive},
		want: 'Lost',
		detail: /FailJob/,
	},
	{
		name: 'once the pod has ended',
		rules: {failurePolicy: failsOnDisruption},
		want: 'Blocked',
		detail: /then its Job fails/,
	},
	{
		name: 'until v1.25 no podFailurePolicy counts',
		rules: {failurePolicy: failsOnDisruption},
		of: {on: alive, kubernetesVersion: 'v1.25.3'},
		want: 'Replaced',
	},
	{
		name: 'a rule about exit codes that comes first decides, and they are not known',
		rules: {
			failurePolicy: [
				{action: 'FailJob', exitCodes: {isIn: true, values: [143]}, conditions: []},
				...ignoresDisruption,
			],
		},
		of: {on: alive},
		want: 'Unknown',
	},
	{
		name: 'an index without failures left is not started again',
		rules: {isIndexed: true, completions: 3, parallelism: 3, backoffLimitPerIndex: 0},
		of: {object: {completionIndex: 1}},
		want: 'Lost',
		detail: /index 1/,
	},
	{
		name: 'one that has some left is',
		rules: {isIndexed: true, completions: 3, parallelism: 3, backoffLimitPerIndex: 2},
		of: {object: {completionIndex: 1, indexFailures: 1}},
		want: 'Replaced',
	},
	{
		name: 'a Job without completions that has succeeded once starts none any more',
		rules: {completions: undefined, succeeded: 1, parallelism: 3, active: 2},
		want: 'NotNeeded',
	},
])('of a Job, $name', ({rules, of, want, detail}) => {
	const said = ofJob(rules, of);
	expect(said?.outcome).toBe(want);
	if (detail) expect(said?.detail).toMatch(detail);
});

test('a deleted pod that its Job has counted is one of its failures already', () => {
	const of = (failed: number, finalizers?: readonly string[]) =>
		ofJob({backoffLimit: 2, failed}, {pod: terminating, object: finalizers ? {finalizers} : {}})?.outcome;
	expect([of(2), of(3)]).toEqual(['Replaced', 'Lost']);
	expect(of(2, ['batch.kubernetes.io/job-tracking'])).toBe('Lost');
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

const noStarts = {nodes: new Map(), waiting: {cpu: 0, memory: 0, pods: 0}, perPod: new Map()};

/** One that Fits, of an owner whose pods usually start in 5 s: they may take 20 s, and to be bound 10 s. */
const started = (...controllers: Parameters<typeof relatedTo>[0]) =>
	relatedTo(controllers, {
		occupancy: {
			nodes: new Map(),
			waiting: {cpu: 0, memory: 0, pods: 0},
			perPod: new Map([['web', {cpu: 0, memory: 0, usualStart: 5000}]]),
		},
	});

const inSet = {owner: owner('StatefulSet')};
const ordered = aController('web', {kind: 'StatefulSet', ordinals: {start: 0, isParallel: false}});
const parallel = {...ordered, ordinals: {start: 0, isParallel: true}};
const claimed = aController('web', {template: aTemplate({claims: ['data']})});
const attached = {
	claims: [{namespace: 'shop', name: 'data', volume: 'pv', isShared: false}],
	volumes: [{name: 'pv', isPlain: true}],
	attachments: [{node: 'n1', volume: 'pv'}],
};
const sinceAMinute = {deletionTimestamp: now - 30_000, deletionGracePeriodSeconds: 30};

test.for<Case & {name: string; want: After['readyAfter']}>([
	{
		name: 'of a ReplicaSet',
		pod: {owner: owner('ReplicaSet')},
		related: started(aController('web')),
		want: {least: 0, most: 30},
	},
	{
		name: 'of an owner none of whose pods is ready',
		pod: {owner: owner('ReplicaSet')},
		related: relatedTo([aController('web')], {occupancy: {...noStarts}}),
		want: {least: 0, most: null},
	},
	{
		name: 'that nobody ends, of a StatefulSet',
		pod: inSet,
		related: started(parallel),
		want: undefined,
	},
	{
		name: 'of a node out of service',
		pod: {...inSet, ...terminating},
		on: outOfService,
		object: sinceAMinute,
		related: started(parallel),
		want: {least: 60, most: 110},
	},
	{
		name: 'of a node out of service that is not known to be down',
		pod: inSet,
		on: {...outOfService, ready: 'True', isSilent: true},
		related: started(parallel),
		want: {least: 0, most: null},
	},
	{
		name: 'that its kubelet ends',
		pod: inSet,
		on: alive,
		related: started(parallel),
		want: {least: 0, most: 120},
	},
	{
		name: 'that its kubelet should have ended long ago',
		pod: {...inSet, ...terminating},
		on: alive,
		object: {deletionTimestamp: now - 600_000, deletionGracePeriodSeconds: 30},
		related: started(parallel),
		want: {least: 630, most: null},
	},
	{
		name: 'after another one, in order',
		pod: {...inSet, name: 'web-1'},
		on: alive,
		others: [aPodForecast({name: 'web-0', uid: 'web-0', ...inSet})],
		related: started(ordered),
		want: {least: 0, most: null},
	},
	{
		name: 'that waits for one which may be ready by itself',
		pod: {...inSet, name: 'web-1'},
		on: alive,
		others: [
			aPodForecast({name: 'web-0', uid: 'web-0', ...inSet, verdict: 'Safe', ready: 'False', node: 'n2'}),
		],
		related: started(ordered),
		want: {least: 0, most: null},
	},
	{
		name: 'with a volume on a node that is gone',
		pod: {owner: owner('ReplicaSet'), cause: {kind: 'NodeDeleted'}},
		related: {...started(claimed), ...attached},
		want: {least: 360, most: 570},
	},
	{
		name: 'with a volume on a dead node',
		pod: {owner: owner('ReplicaSet')},
		related: {...started(claimed), ...attached},
		want: undefined,
	},
	{
		name: 'with a volume, whose object goes at once',
		pod: {owner: owner('ReplicaSet')},
		object: {gracePeriodSeconds: 0},
		related: {...started(claimed), ...attached},
		want: {least: 360, most: 570},
	},
	{
		name: 'of a Job that has failed twice',
		pod: {owner: owner('Job'), ...terminating},
		related: started(aController('web', {kind: 'Job', desired: 1, job: aJob({failed: 2, active: 0})})),
		want: {least: 0, most: 70},
	},
	{
		name: 'of a Job that replaces what has failed, as nothing tells that of a dead node',
		pod: {owner: owner('Job')},
		object: {gracePeriodSeconds: 0},
		related: started(aController('web', {kind: 'Job', desired: 1, job: aJob({replacesOnlyFailed: true})})),
		want: undefined,
	},
	{
		name: 'of a DaemonSet on a dead node',
		pod: {owner: owner('DaemonSet')},
		on: outOfService,
		want: undefined,
	},
])('when a replacement is ready $name', ({want, ...one}) => {
	expect(afterIn(one)?.readyAfter).toEqual(want);
});
