import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {type ClusterEvent, clusterEventNamespace} from '../../../src/core/model/clusterEvent.ts';
import type {ClusterSnapshot} from '../../../src/core/model/clusterSnapshot.ts';
import {isReadyNode, type Node} from '../../../src/core/model/node.ts';
import {podKey} from '../../../src/core/model/pod.ts';
import type {NodeClaim, NodeReadinessRule} from '../../../src/core/model/repairObject.ts';
import {taintUnreachable} from '../../../src/core/model/taint.ts';
import {defaultSettings} from '../../../src/core/model/versionProfile.ts';
import {type Instant, minute, second} from '../../../src/core/time/instant.ts';
import {Forecaster} from '../../../src/forecast/forecaster.ts';
import type {PodForecast} from '../../../src/forecast/podForecast.ts';
import {aForecaster} from '../../support/aForecaster.ts';
import {aCondition, aLease, aNode, aPod, aTaint, tolerates} from '../../support/builders.ts';
import {ClientView} from '../../support/clientView.ts';
import {feed} from '../../support/feed.ts';
import {aWorld} from '../../support/simulations.ts';

const providerId = 'aws:///eu-west-1a/i-0123';

const deletingNode = (about: string, at: Instant): ClusterEvent => {
	const time = {at, precision: second};
	return {
		...{namespace: clusterEventNamespace, name: `${about}.1`, reason: 'DeletingNode', about},
		...{first: time, last: time, createdAt: at},
	};
};

type Story = {
	readonly nodes: number;
	/** The first nodes' kubelets die, each at its time; of some the machine is gone too. */
	readonly dead: readonly {readonly at: Instant; readonly isGone: boolean}[];
	readonly podsPerNode: number;
	/** The phase of the cloud's checks, every five seconds. */
	readonly cloudLooks: Instant;
	readonly isEventSeen: boolean;
	readonly tolerationSeconds: number;
	readonly providerId?: string;
};

/** The pods' forecasts as a watch goes on, and when their deletion is requested, by their keys. */
function play({nodes, dead, podsPerNode, cloudLooks, isEventSeen, tolerationSeconds, ...of}: Story) {
	const names = Array.from({length: nodes}, (_, index) => `n${index + 1}`);
	const tolerations = [tolerates(taintUnreachable, tolerationSeconds)];
	const world = aWorld({
		nodes: names.map((name) => aNode(name, of)),
		pods: names.flatMap((nodeName) =>
			Array.from({length: podsPerNode}, (_, index) =>
				aPod(`web-${nodeName}-${index}`, {nodeName, tolerations}),
			),
		),
		alive: names,
		hasPodGc: true,
		settings: {kubeApiQps: 20, kubeApiBurst: 30},
	});
	world.startControllers();
	const view = new ClientView(world);
	const forecaster = new Forecaster(defaultSettings);
	world.advanceTo(20 * second);
	forecaster.observeSnapshot(view.list());
	view.watch();
	const shown: {readonly at: Instant; readonly pod: PodForecast}[] = [];
	const deletedAt = new Map<string, Instant>();
	const going = dead.length * podsPerNode;
	for (let now = 21 * second; deletedAt.size < going && now < 900 * second; now += second) {
		for (const {effect, at} of world.advanceTo(now))
			if (effect.type === 'podDeleted' && !deletedAt.has(effect.pod)) deletedAt.set(effect.pod, at);
		// A watch brings each version of a node.
		feed(forecaster, view.watch(), now);
		for (const [index, {at, isGone}] of dead.entries()) {
			const name = names[index] ?? '';
			if (now === at) world.stopKubelet(name);
			const node = world.state.node(name)?.node;
			if (!isGone || !node || isReadyNode(node) || now % (5 * second) !== cloudLooks) continue;
			if (isEventSeen) feed(forecaster, [{type: 'eventApplied', event: deletingNode(name, now)}], now);
			world.observe({type: 'nodeDeleted', name});
		}
		feed(forecaster, view.watch(), now);
		for (const pod of forecaster.forecast(now).pods)
			if (pod.eviction && !deletedAt.has(podKey(pod))) shown.push({at: now, pod});
	}
	return {shown, deletedAt};
}

const seconds = (min: number, max: number) => fc.integer({min, max}).map((number) => number * second);

const drawn = fc.record({
	nodes: fc.integer({min: 6, max: 12}),
	dead: fc.array(fc.record({at: seconds(30, 90), isGone: fc.boolean()}), {minLength: 1, maxLength: 3}),
	podsPerNode: fc.integer({min: 1, max: 6}),
	cloudLooks: seconds(0, 4),
	isEventSeen: fc.boolean(),
	tolerationSeconds: fc.constantFrom(20, 60, 300),
});

