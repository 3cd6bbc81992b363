import {describe, expect, test} from 'vitest';
import type {ClusterEvent} from '../../src/core/model/clusterEvent.ts';
import {unseenControlPlane} from '../../src/core/model/controlPlane.ts';
import type {Lease} from '../../src/core/model/lease.ts';
import type {Node} from '../../src/core/model/node.ts';
import type {Pod} from '../../src/core/model/pod.ts';
import {taintUnreachable} from '../../src/core/model/taint.ts';
import {defaultSettings} from '../../src/core/model/versionProfile.ts';
import {second} from '../../src/core/time/instant.ts';
import type {Target} from '../../src/forecast/explain/explanation.ts';
import {Forecaster} from '../../src/forecast/forecaster.ts';
import {resolveSettings} from '../../src/forecast/settings/resolve.ts';
import {aForecaster} from '../support/aForecaster.ts';
import {aCondition, aLease, aNode, aPod, aTaint, inZone, tolerates} from '../support/builders.ts';

// What operators report in public, with their upstream reasons.

const now = 0;
const both = ['node.kubernetes.io/not-ready', taintUnreachable].map((key) => tolerates(key, 300));
const healthy = ['h1', 'h2', 'h3', 'h4'].map((name) => aNode(name, {labels: inZone('a')}));

const aLeader = {
	...aLease('kube-controller-manager', now - second),
	namespace: 'kube-system',
	acquireTime: now - 3600 * second,
};

/** A node that fell silent some seconds ago: found, and tainted, when a controller does that. */
const aDeadNode = (silentFor: number, fields: Partial<Node> = {}): Node =>
	aNode('n1', {
		labels: inZone('a'),
		conditions: [
			aCondition('Ready', 'Unknown', {
				lastTransitionTime: now - (silentFor - 50) * second,
				lastHeartbeatTime: now - (silentFor + 100) * second,
			}),
		],
		...fields,
	});

/** Looks once at a node with a pod among four healthy ones. */
function lookAt(
	node: Node,
	{
		leases = [],
		pod,
		events = [],
	}: {leases?: readonly Lease[]; pod?: Partial<Pod>; events?: readonly ClusterEvent[]} = {},
) {
	const ofHealthy = healthy.map(({name}) => aLease(name, now - 2 * second));
	const forecaster = aForecaster(
		{},
		{
			observedAt: now,
			nodes: [node, ...healthy],
			pods: [aPod('web', {tolerations: both, ...pod})],
			leases: [...ofHealthy, ...leases],
			events,
		},
	);
	const forecast = forecaster.forecast(now);
	return {
		forecaster,
		pod: forecast.pods[0],
		problems: forecast.problems,
		node: forecast.nodes.find(({name}) => name === node.name),
	};
}

test('a taint that a pod does not tolerate ends its countdown at once, on a dead node too (processPodOnNode)', () => {
	const taints = [
		aTaint(taintUnreachable, {timeAdded: now - 95 * second}),
		aTaint('maintenance', {timeAdded: now - 20 * second}),
	];
	const leases = [aLease('n1', now - 150 * second)];
	expect(lookAt(aDeadNode(150, {taints}), {leases}).pod?.verdict).toBe('Overdue');
	const justNow = [...taints.slice(0, 1), aTaint('maintenance', {timeAdded: now - second})];
	const {pod} = lookAt(aDeadNode(150, {taints: justNow}), {leases});
	expect(pod?.verdict).toBe('Scheduled');
	expect(pod?.eviction?.latest).toBeLessThan(now + 5 * second);
});

