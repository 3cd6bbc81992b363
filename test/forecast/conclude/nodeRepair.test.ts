import {expect, test} from 'vitest';
import type {ClusterSnapshot} from '../../../src/core/model/clusterSnapshot.ts';
import {type ConditionStatus, isReadyNode, type Node} from '../../../src/core/model/node.ts';
import type {Pod} from '../../../src/core/model/pod.ts';
import type {MachineHealthCheck, RepairObject} from '../../../src/core/model/repairObject.ts';
import {type Duration, type Instant, minute, second} from '../../../src/core/time/instant.ts';
import type {Target} from '../../../src/forecast/explain/explanation.ts';
import {finish} from '../../../src/forecast/pausable.ts';
import {rescuesInSteps} from '../../../src/forecast/whatif/rescues.ts';
import {formatRescue} from '../../../src/print/whatif/rescue.ts';
import {aForecaster} from '../../support/aForecaster.ts';
import {aCondition, aNode, aPod} from '../../support/builders.ts';

/** When node n1 became Unknown and was tainted; the forecast is a minute later. */
const fell: Instant = 30 * minute;
const now: Instant = fell + minute;

const unreachable = 'node.kubernetes.io/unreachable';

function ofStatus(name: string, status: ConditionStatus, labels: Node['labels'] = {}): Node {
	const conditions = [aCondition('Ready', status, {lastTransitionTime: fell, lastHeartbeatTime: fell})];
	const taints =
		status === 'Unknown'
			? [{key: unreachable, value: '', effect: 'NoExecute' as const, timeAdded: fell}]
			: [];
	return aNode(name, {conditions, taints, labels});
}

const tolerating = (name: string, tolerationSeconds?: number): Pod =>
	aPod(name, {
		tolerations: [
			{
				...{key: unreachable, operator: 'Exists', value: '', effect: 'NoExecute'},
				...(tolerationSeconds !== undefined && {tolerationSeconds}),
			},
		],
	});

const check = (timeout: Duration, maxUnhealthy: string): readonly RepairObject[] => [
	...['n1', 'n2', 'n3'].map(
		(nodeName): RepairObject => ({
			...{kind: 'Machine', group: 'machine.openshift.io', namespace: 'machines', name: `m-${nodeName}`},
			...{nodeName, providerId: '', labels: {}, isControlled: true, isSkipped: false},
		}),
	),
	{
		...{kind: 'MachineHealthCheck', group: 'machine.openshift.io', namespace: 'machines', name: 'workers'},
		...{cluster: '', selector: {matchLabels: {}, matchExpressions: []}},
		conditions: [{type: 'Ready', status: 'Unknown', timeout}],
		...{maxUnhealthy, isExternal: false, isPaused: false},
	} satisfies MachineHealthCheck,
];

function forecastOf(repair: readonly RepairObject[], nodes: readonly Node[] = threeNodes) {
	const lease = (name: string, renewTime: Instant) => ({
		...{namespace: 'kube-node-lease', name, renewTime, leaseDuration: 40 * second},
	});
	const snapshot: ClusterSnapshot = {
		...{observedAt: now, source: 'file', problems: [], nodes, repair},
		leases: nodes.map((node) => lease(node.name, isReadyNode(node) ? now - second : fell - 50 * second)),
		pods: [tolerating('cart', 300), tolerating('agent'), tolerating('slow', 3600)],
	};
	const forecaster = aForecaster({}, snapshot);
	const {pods, nodes: told} = forecaster.forecast(now);
	const of = (name: string) => pods.find((pod) => pod.name === name);
	const explained = (target: Target) => {
		const explanation = forecaster.explain(target, now);
		return [explanation?.summary, ...(explanation?.steps.map(({what}) => what) ?? [])].join('\n');
	};
	const rescued = (name: string) => {
		const wanted = new Set(pods.filter((pod) => pod.name === name).map(({uid}) => uid));
		const scene = {forecast: forecaster.forecast(now), pressure: []};
		return formatRescue({now, pods: finish(rescuesInSteps(forecaster, scene, wanted)), held: []});
	};
	return {of, node: told.find(({name}) => name === 'n1'), explained, rescued};
}

const threeNodes = [ofStatus('n1', 'Unknown'), ofStatus('n2', 'True'), ofStatus('n3', 'True')];

test('a health check that comes first widens the range of a countdown, and ends what tolerates forever', () => {
	const {of, node} = forecastOf(check(3 * minute, '40%'));
	const plain = forecastOf([]);
	expect(node?.repairs).toMatchObject([{by: 'MachineHealthCheck machines/workers', isSure: true}]);
	expect(of('slow')).toMatchObject({verdict: plain.of('slow')?.verdict, cause: {kind: 'NodeRepair'}});
	expect(of('slow')?.eviction?.earliest).toBe(fell + 3 * minute);
	expect(of('slow')?.eviction?.latest).toBe(plain.of('slow')?.eviction?.latest);
	expect(plain.of('agent')?.verdict).toBe('Stays');
	expect(of('agent')).toMatchObject({verdict: 'Unsure', cause: {kind: 'NodeRepair'}});
	expect(of('agent')?.eviction).toMatchObject({earliest: fell + 3 * minute, latest: null});
});

