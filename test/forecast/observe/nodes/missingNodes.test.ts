import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import type {ClusterEvent} from '../../../../src/core/model/clusterEvent.ts';
import type {ClusterSnapshot} from '../../../../src/core/model/clusterSnapshot.ts';
import type {ControllerSettings} from '../../../../src/core/model/controllerSettings.ts';
import type {Lease} from '../../../../src/core/model/lease.ts';
import type {Node} from '../../../../src/core/model/node.ts';
import type {Observation} from '../../../../src/core/model/observation.ts';
import {type Pod, podKey} from '../../../../src/core/model/pod.ts';
import {taintUnreachable} from '../../../../src/core/model/taint.ts';
import {defaultSettings} from '../../../../src/core/model/versionProfile.ts';
import {type Instant, minute, second} from '../../../../src/core/time/instant.ts';
import {Forecaster} from '../../../../src/forecast/forecaster.ts';
import type {PodForecast} from '../../../../src/forecast/podForecast.ts';
import {aForecaster} from '../../../support/aForecaster.ts';
import {aCondition, aLeader, aLease, aNode, aPod, aTaint, tolerates} from '../../../support/builders.ts';
import {feed, listAgain} from '../../../support/feed.ts';
import {aWorld} from '../../../support/simulations.ts';

type Seen = {
	readonly at?: Instant;
	readonly nodes?: readonly Node[];
	readonly pods?: readonly Pod[];
	readonly leader?: Lease;
};

/** A cluster whose kubelets all run, listed at an instant. */
const aSnapshot = ({
	at = 0,
	nodes = [aNode('n2')],
	pods = [],
	leader = aLeader(at, at - 60 * minute),
}: Seen): ClusterSnapshot => ({
	observedAt: at,
	source: 'cluster',
	nodes: nodes.map((node) => ({
		...node,
		conditions: node.conditions.map((one) => ({...one, lastHeartbeatTime: at})),
	})),
	leases: [...nodes.map(({name}) => aLease(name, at)), leader],
	pods,
	problems: [],
});

const forecasterOf = (seen: Seen, settings: Partial<ControllerSettings> = {}) => {
	const forecaster = aForecaster(settings, aSnapshot(seen));
	return forecaster;
};

const podOf = (forecaster: Forecaster, now: Instant, name = 'web'): PodForecast => {
	const pod = forecaster.forecast(now).pods.find((one) => one.name === name);
	if (!pod) throw new Error(`no forecast of ${name}`);
	return pod;
};

/** A range in seconds. */
const inSeconds = ({eviction}: PodForecast) =>
	eviction &&
	[eviction.earliest, eviction.expected, eviction.latest ?? Number.NaN].map((at) => Math.round(at / second));

const deleted: Observation = {type: 'nodeDeleted', name: 'n1'};
const renewed = (now: Instant): Observation[] => [
	{type: 'leaseApplied', lease: aLeader(now, -60 * minute)},
	{type: 'leaseApplied', lease: aLease('n2', now)},
];

/** A forecaster that observes the deletion of n1 at 10 s. */
function afterDeletion(pods: readonly Pod[], settings: Partial<ControllerSettings> = {}, n1 = aNode('n1')) {
	const forecaster = forecasterOf({nodes: [n1, aNode('n2')], pods}, settings);
	feed(forecaster, [deleted], 10 * second);
	feed(forecaster, renewed(10 * second), 10 * second);
	return forecaster;
}

test('from one look after new controllers, a countdown of a taint that the node had may end sooner', () => {
	const at = 100 * second;
	const leader = aLeader(at, 80 * second);
	const brief = [tolerates(taintUnreachable, 15)];
	const pods = [
		aPod('brief', {tolerations: brief}),
		aPod('fragile'),
		aPod('patient', {tolerations: [tolerates('')]}),
	];
	const forecaster = forecasterOf({at, leader, pods});
	const earliest = ['brief', 'fragile', 'patient'].map((name) => inSeconds(podOf(forecaster, at, name))?.[0]);
	expect(earliest).toEqual([100, 120, 120]);
});

test('the word of a deletion dates it: its pods go 40 to 80 s later', () => {
	const pod = podOf(
		afterDeletion([aPod('web')], {}, aNode('n1', {labels: {'topology.kubernetes.io/zone': 'a'}})),
		10_000,
	);
	expect(pod).toMatchObject({verdict: 'Expected', cause: {kind: 'NodeDeleted'}, zone: '<none>/a'});
	expect(inSeconds(pod)).toEqual([50, 60, 90]);
	expect(pod.because[0]).toBe('node n1 was deleted between 00:00:09Z and 00:00:10Z');
});