test('a node that never posted its status turns Unknown a startup grace period after its creation (tryUpdateNodeHealth)', () => {
	const young = aNode('n1', {labels: inZone('a'), createdAt: now - 40 * second, conditions: []});
	const {node, forecaster} = lookAt(young, {pod: {tolerations: []}});
	expect(node?.unknown?.earliest).toBeLessThanOrEqual(now + 20 * second);
	expect(node?.unknown?.latest).toBeLessThan(now + 28 * second);
	expect(node?.noExecute?.latest).toBeLessThan(now + 28 * second);
	const {steps} = forecaster.explain({kind: 'node', name: 'n1'}, now) ?? {steps: []};
	expect(steps.map(({what}) => what).join('\n')).toContain('node-startup-grace-period=1m0s');
	// If no pass came between, the controller takes it for the older node of its name, of which it has heard nothing for long.
	const anew = {...young, createdAt: now - 2 * second};
	const range = lookAt(anew, {leases: [aLease('n1', now - 70 * second), aLeader]}).node?.unknown;
	expect(range?.earliest).toBeLessThan(now + 6 * second);
	expect(range?.latest).toBeGreaterThan(now + 58 * second);
	// If that is long over, the controller does not act.
	const old = lookAt({...young, createdAt: now - 600 * second}, {leases: [aLeader]});
	expect(old.node).toMatchObject({verdict: 'NotReady', noExecute: {latest: null}});
	expect(old.problems.map(({reason}) => reason)).toEqual(['NodeLifecycleMissing']);
});

test('a node that is Ready long after its grace period shows a controller that does not act, and no clock that is wrong', () => {
	const silent = (name: string, silentFor: number) => ({
		node: aNode(name, {
			labels: inZone('a'),
			conditions: [aCondition('Ready', 'True', {lastHeartbeatTime: -900 * second})],
		}),
		lease: {
			...aLease(name, now - silentFor * second),
			writes: [{manager: 'kubelet', operation: 'Update', time: now - silentFor * second}],
		} as const,
	});
	const {node, lease} = silent('n1', 900);
	for (const known of [lease, aLease('n1', now - 900 * second)]) {
		const {pod, problems, node: judged} = lookAt(node, {leases: [known, aLeader]});
		expect(pod).toMatchObject({verdict: 'Unsure', eviction: {latest: null}});
		expect(judged).toMatchObject({verdict: 'Silent', unknown: {latest: null}, noExecute: {latest: null}});
		expect(problems.map(({reason}) => reason)).toEqual(['NodeLifecycleMissing']);
	}
	// A controller that is off acts on no other node either.
	const other = silent('h1', 30);
	const others = lookAt(node, {leases: [lease, aLeader, other.lease], pod: {nodeName: 'h1'}});
	expect(others.pod).toMatchObject({verdict: 'Unsure', eviction: {latest: null}});
	const young = silent('n1', 40);
	expect(lookAt(young.node, {leases: [young.lease, aLeader]}).pod?.verdict).toBe('Expected');
});

test('after a clock was set back, renewals look older than they are: the last status counts, and the kubelet may live', () => {
	const node = (posted: number) =>
		aNode('n1', {
			labels: inZone('a'),
			conditions: [aCondition('Ready', 'True', {lastHeartbeatTime: now - posted * second})],
		});
	const leases = [aLease('n1', now - 220 * second), aLeader];
	const counted = lookAt(node(40), {leases}).node?.unknown;
	expect(counted?.earliest).toBeLessThanOrEqual(now + 14 * second);
	expect(counted?.latest).toBeNull();
	const overdue = lookAt(node(75), {leases});
	expect(overdue.node?.unknown?.earliest).toBeLessThanOrEqual(now + second);
	expect(overdue.pod?.verdict).toBe('Unsure');
});

test('a leader that has not renewed its lease within its renew deadline may have given up: nothing is sure (renew)', () => {
	const leader = (age: number) => ({...aLeader, renewTime: now - age * second});
	const taints = [aTaint(taintUnreachable, {timeAdded: now - 95 * second})];
	const verdictAt = (age: number) =>
		lookAt(aDeadNode(150, {taints}), {leases: [aLease('n1', now - 150 * second), leader(age)]}).pod;
	expect(verdictAt(8)?.verdict).toBe('Scheduled');
	expect(verdictAt(11)).toMatchObject({verdict: 'Unsure', eviction: {latest: null}});
	expect(verdictAt(20)?.verdict).toBe('Held');
});

