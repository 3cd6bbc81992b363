import {expect, test} from 'vitest';
import {decodeRepair} from '../../../src/cluster/codec/decodeRepair.ts';
import type {Machine, MachineHealthCheck, NodeClaim} from '../../../src/core/model/repairObject.ts';
import {countUnhealthy, repairDue} from '../../../src/core/noderepair/nodeRepair.ts';
import {repairersOf} from '../../../src/core/noderepair/repairers.ts';
import {minute, second} from '../../../src/core/time/instant.ts';
import {aCondition, aNode} from '../../support/builders.ts';

const unknown = (name: string, at: number, labels = {}) =>
	aNode(name, {labels, conditions: [aCondition('Ready', 'Unknown', {lastTransitionTime: at})]});

const claim = (nodeName: string, fields: Partial<NodeClaim> = {}): NodeClaim => ({
	...{
		kind: 'NodeClaim',
		name: `claim-${nodeName}`,
		nodeName,
		providerId: '',
		pool: 'default',
		provider: 'karpenter.k8s.aws',
	},
	...fields,
});

const machine = (nodeName: string, fields: Partial<Machine> = {}): Machine => ({
	...{kind: 'Machine', group: 'machine.openshift.io', namespace: 'machines', name: `machine-${nodeName}`},
	...{nodeName, providerId: '', labels: {role: 'worker'}, isControlled: true, isSkipped: false},
	...fields,
});

const check = (fields: Partial<MachineHealthCheck> = {}): MachineHealthCheck => ({
	...{kind: 'MachineHealthCheck', group: 'machine.openshift.io', namespace: 'machines', name: 'workers'},
	...{cluster: '', selector: {matchLabels: {role: 'worker'}, matchExpressions: []}},
	conditions: [{type: 'Ready', status: 'Unknown', timeout: 5 * minute}],
	...{maxUnhealthy: '40%', isExternal: false, isPaused: false},
	...fields,
});

test('of another provider, how long it waits is not known, and is named', () => {
	const [karpenter] = repairersOf([claim('n1', {provider: 'karpenter.example.com'})], [unknown('n1', 0)]);
	expect(karpenter?.isTimeUnknown).toBe(true);
	expect(karpenter?.doubt).toContain('karpenter.example.com');
});

test('a machine of another cluster, whose node has the same name, is none of ours', () => {
	const node = {...unknown('n1', 0), providerId: 'aws:///a/i-1'};
	const [repairer] = repairersOf([machine('n1', {providerId: 'aws:///b/i-2'}), check()], [node]);
	expect(repairer?.nodes.size).toBe(0);
});

test('one of Cluster API checks the machines of its own cluster and group alone', () => {
	const group = 'cluster.x-k8s.io';
	const ours = {role: 'worker', 'cluster.x-k8s.io/cluster-name': 'ours'};
	const objects = [
		machine('n1', {group, labels: ours}),
		machine('n2', {group, labels: {role: 'worker', 'cluster.x-k8s.io/cluster-name': 'theirs'}}),
		machine('n3', {labels: ours}),
		check({group, cluster: 'ours'}),
	];
	const [repairer] = repairersOf(
		objects,
		['n1', 'n2', 'n3'].map((name) => aNode(name)),
	);
	expect([...(repairer?.nodes ?? [])]).toEqual(['n1']);
});

// isAllowedRemediation of OpenShift: recorded in test/conformance/vectors/repair.
test('a Machine that is being deleted counts as unhealthy, however its node is', () => {
	const nodes = ['n1', 'n2', 'n3'].map((name) => aNode(name));
	const machines = [
		machine('n1', {deletionTimestamp: 0}),
		machine('n2', {deletionTimestamp: 0}),
		machine('n3'),
	];
	const [openShift] = repairersOf([...machines, check()], nodes);
	const nodeOf = (name: string) => nodes.find((node) => node.name === name);
	expect(openShift && countUnhealthy(openShift, nodeOf)).toEqual({unhealthy: 2, total: 3, isAllowed: false});
});

test.for([
	{group: 'machine.openshift.io', isSkipped: false},
	{group: 'cluster.x-k8s.io', isSkipped: true},
])('whether an annotation keeps a Machine of $group from being repaired', ({group, isSkipped}) => {
	const metadata = {
		name: 'm1',
		namespace: 'machines',
		annotations: {'cluster.x-k8s.io/skip-remediation': ''},
	};
	expect(decodeRepair('Machine', group, {metadata})).toMatchObject({isSkipped});
});

// needsRemediation of OpenShift: recorded in test/conformance/vectors/repair.
test('a Machine that has failed is repaired at once and counts as unhealthy, however its node is', () => {
	const nodes = ['n1', 'n2', 'n3'].map((name) => aNode(name));
	const machines = [
		machine('n1', {failure: 'phase'}),
		machine('n2', {isBeingRepaired: true}),
		machine('n3', {isControlled: false}),
	];
	const [openShift] = repairersOf([...machines, check()], nodes);
	const nodeOf = (name: string) => nodes.find((node) => node.name === name);
	const dueOf = (name: string) => {
		const node = nodeOf(name);
		return openShift && node && repairDue(node, openShift);
	};
	expect(dueOf('n1')).toEqual({at: Number.NEGATIVE_INFINITY, reason: 'phase'});
	expect(dueOf('n2')).toBeUndefined();
	expect(openShift && countUnhealthy(openShift, nodeOf)).toEqual({unhealthy: 2, total: 3, isAllowed: false});
});

