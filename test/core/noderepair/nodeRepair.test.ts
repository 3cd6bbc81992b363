import {expect, test} from 'vitest';
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

// findUnhealthyConditions: of several conditions the one whose time is over first, whatever it began.
test('the condition whose toleration ends first decides, not the one that began first', () => {
	const node = aNode('n1', {
		conditions: [
			aCondition('Ready', 'False', {lastTransitionTime: 0}),
			aCondition('AcceleratedHardwareReady', 'False', {lastTransitionTime: 5 * minute}),
			aCondition('KernelReady', 'True', {lastTransitionTime: 0}),
		],
	});
	const [karpenter] = repairersOf([claim('n1')], [node]);
	expect(repairDue(node, karpenter?.conditions ?? [])).toEqual({
		at: 15 * minute,
		condition: {type: 'AcceleratedHardwareReady', status: 'False', timeout: 10 * minute},
	});
});

test('a node that is well is not due', () => {
	const [karpenter] = repairersOf([claim('n1')], [aNode('n1')]);
	expect(repairDue(aNode('n1'), karpenter?.conditions ?? [])).toBeUndefined();
});

test('a node counts as unhealthy from the first moment on, long before its time is over', () => {
	const pool = {'karpenter.sh/nodepool': 'default'};
	const well = ['n3', 'n4', 'n5'].map((name) => aNode(name, {labels: pool}));
	const nodes = [unknown('n1', 0, pool), unknown('n2', 29 * minute, pool), ...well, unknown('other', 0)];
	const [karpenter] = repairersOf(nodes.map(({name}) => claim(name)).slice(0, 5), nodes);
	const nodeOf = (name: string) => nodes.find((node) => node.name === name);
	expect(karpenter && countUnhealthy(karpenter, nodeOf)).toEqual({unhealthy: 2, total: 5, isAllowed: false});
});

// NodeClaimForNode: recorded in test/conformance/vectors/repair.
test("a NodeClaim is that of the node with its provider ID, and a node of two claims is nobody's", () => {
	const nodes = ['n1', 'n2', 'n3'].map((name) => ({...unknown(name, 0), providerId: `aws:///${name}`}));
	const claims = [
		claim('n1', {providerId: 'aws:///n1'}),
		claim('', {name: 'unnamed', providerId: 'aws:///n2'}),
		claim('n3', {providerId: 'aws:///n3'}),
		claim('n3', {name: 'second', providerId: 'aws:///n3'}),
		claim('n1', {name: 'elsewhere', providerId: 'aws:///n9'}),
	];
	const [karpenter] = repairersOf(claims, nodes);
	expect([...(karpenter?.nodes ?? [])]).toEqual(['n1', 'n2']);
});

test('the claims of no NodePool count all nodes of the cluster', () => {
	const nodes = [unknown('n1', 0), ...['n2', 'n3', 'n4'].map((name) => aNode(name))];
	const [karpenter] = repairersOf([claim('n1', {pool: ''})], nodes);
	expect(karpenter?.counted.size).toBe(4);
});

test.each([
	['karpenter.k8s.aws', 30 * minute, 'NodeRepair'],
	['karpenter.azure.com', 10 * minute, 'NodeRepair'],
	['eks.amazonaws.com', 30 * minute, undefined],
])('%s waits %i ms for a node that is Unknown', (provider, wait, doubt) => {
	const node = unknown('n1', second);
	const [karpenter] = repairersOf([claim('n1', {provider})], [node]);
	expect(repairDue(node, karpenter?.conditions ?? [])?.at).toBe(second + wait);
	if (doubt) expect(karpenter?.doubt).toContain(doubt);
	else expect(karpenter?.doubt).toBeUndefined();
});

test('of another provider, how long it waits is not known, and is named', () => {
	const [karpenter] = repairersOf([claim('n1', {provider: 'karpenter.example.com'})], [unknown('n1', 0)]);
	expect(karpenter?.isTimeUnknown).toBe(true);
	expect(karpenter?.doubt).toContain('karpenter.example.com');
});

test('a MachineHealthCheck counts machines without a node, and repairs only those that a set replaces', () => {
	const nodes = [unknown('n1', 0), unknown('n2', 0), aNode('n3')];
	const objects = [
		...[machine('n1'), machine('n2', {isControlled: false}), machine('n3'), machine('', {name: 'new'})],
		...[machine('n4', {isSkipped: true}), machine('n5', {labels: {role: 'infra'}}), check()],
	];
	const [repairer] = repairersOf(objects, nodes);
	expect([...(repairer?.nodes ?? [])]).toEqual(['n1', 'n3']);
	const nodeOf = (name: string) => nodes.find((node) => node.name === name);
	expect(repairer && countUnhealthy(repairer, nodeOf)).toEqual({unhealthy: 3, total: 4, isAllowed: false});
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