test('a kubelet that is back, and has not posted its status yet, is recovering: its pods may be saved (tryUpdateNodeStatus)', () => {
	const taints = [aTaint(taintUnreachable, {timeAdded: now - 240 * second})];
	const {node, pod} = lookAt(aDeadNode(300, {taints}), {leases: [aLease('n1', now - second)]});
	expect([node?.verdict, pod?.verdict]).toEqual(['Recovering', 'Unsure']);
	// No pass can remove the taint before this countdown ends.
	const atOnce = lookAt(
		aDeadNode(300, {taints: [aTaint(taintUnreachable, {timeAdded: now - 299 * second})]}),
		{leases: [aLease('n1', now - second)]},
	);
	expect(atOnce.pod?.eviction?.earliest).toBeLessThanOrEqual(now + second);
	const waiting = lookAt(aDeadNode(55), {leases: [aLease('n1', now - second)]});
	expect([waiting.node?.verdict, waiting.pod?.verdict]).toEqual(['Recovering', 'Unsure']);
});

test('a node that is being deleted, or that its cloud deletes, takes all its pods along, whatever they tolerate', () => {
	const forever = {tolerations: [{...tolerates(taintUnreachable), key: ''}]};
	const finalizers = ['karpenter.sh/termination'];
	const going = aNode('n1', {labels: inZone('a'), deletionTimestamp: now - 5 * second, finalizers});
	const leases = [aLease('n1', now - second)];
	expect(lookAt(going, {leases, pod: forever}).pod).toMatchObject({
		verdict: 'Unsure',
		cause: {kind: 'NodeRemoval', by: 'whoever deleted its Node'},
	});
	const [held] = lookAt(going, {leases}).node?.repairs ?? [];
	expect(held?.why).toContain('goes once its finalizers are off (karpenter.sh/termination)');
	const time = {at: now - 5 * second, precision: second};
	const event: ClusterEvent = {
		namespace: 'default',
		name: 'n1.1',
		reason: 'DeletingNode',
		about: 'n1',
		first: time,
		last: time,
		createdAt: time.at,
	};
	const taints = [aTaint(taintUnreachable, {timeAdded: now - 95 * second})];
	const dead = lookAt(aDeadNode(150, {taints}), {
		leases: [aLease('n1', now - 150 * second)],
		pod: forever,
		events: [event],
	});
	expect(dead.pod).toMatchObject({verdict: 'Unsure', cause: {by: "its cloud's controller"}});
});