test.for([
	[9 * second, true],
	[-10 * minute, false],
] as const)(
	'a pod of a Node that its cloud deleted is told so, not by what was said of an older one: %s',
	([at, isSo]) => {
		const forecaster = afterDeletion([aPod('web')]);
		const time = {at, precision: second};
		const event = {
			...{namespace: 'default', name: 'n1.1', reason: 'DeletingNode', about: 'n1'},
			...{first: time, last: time, createdAt: at},
		} satisfies ClusterEvent;
		feed(forecaster, [{type: 'eventApplied', event}], 10 * second);
		expect(podOf(forecaster, 10 * second).because[0]?.includes(', by its cloud, as its')).toBe(isSo);
	},
);

test('controllers that started lately tell when the passes of their collector come', () => {
	const forecaster = forecasterOf({pods: [aPod('web')], leader: aLeader(0, -65 * second)});
	const pod = podOf(forecaster, 0);
	// Passes are at -65, -45, -25, -5, 15, 35, ... and some two seconds later.
	expect(inSeconds(pod)).toEqual([0, 31, 78]);
	expect(pod.because[1]).toContain(`known from the controllers' start`);
	feed(forecaster, [{type: 'nodeApplied', node: aNode('n1')}], 1 * second);
	feed(forecaster, [deleted], 20 * second);
	feed(forecaster, [{type: 'leaseApplied', lease: aLeader(20_000, -65_000)}], 20 * second);
	// A possible earlier quarantine continues: a node that comes back only for a moment does not end it.
	expect(inSeconds(podOf(forecaster, 20 * second))?.[2]).toBe(98);
});

test('no quarantine is older than the controllers', () => {
	const forecaster = forecasterOf({pods: [aPod('web')], leader: aLeader(0, -5 * second)});
	expect(inSeconds(podOf(forecaster, 0))?.[0]).toBe(35);
});

test.for<{name: string; pod: Partial<Pod>}>([
	{name: 'tolerates everything', pod: {tolerations: [tolerates('')]}},
	{name: 'belongs to a DaemonSet', pod: {owner: {kind: 'DaemonSet', name: 'agent', uid: 'u'}}},
	{name: 'has finished', pod: {phase: 'Succeeded'}},
	{name: 'is the mirror of a static pod', pod: {isMirror: true}},
])('a pod that $name goes with its node too', ({pod}) => {
	expect(podOf(afterDeletion([aPod('web', pod)]), 10_000).verdict).toBe('Expected');
});

test.for<{name: string; pod: Partial<Pod>; at?: Instant}>([
	{name: 'that is bound to no node', pod: {nodeName: '', phase: 'Pending'}},
	{name: 'whose node is there', pod: {nodeName: 'n2'}},
	{name: 'that was bound a moment ago, to a node that may be new', pod: {scheduledAt: -3 * second}},
])('a pod $name is safe', ({pod}) => {
	expect(podOf(forecasterOf({pods: [aPod('web', pod)]}), 0)).toMatchObject({verdict: 'Safe', eviction: null});
});

test('a pod that was bound a moment ago goes with its node if an older one shows that the node is no new one', () => {
	const pods = [aPod('web', {scheduledAt: -3 * second}), aPod('older', {scheduledAt: -60 * second})];
	expect(podOf(forecasterOf({pods}), 0).verdict).toBe('Expected');
});

test('a pod that comes before its node does is safe once the node is there', () => {
	const forecaster = forecasterOf({});
	const pod = aPod('web', {nodeName: 'n3', scheduledAt: 1 * second});
	feed(forecaster, [{type: 'podApplied', pod}], 1 * second);
	expect(podOf(forecaster, 2 * second).verdict).toBe('Safe');
	feed(forecaster, [...renewed(15 * second)], 15 * second);
	expect(podOf(forecaster, 15 * second).verdict).toBe('Expected');
	feed(
		forecaster,
		[
			{type: 'nodeApplied', node: aNode('n3')},
			{type: 'leaseApplied', lease: aLease('n3', 15_000)},
		],
		15 * second,
	);
	expect(podOf(forecaster, 15 * second).verdict).toBe('Safe');
});