test('pods go within their ranges, unless their cloud deletes a Node of which that was said as possible', () => {
	let told = 0;
	fc.assert(
		fc.property(drawn, (one) => {
			const {shown, deletedAt} = play({...one, providerId});
			for (const {at, pod} of shown) {
				const {earliest, end} = pod.eviction ?? {earliest: Number.NaN, end: Number.NaN};
				const deleted = deletedAt.get(podKey(pod)) ?? Number.NaN;
				const isInside = earliest - second <= deleted && deleted <= end + second;
				const isWarned = pod.because.join().includes('may be deleted first, by its cloud (aws)');
				expect({at, isTold: isInside || isWarned}).toEqual({at, isTold: true});
				told += 1;
			}
		}),
		{numRuns: 8},
	);
	expect(told).toBeGreaterThan(500);
});

test('a Node that is still there after its cloud has looked has a machine: then its countdown alone is told', () => {
	const one = {nodes: 4, dead: [{at: 40 * second, isGone: false}], podsPerNode: 1, cloudLooks: 0};
	const rest = {isEventSeen: false, tolerationSeconds: 300};
	const [inCloud, elsewhere] = [play({...one, ...rest, providerId}), play({...one, ...rest})];
	const at = (played: typeof inCloud, instant: Instant) =>
		played.shown.find((each) => each.at === instant)?.pod;
	const turned = inCloud.shown.find(({pod}) => pod.verdict === 'Scheduled')?.at ?? Number.NaN;
	expect(at(inCloud, turned)?.eviction).toEqual(at(elsewhere, turned)?.eviction);
	expect(at(inCloud, turned)?.because.join()).toMatch(
		/may be deleted first, by its cloud \(aws\), .*every 5s, from 00:0/,
	);
	const later = turned + 90 * second;
	expect(at(inCloud, later)).toEqual(at(elsewhere, later));
});

const now: Instant = 30 * minute;

/** Forecasts of node n1, unreachable for a minute, of pods that tolerate that for five minutes and for ever. */
function ofNode(node: Partial<Node>, seen: Partial<ClusterSnapshot> = {}, others: readonly Node[] = []) {
	const fell = now - minute;
	const unknown = aCondition('Ready', 'Unknown', {lastTransitionTime: fell, lastHeartbeatTime: fell});
	const {taints = [], ...fields} = node;
	const n1 = aNode('n1', {
		conditions: [unknown],
		...fields,
		taints: [aTaint(taintUnreachable, {timeAdded: fell}), ...taints],
	});
	const nodes = [n1, aNode('n2'), aNode('n3'), ...others];
	const leases = nodes.map((one) => aLease(one.name, isReadyNode(one) ? now - second : fell - 45 * second));
	const pods = [
		aPod('web', {tolerations: [tolerates(taintUnreachable, 300)]}),
		aPod('agent', {tolerations: [tolerates(taintUnreachable)]}),
	];
	const forecaster = aForecaster({}, {observedAt: now, nodes, leases, pods, ...seen});
	const forecast = forecaster.forecast(now);
	const of = (name: string) => forecast.pods.find((pod) => pod.name === name);
	const explained = forecaster.explain({kind: 'node', name: 'n1'}, now);
	const told = explained?.steps.map(({what}) => what);
	return {
		of,
		told,
		summary: explained?.summary,
		repairs: forecast.nodes.find(({name}) => name === 'n1')?.repairs,
	};
}

test.for([
	['its cloud says that it deletes it', {}, {events: [deletingNode('n1', now - second)]}],
	['it is being deleted', {deletionTimestamp: now - second}, {}],
] as const)('the pods of a Node go 40 s after it at the earliest: %s', ([, node, seen]) => {
	const {of, summary} = ofNode({providerId, ...node}, seen);
	expect(of('agent')).toMatchObject({verdict: 'Unsure', cause: {kind: 'NodeRemoval'}});
	expect(of('agent')?.eviction).toMatchObject({earliest: now + 39 * second, latest: null});
	expect(of('web')?.endings?.[0]?.eviction.earliest).toBe(now + 39 * second);
	expect(summary).toMatch(/may end its pods .*00:30:39/);
});

test('the pods of a Node that Karpenter drains first may go at once', () => {
	const {of} = ofNode({deletionTimestamp: now - second, labels: {'karpenter.sh/nodepool': 'default'}});
	expect(of('agent')?.eviction).toMatchObject({earliest: now, latest: null});
	expect(of('agent')?.because.join()).toContain('Karpenter evicts its pods before');
});