test('rescue names who repairs a node, and until when it must be well', () => {
	const by = 'the removal of its node by MachineHealthCheck machines/workers: it is deleted';
	const {rescued} = forecastOf(check(3 * minute, '40%'));
	expect(rescued('slow')).toMatch(/by 00:32:\S+ \(in \S+\): bring its node back/);
	expect(rescued('slow')).toContain(by);
	const ready = forecastOf(ofKernels('40%'), [hung(), ...threeNodes.slice(1)]).rescued('cart');
	expect(ready).toContain(by);
	expect(ready).toMatch(
		/by 00:40:00Z \(in \S+\): mend what is wrong with its node; else\n {4}MachineHealthCheck machines\/workers replaces it/,
	);
	expect(ready).not.toContain('bring its node back');
});

test('one that comes after the countdown changes nothing about that pod', () => {
	const {of} = forecastOf(check(10 * minute, '40%'));
	expect(of('cart')?.eviction).toEqual(forecastOf([]).of('cart')?.eviction);
	expect(of('slow')?.eviction?.earliest).toBe(fell + 10 * minute);
});

test('one that most likely comes after a countdown, and may come before its end, leaves the taint its cause', () => {
	const {of, node} = forecastOf(check(5 * minute + second, '40%'));
	const plain = forecastOf([]).of('cart');
	expect(node?.repairs?.[0]?.at?.earliest).toBeLessThan(plain?.eviction?.latest ?? 0);
	expect(of('cart')).toMatchObject({cause: plain?.cause, eviction: {expected: plain?.eviction?.expected}});
});

test('one whose limit is passed does not act, and the reason says so', () => {
	const {of, node} = forecastOf(check(3 * minute, '10%'));
	expect(node?.repairs).toMatchObject([{at: null}]);
	expect(of('agent')?.verdict).toBe('Stays');
	expect(of('agent')?.because.join('\n')).toContain(
		'more than 10% of its nodes (maxUnhealthy) are unhealthy (1 of 3)',
	);
});

test('Karpenter may come first, but what cannot be seen of it does not end a pod that stays', () => {
	const repair: readonly RepairObject[] = [
		{
			kind: 'NodeClaim',
			name: 'c1',
			nodeName: 'n1',
			providerId: '',
			pool: '',
			provider: 'karpenter.azure.com',
		},
	];
	const {of, node} = forecastOf(repair);
	// In v1.15 a budget may delay it forever.
	const at = {earliest: fell + 10 * minute, latest: null};
	expect(node?.repairs).toMatchObject([{by: 'Karpenter', isSure: false, at}]);
	expect(of('agent')?.verdict).toBe('Stays');
	expect(of('agent')?.because.join('\n')).toContain(
		'whether the feature gate NodeRepair of Karpenter is on cannot be seen',
	);
	expect(of('slow')).toMatchObject({cause: {kind: 'Taint'}});
	expect(of('slow')?.eviction?.earliest).toBe(fell + 10 * minute);
});

test('a machine that is being deleted takes its pods along from now on', () => {
	const repair: readonly RepairObject[] = [
		{
			...{
				kind: 'NodeClaim',
				name: 'c1',
				nodeName: 'n1',
				providerId: '',
				pool: '',
				provider: 'karpenter.k8s.aws',
			},
			deletionTimestamp: now - second,
		},
	];
	expect(forecastOf(repair).of('agent')?.eviction).toMatchObject({earliest: now, latest: null});
});

/** A Ready node with a kernel deadlock. */
const hung = (conditions = [aCondition('KernelDeadlock', 'True', {lastTransitionTime: fell})]) =>
	aNode('n1', {conditions: [aCondition('Ready', 'True', {lastHeartbeatTime: now - second}), ...conditions]});

const ofKernels = (maxUnhealthy: string): readonly RepairObject[] =>
	check(0, maxUnhealthy).map((one) =>
		one.kind === 'MachineHealthCheck'
			? {...one, conditions: [{type: 'KernelDeadlock', status: 'True', timeout: 10 * minute}]}
			: one,
	);

test('a node that is Ready and has a condition that is repaired has an end, and its pods with it', () => {
	const {of, node, explained} = forecastOf(ofKernels('40%'), [hung(), ...threeNodes.slice(1)]);
	const by = 'MachineHealthCheck machines/workers';
	expect(node).toMatchObject({verdict: 'Healthy', repairs: [{by, isSure: true}]});
	expect(node?.repairs?.[0]?.at?.earliest).toBe(fell + 10 * minute);
	expect(of('cart')).toMatchObject({verdict: 'Unsure', cause: {kind: 'NodeRepair', by}});
	expect(of('cart')?.eviction).toMatchObject({earliest: fell + 10 * minute, latest: null});
	expect(of('cart')?.because.join()).toContain('KernelDeadlock=True for 10m');
	for (const target of [
		{kind: 'node', name: 'n1'},
		{kind: 'pod', namespace: of('cart')?.namespace ?? '', name: 'cart'},
	] as const)
		expect(explained(target)).toContain(`${by} deletes its Machine`);
	expect(explained({kind: 'node', name: 'n1'})).toContain(`${by} may `);
});