test('a node that is not ready for half an hour and got no taint shows the same, unless its zone changed meanwhile (addPodEvictorForNewZone)', () => {
	const old = healthy.map((node) => ({
		...node,
		conditions: [aCondition('Ready', 'True', {lastTransitionTime: now - 7200 * second})],
	}));
	const forecasterOf = (
		minutes: number,
		others: readonly Node[],
		settings = {},
		silent: readonly Node[] = [],
	) => {
		const renewed = others.map(({name}) => aLease(name, now - 2 * second));
		return aForecaster(settings, {
			observedAt: now,
			nodes: [aDeadNode(minutes * 60), ...silent, ...others],
			pods: [aPod('web', {tolerations: both})],
			leases: [...renewed, aLease('n1', now - minutes * 60 * second), aLeader],
		});
	};
	const forecastOf = (...scene: Parameters<typeof forecasterOf>) => forecasterOf(...scene).forecast(now);
	const left = forecastOf(30, old);
	const explained = forecasterOf(30, old).explain({kind: 'node', name: 'n1'}, now);
	expect(explained?.steps.map(({what}) => what).join()).not.toContain('may taint one more node');
	expect(explained?.whyNot[0]?.what).toContain('the node lifecycle controller seems to be off or stuck');
	expect(left.pods[0]).toMatchObject({verdict: 'Unsure', eviction: {latest: null}});
	expect(left.problems.map(({reason}) => reason)).toEqual(['NodeLifecycleMissing']);
	expect(left.problems[0]?.message).toContain('n1 got no taint for 20m');
	const [back, ...rest] = old;
	const isBack = back && {
		...back,
		conditions: [aCondition('Ready', 'True', {lastTransitionTime: now - 60 * second})],
	};
	const silent = ['n2', 'n3'].map((name) => ({...aDeadNode(1800), name}));
	const stopped = forecastOf(30, old, {unhealthyZoneThreshold: 0.3}, silent);
	expect(forecastOf(30, old, {}, silent).problems.map(({reason}) => reason)).toContain(
		'NodeLifecycleMissing',
	);
	// A zone with one node, all down, evicts unless all zones are down (handleDisruption).
	const inOtherZone = old.map((node) => ({...node, labels: inZone('b')}));
	expect(forecastOf(30, inOtherZone).problems.map(({reason}) => reason)).toContain('NodeLifecycleMissing');
	const othersBack = inOtherZone.map((node) => ({...node, conditions: isBack?.conditions ?? []}));
	expect(forecastOf(30, othersBack).problems.map(({reason}) => reason)).not.toContain('NodeLifecycleMissing');
	// At a rate of 1 a zone that stopped once never resumes (setRate).
	const forGood = forecastOf(30, old, {nodeEvictionRate: 1});
	for (const usual of [forecastOf(2, old), forecastOf(30, isBack ? [isBack, ...rest] : []), stopped, forGood])
		expect(usual.problems.map(({reason}) => reason)).not.toContain('NodeLifecycleMissing');
});

test.for([
	[20 * 60, 3600, 1],
	[20 * 60, 5, 0],
	[60, 3600, 0],
] as const)(
	'ready for %d s, a node that got its taint %d s ago shows it if it kept that long',
	([ready, tainted, count]) => {
		const conditions = [aCondition('Ready', 'True', {lastTransitionTime: now - ready * second})];
		const taints = [aTaint(taintUnreachable, {timeAdded: now - tainted * second})];
		const node = aNode('n1', {labels: inZone('a'), conditions, taints});
		const {problems} = lookAt(node, {leases: [aLease('n1', now - 2 * second), aLeader]});
		expect(problems.filter(({reason}) => reason === 'NodeLifecycleMissing')).toHaveLength(count);
	},
);

test('nodes that are back together may keep their taints for as long as a throttled pass takes them', () => {
	const problemsOf = (count: number) => {
		const conditions = [aCondition('Ready', 'True', {lastTransitionTime: now - 180 * second})];
		const taints = [aTaint(taintUnreachable, {timeAdded: now - 3600 * second})];
		const nodes = Array.from({length: count}, (_, index) =>
			aNode(`n${index}`, {labels: inZone('a'), conditions, taints}),
		);
		const leases = [...nodes.map(({name}) => aLease(name, now - 2 * second)), aLeader];
		return aForecaster({}, {observedAt: now, nodes, leases}).forecast(now).problems;
	};
	const reasonsOf = (count: number) => problemsOf(count).map(({reason}) => reason);
	expect(reasonsOf(3)).toContain('NodeLifecycleMissing');
	expect(reasonsOf(300)).not.toContain('NodeLifecycleMissing');
});

