import {expect, test} from 'vitest';
import type {NodeClaim} from '../../../src/core/model/repairObject.ts';
import {countUnhealthy, repairDue} from '../../../src/core/noderepair/nodeRepair.ts';
import {repairersOf} from '../../../src/core/noderepair/repairers.ts';
import {minute} from '../../../src/core/time/instant.ts';
import {aCondition, aNode} from '../../support/builders.ts';

// Karpenter v1.15 needs a newer Go than was available: the table is from the sources of its AWS provider v1.15.1
// (cloudprovider.go RepairPolicies and legacyRepairPolicies), in minutes. Which implementation runs cannot be observed.
const policies: readonly [
	string,
	'True' | 'False' | 'Unknown',
	string,
	number | undefined,
	number | undefined,
][] = [
	// Condition, status, reason; by --legacy-node-repair; by the new implementation.
	['Ready', 'False', 'KubeletNotReady', 30, 30],
	['Ready', 'Unknown', 'NodeStatusUnknown', 30, 30],
	['AcceleratedHardwareReady', 'False', 'NvidiaXID95Error', 10, 10],
	['AcceleratedHardwareReady', 'False', 'NvidiaXID74Error', 10, 10],
	['AcceleratedHardwareReady', 'False', 'NvidiaNVLinkError', 10, 30],
	['StorageReady', 'False', 'any', 30, 30],
	['NetworkingReady', 'False', 'any', 30, 30],
	['KernelReady', 'False', 'any', 30, 30],
	['ContainerRuntimeReady', 'False', 'any', 30, 30],
	['AcceleratedHardwareReady', 'Unknown', 'any', undefined, undefined],
	['MemoryPressure', 'True', 'any', undefined, undefined],
	['Ready', 'True', 'KubeletReady', undefined, undefined],
];

const claim = (nodeName: string, pool = 'default'): NodeClaim => ({
	...{kind: 'NodeClaim', name: `claim-${nodeName}`, nodeName, providerId: ''},
	...{pool, provider: 'karpenter.k8s.aws'},
});

test.for(policies)(
	'Karpenter repairs %s=%s (%s) no earlier than by either way',
	([type, status, reason, legacy, since15]) => {
		const condition = aCondition(type, status, {lastTransitionTime: minute, reason});
		const node = aNode('n1', {conditions: [condition]});
		const [karpenter] = repairersOf([claim('n1')], [node]);
		const first = legacy === undefined || since15 === undefined ? undefined : Math.min(legacy, since15);
		expect(karpenter && repairDue(node, karpenter)?.at).toBe(first && (first + 1) * minute);
		// In the new one, budgets, replacements and other nodes may delay it, and an annotation prevents it.
		expect(karpenter?.delays).toMatch(/disruption budget.*replacement.*do-not-repair/);
	},
);

// breakerTrippedPools of v1.15 and areNodesHealthy of the legacy implementation have the same limit.
test.for([
	{size: 1, unhealthy: 1, isAllowed: true},
	{size: 5, unhealthy: 1, isAllowed: true},
	{size: 5, unhealthy: 2, isAllowed: false},
	{size: 6, unhealthy: 2, isAllowed: true},
	{size: 11, unhealthy: 3, isAllowed: true},
	{size: 11, unhealthy: 4, isAllowed: false},
])(
	'of a NodePool of $size nodes Karpenter repairs $unhealthy by both ways: $isAllowed',
	({size, unhealthy, isAllowed}) => {
		const labels = {'karpenter.sh/nodepool': 'default'};
		const silent = [aCondition('Ready', 'Unknown', {lastTransitionTime: 0})];
		const nodes = Array.from({length: size}, (_, index) =>
			aNode(`n${index}`, {labels, ...(index < unhealthy && {conditions: silent})}),
		);
		// Nodes of other pools do not count.
		const others = ['a', 'b', 'c'].map((name) =>
			aNode(name, {labels: {'karpenter.sh/nodepool': 'other'}, conditions: silent}),
		);
		const all = [...nodes, ...others];
		const [karpenter] = repairersOf(
			nodes.map(({name}) => claim(name)),
			all,
		);
		const count = karpenter && countUnhealthy(karpenter, (name) => all.find((node) => node.name === name));
		expect(count).toEqual({unhealthy, total: size, isAllowed});
	},
);