test('a remediation is requested of machines that no set replaces, too', () => {
	const [repairer] = repairersOf(
		[machine('n1', {isControlled: false}), check({isExternal: true})],
		[aNode('n1')],
	);
	expect([...(repairer?.nodes ?? [])]).toEqual(['n1']);
	expect(repairer?.doubt).toBeDefined();
});

// machineChecks of Cluster API: recorded in test/conformance/vectors/repair.
test('of Cluster API, a condition of the Machine itself is checked as those of its node are', () => {
	const group = 'cluster.x-k8s.io';
	const failed = {type: 'InfrastructureReady', status: 'False', lastTransitionTime: minute} as const;
	const [repairer] = repairersOf(
		[
			machine('n1', {group, conditions: [failed]}),
			check({
				group,
				machineConditions: [{type: 'InfrastructureReady', status: 'False', timeout: 2 * minute}],
			}),
		],
		[unknown('n1', 0)],
	);
	expect(repairer && repairDue(unknown('n1', 0), repairer)?.at).toBe(3 * minute);
	expect(repairer?.slack).toBeGreaterThan(15 * second);
	expect(repairer?.delays).toContain('maxInFlight');
});

test.for([
	{group: 'machine.openshift.io', status: {phase: 'Failed'}, failure: 'phase'},
	{group: 'machine.openshift.io', status: {phase: 'Running'}},
	{group: 'cluster.x-k8s.io', status: {phase: 'Failed'}},
	{group: 'cluster.x-k8s.io', status: {failureMessage: 'no instance'}, failure: 'failureReason'},
	{group: 'cluster.x-k8s.io', status: {}, remediate: true, failure: 'annotation'},
	{group: 'machine.openshift.io', status: {}, remediate: true},
])('what a Machine of $group is repaired for at once: $failure', ({group, status, remediate, failure}) => {
	const annotations = remediate ? {'cluster.x-k8s.io/remediate-machine': ''} : {};
	const decoded = decodeRepair('Machine', group, {metadata: {name: 'm1', annotations}, status});
	expect((decoded as Machine).failure).toBe(failure);
});

test('a check of Cluster API is paused where its status says so, and waits for nothing where no seconds are given', () => {
	const decoded = decodeRepair('MachineHealthCheck', 'cluster.x-k8s.io', {
		metadata: {name: 'workers'},
		spec: {
			checks: {
				unhealthyNodeConditions: [{type: 'Ready', status: 'False'}],
				unhealthyMachineConditions: [{type: 'BootstrapReady', status: 'Unknown', timeoutSeconds: 60}],
			},
		},
		status: {conditions: [{type: 'Paused', status: 'True'}]},
	});
	expect(decoded).toMatchObject({
		isPaused: true,
		conditions: [{type: 'Ready', status: 'False', timeout: 0}],
		machineConditions: [{type: 'BootstrapReady', status: 'Unknown', timeout: minute}],
	});
});

test('where a template is given, one request that is there keeps those behind it in the list from being made', () => {
	const group = 'cluster.x-k8s.io';
	const node = unknown('n1', 0);
	const repairers = (isExternal: boolean) =>
		repairersOf([check({group, isExternal}), machine('n1', {group})], [node]);
	// Their order in the list cannot be observed: any may have to wait.
	const [ofTemplate, ofOwner] = [repairers(true)[0], repairers(false)[0]];
	expect(ofTemplate?.delays).toMatch(/the remediation of another machine/);
	expect(ofOwner?.delays).not.toMatch(/another machine/);
});

test.for([
	['720h', minute + 720 * 60 * minute],
	['Never', undefined],
	[undefined, undefined],
] as const)('a NodeClaim with expireAfter %s expires at %s', ([expireAfter, expiresAt]) => {
	const claim = {
		metadata: {name: 'c1', creationTimestamp: '1970-01-01T00:01:00Z'},
		spec: {expireAfter},
	};
	expect(decodeRepair('NodeClaim', 'karpenter.sh', claim)).toHaveProperty('name', 'c1');
	expect(decodeRepair('NodeClaim', 'karpenter.sh', claim)).toMatchObject({...(expiresAt && {expiresAt})});
	if (!expiresAt)
		expect(decodeRepair('NodeClaim', 'karpenter.sh', claim)).toMatchObject({expiresAt: undefined});
});

test('a NodeReadinessRule is read with its taint, its conditions and its selector', () => {
	const spec = {
		taint: {key: 'readiness.k8s.io/network', value: 'pending', effect: 'NoExecute'},
		nodeSelector: {matchLabels: {role: 'worker'}},
		conditions: [
			{type: 'NetworkReady', requiredStatus: 'True'},
			{type: 'Odd', requiredStatus: 'Maybe'},
		],
		enforcementMode: 'continuous',
	};
	const rule = {metadata: {name: 'network'}, spec};
	expect(decodeRepair('NodeReadinessRule', 'readiness.node.x-k8s.io', rule)).toEqual({
		...{kind: 'NodeReadinessRule', name: 'network', isDryRun: false},
		taint: {key: 'readiness.k8s.io/network', effect: 'NoExecute'},
		selector: {matchLabels: {role: 'worker'}, matchExpressions: []},
		conditions: [{type: 'NetworkReady', status: 'True'}],
	});
});