test.for([
	[8, 40, true],
	[10, 40, true],
	[12, 40, false],
	[20, 120, true],
] as const)(
	'with a grace period of %ss and leases of %ss nodes flap: %s (tryUpdateNodeHealth)',
	([grace, leaseSeconds, flaps]) => {
		const leases = healthy.map(({name}) => ({
			...aLease(name, now - second),
			leaseDuration: leaseSeconds * second,
		}));
		const forecaster = aForecaster(
			{...defaultSettings, nodeMonitorGracePeriod: grace * second},
			{observedAt: now, ...{nodes: healthy, leases: [...leases, aLeader]}},
		);
		const reasons = forecaster.forecast(now).problems.map(({reason}) => reason);
		expect(reasons.includes('NodesFlap')).toBe(flaps);
	},
);

describe('of a release older than any that is known', () => {
	const forecaster = new Forecaster(defaultSettings, {
		problems: [{reason: 'VersionOlder', message: 'v1.12.3 is older'}],
	});
	const taints = [aTaint(taintUnreachable, {timeAdded: now - 95 * second})];
	const waiting = {...aDeadNode(60, {}), name: 'n9', uid: 'u9'};
	forecaster.observeSnapshot({
		...{observedAt: now, source: 'cluster', problems: []},
		nodes: [aDeadNode(150, {taints}), waiting, ...healthy],
		pods: [
			aPod('web', {tolerations: both}),
			aPod('api', {tolerations: both, nodeName: 'n9'}),
			aPod('db', {tolerations: both, nodeName: healthy[0]?.name ?? ''}),
		],
		leases: [
			...[aLease('n1', now - 150 * second), aLease('n9', now - 60 * second), aLeader],
			...healthy.map(({name}) => aLease(name, now - second)),
		],
	});
	const sometime = {earliest: now, latest: null};
	/** All ends of ranges in a value. */
	const endsIn = (value: unknown): readonly unknown[] =>
		typeof value !== 'object' || value === null
			? []
			: [...('latest' in value ? [value.latest] : []), ...Object.values(value).flatMap(endsIn)];

	test('no time is told, no pod is sure to go, and no node waits for its taint', () => {
		const forecast = forecaster.forecast(now);
		const {pods, nodes, zones} = forecast;
		expect(pods[0]).toMatchObject({verdict: 'Unsure', eviction: sometime});
		expect(pods[0]?.because).toEqual([
			expect.stringContaining('the rules of so old a release are not known'),
		]);
		expect(nodes.find(({name}) => name === 'n9')).toMatchObject({verdict: 'Unknown', noExecute: sometime});
		expect(zones[0]).toMatchObject({queue: [], taints: [], nextTaint: sometime});
		expect(endsIn(forecast)).toSatisfy((ends: readonly unknown[]) => ends.every((end) => end === null));
	});

	test('no time is told in explanations', () => {
		const explained = (target: Target) => forecaster.explain(target, now);
		const namespace = forecaster.forecast(now).pods[0]?.namespace ?? '';
		expect(explained({kind: 'pod', namespace, name: 'web'})).toMatchObject({verdict: 'Unsure', steps: []});
		const told = {eviction: null, steps: [], summary: expect.stringContaining('is not told')};
		expect(explained({kind: 'node', name: 'n9'})).toMatchObject({...told, verdict: 'Unknown'});
		expect(explained({kind: 'zone', name: forecaster.forecast(now).zones[0]?.zone ?? ''})).toMatchObject(
			told,
		);
	});

	test('no time is told in what-ifs', () => {
		const down = healthy[0]?.name ?? '';
		const whatIf = forecaster.whatIf([{type: 'nodeDown', at: now, node: down}], now);
		const lost = whatIf.pods.find(({before}) => before.node === down);
		expect(lost).toMatchObject({effect: 'added', after: {verdict: 'Unsure', eviction: sometime}});
		expect(endsIn(whatIf)).toSatisfy((ends: readonly unknown[]) => ends.every((end) => end === null));
	});
});