test('the first batch of a watch is a first look: what is missing in it may be so since ever', () => {
	const forecaster = new Forecaster(defaultSettings);
	const first: Observation[] = [
		{type: 'nodeApplied', node: aNode('n2')},
		{type: 'leaseApplied', lease: aLease('n2', 0)},
		{type: 'leaseApplied', lease: aLeader(0, -60 * minute)},
		{type: 'podApplied', pod: aPod('web')},
	];
	feed(forecaster, first, 0);
	expect(inSeconds(podOf(forecaster, 0))).toEqual([0, 33, 80]);
});

test('a pod that comes late to a node that is gone may go with the others, or a quarantine later', () => {
	const forecaster = afterDeletion([aPod('web')]);
	const late = aPod('late', {scheduledAt: 0});
	feed(forecaster, [{type: 'podApplied', pod: late}, ...renewed(45 * second)], 45 * second);
	expect(inSeconds(podOf(forecaster, 45 * second, 'late'))).toEqual([50, 78, 125]);
	expect(inSeconds(podOf(forecaster, 45 * second))).toEqual([50, 60, 90]);
});

test('without a controller manager nothing is collected', () => {
	const leader = aLeader(-60 * second, -60 * minute);
	const pod = podOf(forecasterOf({pods: [aPod('web')], leader}), 0);
	expect(pod).toMatchObject({verdict: 'Held', eviction: null, cause: {kind: 'NodeDeleted'}});
	expect(pod.held?.by).toContain('no controller manager runs');
	expect(pod.held?.ifReleasedNow).toMatchObject({earliest: 40 * second});
});

const gpu = aNode('n1', {taints: [aTaint('gpu')]});

test('nobody cancels the timers of a node that is deleted: the earlier of both counts', () => {
	const timed = (seconds: number) => aPod(`for-${seconds}`, {tolerations: [tolerates('gpu', seconds)]});
	const forecaster = forecasterOf({nodes: [aNode('n1'), aNode('n2')], pods: [timed(20), timed(300)]});
	feed(forecaster, [{type: 'nodeApplied', node: gpu}], 5 * second);
	feed(forecaster, [deleted, ...renewed(10 * second)], 10 * second);
	const [soon, late] = [podOf(forecaster, 10 * second, 'for-20'), podOf(forecaster, 10 * second, 'for-300')];
	expect(soon).toMatchObject({
		verdict: 'Scheduled',
		cause: {kind: 'Taint', taint: 'gpu:NoExecute', tolerationSeconds: 20},
	});
	expect(inSeconds(soon)).toEqual([25, 25, 25]);
	expect(late).toMatchObject({verdict: 'Expected', cause: {kind: 'NodeDeleted'}});
	expect(inSeconds(late)).toEqual([50, 60, 90]);
});

test('controllers that start after a node was deleted know no timer of its pods', () => {
	const pod = aPod('web', {tolerations: [tolerates('gpu', 20)]});
	const forecaster = forecasterOf({nodes: [aNode('n1'), aNode('n2')], pods: [pod]});
	feed(forecaster, [{type: 'nodeApplied', node: gpu}], 5 * second);
	feed(forecaster, [deleted, ...renewed(10 * second)], 10 * second);
	expect(podOf(forecaster, 10 * second).verdict).toBe('Scheduled');
	const takenOver = {type: 'leaseApplied', lease: aLeader(15 * second, 15 * second)} as const;
	feed(forecaster, [...renewed(15 * second), takenOver], 15 * second);
	const after = podOf(forecaster, 15 * second);
	expect(after).toMatchObject({verdict: 'Expected', cause: {kind: 'NodeDeleted'}});
	expect(after.because.join()).not.toContain('countdown');
});

test('where taints evict nobody, no timer counts', () => {
	const pod = aPod('web', {tolerations: [tolerates('gpu', 20)]});
	const forecaster = forecasterOf({nodes: [aNode('n1'), aNode('n2')], pods: [pod]}, {taintEviction: false});
	feed(forecaster, [{type: 'nodeApplied', node: gpu}], 5 * second);
	feed(forecaster, [deleted, ...renewed(10 * second)], 10 * second);
	expect(inSeconds(podOf(forecaster, 10 * second))).toEqual([50, 60, 90]);
});

