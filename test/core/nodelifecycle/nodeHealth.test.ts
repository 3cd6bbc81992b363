import {expect, test} from 'vitest';
import type {Node} from '../../../src/core/model/node.ts';
import {judgeNodeHealth, type NodeHealth} from '../../../src/core/nodelifecycle/nodeHealth.ts';
import {type Instant, minute, second} from '../../../src/core/time/instant.ts';
import {aCondition, aNode} from '../../support/builders.ts';

const periods = {nodeMonitorGracePeriod: 50 * second, nodeStartupGracePeriod: 60 * second, nodeLease: true};

const judge = (node: Node, remembered: NodeHealth | undefined, lease: Instant | undefined, now: Instant) =>
	judgeNodeHealth(node, remembered, lease, periods, now);

const withoutStatus = (createdAt: Instant) => aNode('n1', {createdAt, conditions: []});
const posted = (at: Instant) =>
	aNode('n1', {
		conditions: [aCondition('Ready', 'True', {lastHeartbeatTime: at}), aCondition('DiskPressure', 'False')],
	});

test('a status heartbeat drops the remembered lease', () => {
	const first = judge(posted(0), undefined, 0, 0).health;
	const second = judge(posted(1000), first, 0, 5000).health;
	expect([first.leaseRenewTime, second.leaseRenewTime]).toEqual([0, undefined]);
	expect(judge(posted(1000), second, 0, 10_000).health.probeTimestamp).toBe(10_000);
});

test('where an older node of its name is remembered, a node that never posted status is judged by what that one did', () => {
	const older = judge(posted(0), undefined, 0, 0).health;
	const replaced = withoutStatus(2 * minute);
	expect(judge(replaced, older, undefined, 2 * minute).write).toBeDefined();
	expect(judge(replaced, undefined, undefined, 2 * minute).write).toBeUndefined();
});

test('without the gate NodeLease only the node status is a sign of life', () => {
	const known = judge(posted(0), undefined, 0, 0).health;
	const later = (nodeLease: boolean) =>
		judgeNodeHealth(posted(0), known, 50 * second, {...periods, nodeLease}, 51 * second);
	expect(later(true).write).toBeUndefined();
	expect(later(false).write).toBeDefined();
});

test('a node is silent once more than its grace period has passed', () => {
	const known = judge(posted(0), undefined, 0, 0).health;
	const isSilent = (at: Instant) => judge(posted(0), known, 0, at).write !== undefined;
	expect([isSilent(50 * second), isSilent(50 * second + 1)]).toEqual([false, true]);
});