test('the Node of a machine that is shut down stays, and may go with it', () => {
	const taints = [aTaint('node.cloudprovider.kubernetes.io/shutdown', {effect: 'NoSchedule'})];
	const {of} = ofNode({providerId, taints});
	expect(of('web')).toMatchObject({verdict: 'Scheduled', eviction: ofNode({}).of('web')?.eviction});
	expect(of('web')?.because.join()).toContain('its machine, which is shut down');
});

const candidate = (since: Instant) => [
	aTaint('DeletionCandidateOfClusterAutoscaler', {
		value: `${since / second}`,
		effect: 'PreferNoSchedule' as const,
	}),
];

test('a node that the cluster autoscaler finds unneeded is deleted after its time, and not now', () => {
	const {of, repairs} = ofNode({taints: candidate(now - 2 * minute)});
	expect(of('web')?.eviction).toEqual(ofNode({}).of('web')?.eviction);
	expect(of('agent')?.verdict).toBe('Stays');
	expect(repairs).toMatchObject([{by: 'the cluster autoscaler', isSure: false}]);
	expect(repairs?.[0]?.at).toMatchObject({earliest: now + 8 * minute, latest: null});
	expect(of('agent')?.because.join()).toContain('--scale-down-unready-time (20m)');
});

test('one whose time is nearly over may come before the countdown, and before its group is repaired', () => {
	const labels = {'cloud.google.com/gke-nodepool': 'default'};
	const {of, repairs} = ofNode({labels, taints: candidate(now - 8 * minute)});
	expect(of('web')).toMatchObject({verdict: 'Scheduled', cause: {kind: 'Taint'}});
	expect(of('web')?.endings?.[0]?.eviction).toMatchObject({earliest: now + 2 * minute, latest: null});
	expect(repairs?.map(({by}) => by)).toEqual(['the cluster autoscaler', 'GKE node auto-repair']);
});

test('of a ready node past the time of the cluster autoscaler nothing else is said than of its pods', () => {
	const nodes = [aNode('n1', {taints: candidate(now - 12 * minute)})];
	const seen = {observedAt: now, nodes, leases: [aLease('n1', now - second)], pods: [aPod('web')]};
	const forecaster = aForecaster({}, seen);
	expect(forecaster.forecast(now).pods).toMatchObject([{verdict: 'Safe'}]);
	const explained = forecaster.explain({kind: 'node', name: 'n1'}, now);
	expect(explained?.summary).not.toContain('may end its pods');
	expect(explained?.steps.map(({what}) => what).join()).toContain('the cluster autoscaler');
});

test('what a cloud said long ago, or of a node that is ready, ends nobody', () => {
	const ready = aCondition('Ready', 'True');
	const said = {events: [deletingNode('n1', now - 40 * minute)]};
	const leases = ['n1', 'n2', 'n3'].map((name) => aLease(name, now - second));
	const well = ofNode({providerId, conditions: [ready]}, {...said, leases});
	expect(well.of('agent')?.verdict).toBe('Stays');
	expect(well.repairs).toBeUndefined();
	expect(ofNode({providerId}, said).of('web')?.eviction).toEqual(ofNode({}).of('web')?.eviction);
});

test('pods of one Node that is being deleted have one verdict, whatever they tolerate', () => {
	const fell = now - minute;
	const unknown = aCondition('Ready', 'Unknown', {lastTransitionTime: fell, lastHeartbeatTime: fell});
	const nodes = [aNode('n1', {conditions: [unknown], deletionTimestamp: now - second}), aNode('n2')];
	const leases = [aLease('n1', fell - 45 * second), aLease('n2', now - second)];
	const pods = [aPod('web', {tolerations: [tolerates(taintUnreachable, 300)]}), aPod('bare')];
	const forecast = aForecaster({}, {observedAt: now, nodes, leases, pods}).forecast(now);
	expect(forecast.pods.map(({verdict}) => verdict)).toEqual(['Unsure', 'Unsure']);
});

test('the machine of a node that fell silent after it was not ready may be gone', () => {
	const notReady = aCondition('Ready', 'False', {lastTransitionTime: now - 2 * minute});
	const leases = [aLease('n1', now - 35 * second), ...['n2', 'n3'].map((name) => aLease(name, now - second))];
	const {of} = ofNode({providerId, conditions: [notReady]}, {leases});
	expect(of('web')?.because.join()).toContain('by its cloud (aws), if its machine is gone');
});