test('a pod that is still there after its time is overdue', () => {
	const forecaster = afterDeletion([aPod('web')]);
	feed(forecaster, renewed(95 * second), 95 * second);
	const pod = podOf(forecaster, 95 * second);
	expect(pod.verdict).toBe('Overdue');
	expect(inSeconds(pod)?.[2]).toBe(90);
	expect(pod.because.at(-1)).toContain('the collector may not run');
});

test('a Terminating pod of a node that is gone is said to go by force', () => {
	const pod = podOf(afterDeletion([aPod('web', {deletionTimestamp: 0})]), 10_000);
	expect(pod).toMatchObject({verdict: 'Terminating', eviction: null});
	expect(pod.because.join()).toMatch(
		/node n1 was deleted.*deletes its pods by force.*by 00:01:30Z at the latest/,
	);
});

test("many orphans wait in the line of the collector's client", () => {
	const pods = Array.from({length: 330}, (_, index) => aPod(`p${index}`));
	const [earliest, , latest] = inSeconds(podOf(afterDeletion(pods), 10_000, 'p7')) ?? [];
	// 661 calls, of which 30 are not throttled: 31.5 s.
	expect([earliest, latest]).toEqual([50, 122]);
});

const fenced = aNode('n1', {
	conditions: [aCondition('Ready', 'Unknown')],
	taints: [aTaint('node.kubernetes.io/out-of-service', {value: 'nodeshutdown'})],
});

test('a Terminating pod of a node out of service is ended by force', () => {
	const pod = podOf(
		forecasterOf({nodes: [fenced, aNode('n2')], pods: [aPod('web', {deletionTimestamp: 0})]}),
		0,
	);
	expect(pod).toMatchObject({verdict: 'Terminating', eviction: null});
	expect(pod.because.at(-1)).toBe(
		'it is already Terminating: its node is out of service, and pod garbage collection deletes it by force within 20s',
	);
});

test('a pod that tolerates out-of-service stays there, and nobody ends it', () => {
	const pod = aPod('web', {tolerations: [tolerates('')]});
	const {verdict, because} = podOf(forecasterOf({nodes: [fenced, aNode('n2')], pods: [pod]}), 0);
	expect([verdict, because.filter((step) => step.includes('by force'))]).toEqual(['Stays', []]);
});

const unknown = {conditions: [{...aCondition('Ready', 'Unknown'), lastTransitionTime: 0}]};

test.for<{name: string; node: Partial<Node>; want: RegExp | undefined}>([
	{
		name: 'a node of a cloud that is not ready',
		node: {...unknown, providerId: 'aws:///eu-west-1a/i-0123'},
		want: /by its cloud \(aws\)/,
	},
	{
		name: 'a machine that is shut down',
		node: {...unknown, taints: [aTaint('node.cloudprovider.kubernetes.io/shutdown', {effect: 'NoSchedule'})]},
		want: /its machine, which is shut down/,
	},
	{name: 'a node without a providerID', node: unknown, want: undefined},
	{name: 'a node of kind', node: {...unknown, providerId: 'kind://docker/kind/n1'}, want: undefined},
	{
		name: 'a ready node of a cloud',
		node: {providerId: 'gce://project/zone/n1', taints: [aTaint('gpu')]},
		want: undefined,
	},
])('others may delete the node before: $name', ({node, want}) => {
	const pods = [
		aPod('web', {tolerations: [tolerates('gpu', 3600), tolerates('node.kubernetes.io/unreachable', 300)]}),
	];
	const forecast = forecasterOf({nodes: [aNode('n1', node), aNode('n2')], pods}).forecast(0);
	const sentence = forecast.pods[0]?.because.find((step) => step.includes('may be deleted first'));
	if (want) expect(sentence).toMatch(want);
	else expect(sentence).toBeUndefined();
	expect(forecast.problems).toEqual([]);
});

const story = fc.record({
	/** When the controllers start, and how long they held the lease before that; undefined if it cannot be read. */
	startAt: fc.integer({min: 0, max: 120_000}),
	lag: fc.option(fc.integer({min: 0, max: 500}), {nil: undefined}),
	/** Relative to the start: when the node is deleted, when the cluster is listed, and when the forecast is made. */
	deletedAfter: fc.integer({min: -20_000, max: 300_000}),
	lookBefore: fc.integer({min: -70_000, max: 30_000}),
	forecastAfter: fc.integer({min: 0, max: 70_000}),
	/** A taint of the node, and for how long the pods tolerate it. */
	tolerationSeconds: fc.option(fc.constantFrom(10, 45, 60, 90, 300), {nil: undefined}),
	pods: fc.integer({min: 1, max: 60}),
	callDuration: fc.integer({min: 0, max: 20}),
});