test('what is deleted already on a node that is gone goes by force, and not because of its tolerations (gcOrphaned)', () => {
	const orphan = {nodeName: 'gone', tolerations: both};
	const forecaster = aForecaster(
		{},
		{
			observedAt: now,
			nodes: healthy,
			pods: [
				aPod('web', {...orphan, deletionTimestamp: now - 7200 * second, deletionGracePeriodSeconds: 30}),
				aPod('proxy', {...orphan, isMirror: true}),
				aPod('done', {...orphan, phase: 'Succeeded'}),
			],
			leases: [...healthy.map(({name}) => aLease(name, now - second)), aLeader],
		},
	);
	const namespace = forecaster.forecast(now).pods[0]?.namespace ?? '';
	const explained = (name: string) => forecaster.explain({kind: 'pod', namespace, name}, now);
	// Of one that has ended only the object goes.
	expect(forecaster.forecast(now).pods.find(({name}) => name === 'done')?.phase).toBe('Succeeded');
	expect(explained('web')?.summary).toMatch(/already Terminating: its node is gone.*by force.*over at/s);
	expect(explained('proxy')?.whyNot.find(({reason}) => reason === 'StaticPod')).toMatchObject({
		effect: 'DoesNotPrevent',
	});
});

test('a pod that has ended is held by any finalizer that it still has, also that of its Job (removeTrackingFinalizerPatch)', () => {
	const finalizers = ['batch.kubernetes.io/job-tracking'];
	const deleted = {finalizers, deletionTimestamp: now - 3600 * second, deletionGracePeriodSeconds: 0};
	const summaryOf = (pod: Partial<Pod>) => {
		const {forecaster} = lookAt(aNode('n1'), {
			leases: [aLease('n1', now - second)],
			pod: {...deleted, ...pod},
		});
		const namespace = forecaster.forecast(now).pods[0]?.namespace ?? '';
		return forecaster.explain({kind: 'pod', namespace, name: 'web'}, now)?.summary;
	};
	expect(summaryOf({phase: 'Succeeded'})).toContain('until the finalizer batch.kubernetes.io/job-tracking');
	expect(summaryOf({phase: 'Running', deletionGracePeriodSeconds: 30})).not.toContain('finalizer');
});

test('where the taint of a ready node is never taken off, the countdown of a newer pod may end (cancelWorkWithEvent)', () => {
	const tainted = aNode('n1', {
		labels: inZone('a'),
		conditions: [aCondition('Ready', 'True', {lastTransitionTime: now - 900 * second})],
		taints: [aTaint('node.kubernetes.io/not-ready', {timeAdded: now - 1000 * second})],
	});
	const leases = [aLease('n1', now - 2 * second), aLeader];
	const {pod, problems} = lookAt(tainted, {leases, pod: {createdAt: now - 200 * second}});
	expect(pod).toMatchObject({verdict: 'Unsure', eviction: {earliest: now + 100 * second, latest: null}});
	expect(problems.map(({reason}) => reason)).toEqual(['NodeLifecycleMissing']);
});

test('a node that is Ready as no controller runs shows nothing of the grace period of those that start next', () => {
	const {settings, span, list, problems} = resolveSettings({
		flags: {},
		versionFlag: undefined,
		serverVersion: 'v1.33.4',
		controlPlane: unseenControlPlane('hidden'),
	});
	const forecaster = new Forecaster(settings, {span, list, problems});
	const leases = healthy.map(({name}) => aLease(name, now - 2 * second));
	forecaster.observeSnapshot({
		...{observedAt: now, source: 'file', problems: []},
		nodes: [aNode('n1', {labels: inZone('a')}), ...healthy],
		pods: [aPod('web', {tolerations: both})],
		leases: [...leases, aLease('n1', now - 480 * second), {...aLeader, renewTime: now - 600 * second}],
	});
	const [pod] = forecaster.forecast(now).pods;
	expect(pod?.verdict).toBe('Held');
	const released = pod?.held?.ifReleasedNow;
	expect(released?.earliest).toBeLessThan(now + 323 * second);
	expect(released?.end).toBeGreaterThan(now + 420 * second);
});