test('one that is not repaired, as too many are unhealthy, keeps its pods, and the reason says so', () => {
	const {of, node} = forecastOf(ofKernels('10%'), [hung(), ...threeNodes.slice(1)]);
	expect(node?.repairs).toMatchObject([{at: null}]);
	expect(of('cart')).toMatchObject({verdict: 'Safe', eviction: null});
	expect(of('cart')?.because.join()).toContain('more than 10% of its nodes (maxUnhealthy) are unhealthy');
});

test('a Ready node whose Machine has failed takes its pods along from now on', () => {
	const failed = check(3 * minute, '40%').map((one) =>
		one.kind === 'Machine' && one.nodeName === 'n1' ? {...one, failure: 'phase' as const} : one,
	);
	const {of} = forecastOf(failed, [ofStatus('n1', 'True'), ...threeNodes.slice(1)]);
	expect(of('agent')).toMatchObject({verdict: 'Unsure', cause: {kind: 'NodeRepair'}});
	expect(of('agent')?.eviction).toMatchObject({earliest: now, latest: null});
	expect(of('agent')?.because.join()).toContain('as the phase of its Machine is Failed');
});

test.for([
	['ToBeDeletedByClusterAutoscaler', 'the cluster autoscaler'],
	['karpenter.sh/disrupted', 'Karpenter'],
	['aws-node-termination-handler/spot-itn', 'the node termination handler'],
	['cloud.google.com/impending-node-termination', 'GKE'],
	['remediator.kubernetes.azure.com/unschedulable', 'AKS'],
] as const)('a Ready node with the taint %s takes its pods along from now on', ([key, by]) => {
	const taint = {key, value: '1', effect: 'NoSchedule' as const};
	const {of} = forecastOf([], [{...hung([]), taints: [taint]}, ...threeNodes.slice(1)]);
	expect(of('agent')).toMatchObject({verdict: 'Unsure', cause: {by}});
	expect(of('agent')?.eviction).toMatchObject({earliest: now, latest: null});
});

test.for([
	['True', 'Unsure'],
	['False', 'Safe'],
] as const)(
	'an event that AKS has scheduled for the machine of a Ready node (%s): its pods are %s',
	([status, verdict]) => {
		const [condition] = hung([]).conditions;
		const event = condition && {...condition, type: 'VMEventScheduled', status};
		const ready = hung([]).conditions.filter(({type}) => type === 'Ready');
		const marked = {...hung([]), conditions: event ? [...ready, event] : ready};
		expect(forecastOf([], [marked, ...threeNodes.slice(1)]).of('agent')?.verdict).toBe(verdict);
	},
);

test('the machine of another cluster has nothing to do with a node of the same name', () => {
	const machine = (providerId: string): RepairObject => ({
		...{kind: 'Machine', group: 'cluster.x-k8s.io', namespace: 'machines', name: 'm1', nodeName: 'n1'},
		...{providerId, labels: {}, isControlled: true, isSkipped: false, deletionTimestamp: now - second},
	});
	const [n1, ...others] = threeNodes;
	const nodes = n1 ? [{...n1, providerId: 'aws:///eu-west-1a/i-1'}, ...others] : others;
	expect(forecastOf([machine('aws:///us-east-1b/i-9')], nodes).of('agent')?.eviction).toBeNull();
	expect(forecastOf([machine('aws:///eu-west-1a/i-1')], nodes).of('agent')?.eviction).not.toBeNull();
});

test.each([
	['cloud.google.com/gke-nodepool', 10 * minute, 'GKE node auto-repair'],
	['eks.amazonaws.com/nodegroup', 30 * minute, 'EKS node auto repair'],
])('of a cloud, the documented time of node repair is assumed: %s', (label, wait, by) => {
	const {of, node} = forecastOf([], [ofStatus('n1', 'Unknown', {[label]: 'pool'}), ...threeNodes.slice(1)]);
	expect(node?.repairs).toMatchObject([{by, isSure: false}]);
	expect(of('slow')?.eviction?.earliest).toBe(fell + wait);
	expect(of('agent')?.verdict).toBe('Stays');
	expect(of('agent')?.because.join('\n')).toContain('the time is assumed by');
});

test('AKS reboots a node, and its pods stay bound to it', () => {
	const labels = {'kubernetes.azure.com/agentpool': 'pool'};
	const {of} = forecastOf([], [ofStatus('n1', 'Unknown', labels), ...threeNodes.slice(1)]);
	expect(of('slow')?.eviction).toEqual(forecastOf([]).of('slow')?.eviction);
	expect(of('slow')?.because.join('\n')).toContain('AKS node auto-repair');
});