test('a forecast from any phase contains what the controllers then do', () => {
	let checked = 0;
	fc.assert(
		fc.property(story, (one) => {
			const start = one.startAt;
			const goneAt = Math.max(1, start + one.deletedAfter);
			const lookAt = Math.max(0, goneAt - one.lookBefore);
			const now = Math.max(goneAt, lookAt) + one.forecastAfter;
			const {tolerationSeconds} = one;
			const tolerations = tolerationSeconds === undefined ? [] : [tolerates('gpu', tolerationSeconds)];
			// More pods due at one instant would wait in the taint-eviction controller's own queue.
			const count = tolerationSeconds === undefined ? one.pods : Math.min(one.pods, 7);
			const pods = Array.from({length: count}, (_, index) => aPod(`p${index}`, {tolerations}));
			const world = aWorld({
				nodes: [aNode('n1'), aNode('n2')],
				pods,
				alive: ['n1', 'n2'],
				hasPodGc: true,
				settings: {kubeApiQps: 20, kubeApiBurst: 30},
				process: {callDuration: one.callDuration},
			});
			const forecaster = new Forecaster(defaultSettings);
			const lease = aLeader(0, one.lag === undefined ? -60 * minute : start - one.lag);
			let seenAt: Instant | undefined;
			const look = () => {
				const snapshot = {
					...aSnapshot({
						at: world.now,
						nodes: world.state.nodes().map(({node}) => node),
						pods: [...world.state.pods.values()],
						leader: {...lease, renewTime: world.now},
					}),
					...(one.lag === undefined ? {leases: [aLease('n1', world.now), aLease('n2', world.now)]} : {}),
				};
				if (seenAt === undefined) forecaster.observeSnapshot(snapshot);
				else listAgain(forecaster, snapshot, seenAt);
				seenAt = world.now;
			};
			const isWarm = lookAt < goneAt && start < lookAt;
			const taintAt = tolerationSeconds !== undefined && isWarm ? (lookAt + goneAt) / 2 : undefined;
			const steps: [Instant, () => void][] = [
				[start, () => void world.startControllers()],
				[lookAt, look],
				[
					goneAt,
					() => {
						world.stopKubelet('n1');
						world.observe({type: 'nodeDeleted', name: 'n1'});
						if (isWarm) feed(forecaster, [deleted], goneAt);
					},
				],
				[now, look],
			];
			if (taintAt !== undefined) {
				const tainted = {...gpu};
				steps.push([
					taintAt,
					() => {
						world.editNode('n1', (node) => ({...node, taints: tainted.taints}));
						feed(forecaster, [{type: 'nodeApplied', node: tainted}], taintAt);
					},
				]);
			}
			if (start > now || (lookAt < goneAt && !isWarm)) return;
			for (const [at, step] of steps.toSorted((a, b) => a[0] - b[0])) {
				world.advanceTo(at);
				step();
			}
			const present = new Map([...world.state.pods].filter(([, pod]) => pod.deletionTimestamp === undefined));
			const forecast = forecaster.forecast(now);
			const first = new Map<string, Instant>();
			for (const {at, effect} of world.advanceTo(now + 600 * second)) {
				if (effect.type === 'podDeleted' && !first.has(effect.pod)) first.set(effect.pod, at);
			}
			for (const pod of forecast.pods) {
				if (!present.has(podKey(pod))) continue;
				checked += 1;
				const at = first.get(podKey(pod)) ?? Number.NaN;
				expect(at).toBeGreaterThanOrEqual((pod.eviction?.earliest ?? Number.NaN) - 1);
				expect(at).toBeLessThanOrEqual((pod.eviction?.latest ?? Number.NaN) + 1);
				expect(pod.eviction?.expected).toBeGreaterThanOrEqual(pod.eviction?.earliest ?? Number.NaN);
				expect(pod.eviction?.expected).toBeLessThanOrEqual(pod.eviction?.latest ?? Number.NaN);
			}
		}),
		{numRuns: 300},
	);
	expect(checked).toBeGreaterThan(500);
});