test('the cluster autoscaler halts while too many nodes are unready', () => {
	const down = ['d1', 'd2', 'd3'].map((name) => aNode(name, {conditions: [aCondition('Ready', 'False')]}));
	const {of, repairs} = ofNode({taints: candidate(now - 17 * minute)}, {}, down);
	expect(repairs).toMatchObject([{at: null}]);
	expect(of('agent')?.because.join()).toContain(
		'more than 45% of all nodes, and more than 3, are unhealthy (4 of 6)',
	);
});

test('a pod whose eviction is requested may go at any time, but not before nobody asks for it', () => {
	const names = {namespace: 'shop', name: 'agent', requester: 'acme.io/mover'};
	const request = {...names, kind: 'EvictionRequest', podUid: aPod('agent').uid} as const;
	const {of} = ofNode({}, {repair: [{...request, isOpen: true}]});
	expect(of('agent')).toMatchObject({
		verdict: 'Unsure',
		cause: {kind: 'EvictionRequest', by: 'acme.io/mover'},
		eviction: {earliest: now, latest: null},
	});
	expect(of('agent')?.because.join()).toContain('EvictionRequest shop/agent of acme.io/mover');
	expect(of('web')).toEqual(ofNode({}).of('web'));
	expect(ofNode({}, {repair: [{...request, isOpen: false}]}).of('agent')?.verdict).toBe('Stays');
});

test('an administrator who drains a node may evict its pods, however well it is', () => {
	const conditions = [aCondition('Ready', 'True'), aCondition('DrainInProgress', 'True')];
	const leases = ['n1', 'n2', 'n3'].map((name) => aLease(name, now - second));
	expect(ofNode({conditions}, {leases}).of('agent')).toMatchObject({
		verdict: 'Unsure',
		cause: {kind: 'NodeRemoval', by: 'a drain'},
	});
});

const claim = (expiresAt: Instant): NodeClaim => ({
	...{kind: 'NodeClaim', name: 'c1', nodeName: 'n1', providerId: '', pool: 'default'},
	...{provider: 'karpenter.k8s.aws', expiresAt},
});

test('a NodeClaim that expires soon takes the pods of its node along, sooner than a countdown or later', () => {
	const soon = ofNode({}, {repair: [claim(now + 2 * minute)]});
	expect(soon.of('web')).toMatchObject({
		cause: {kind: 'NodeRemoval', by: 'NodeClaim c1'},
		eviction: {expected: now + 2 * minute, latest: ofNode({}).of('web')?.eviction?.latest},
	});
	expect(soon.of('agent')).toMatchObject({verdict: 'Unsure', eviction: {earliest: now + 2 * minute}});
	expect(soon.of('agent')?.because.join()).toContain('expires at 00:32:00Z (expireAfter)');
	const overdue = ofNode({}, {repair: [claim(now - minute)]});
	expect(overdue.of('agent')?.eviction?.earliest).toBe(now);
	expect(ofNode({}, {repair: [claim(now + 120 * minute)]}).of('agent')?.verdict).toBe('Stays');
});

test('a taint of the node readiness controller names its rule, and what the node lacks', () => {
	const rule: NodeReadinessRule = {
		...{kind: 'NodeReadinessRule', name: 'network', isDryRun: false},
		taint: {key: 'readiness.k8s.io/network', effect: 'NoExecute'},
		selector: {matchLabels: {}, matchExpressions: []},
		conditions: [
			{type: 'NetworkReady', status: 'True'},
			{type: 'Ready', status: 'Unknown'},
		],
	};
	const taints = [
		aTaint('readiness.k8s.io/network'),
		aTaint('readiness.k8s.io/disk', {effect: 'NoSchedule'}),
	];
	const disk: NodeReadinessRule = {
		...{...rule, name: 'disk', conditions: []},
		taint: {key: 'readiness.k8s.io/disk', effect: 'NoSchedule'},
	};
	const {of, told} = ofNode({taints}, {repair: [{...rule, name: 'trial', isDryRun: true}, rule, disk]});
	const words =
		'got the taint readiness.k8s.io/network:NoExecute, by NodeReadinessRule network, as it lacks NetworkReady=True';
	expect(told?.join()).toContain(words);
	expect(told?.join()).toContain('evicts nobody: it is set by NodeReadinessRule disk');
	expect(of('web')?.because.join()).toContain(words);
	expect(ofNode({taints}).told?.join()).toContain('but not from the node lifecycle controller');
});
