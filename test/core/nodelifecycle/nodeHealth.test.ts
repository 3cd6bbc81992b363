import {expect, test} from 'vitest';
import type {Node} from '../../../src/core/model/node.ts';
import {judgeNodeHealth, type NodeHealth} from '../../../src/core/nodelifecycle/nodeHealth.ts';
import {type Instant, minute, second} from '../../../src/core/time/instant.ts';
import {aCondition, aNode, longAgo} from '../../support/builders.ts';

const periods = {
	nodeMonitorGracePeriod: 50 * second,
	nodeStartupGracePeriod: 60 * second,
	nodeLease: true,
};
const hour = 60 * minute;

const judge = (node: Node, remembered: NodeHealth | undefined, lease: Instant | undefined, now: Instant) =>
	judgeNodeHealth(node, remembered, lease, periods, now);

/** Two passes an hour apart, for the node's states at the first and at the second. */
function afterAnHour(
	first: Node,
	firstLease: Instant | undefined,
	second: Node,
	secondLease: Instant | undefined,
) {
	return judge(second, judge(first, undefined, firstLease, 0).health, secondLease, hour);
}

const withoutStatus = (createdAt: Instant) => aNode('n1', {createdAt, conditions: []});
const posted = (at: Instant) =>
	aNode('n1', {
		conditions: [aCondition('Ready', 'True', {lastHeartbeatTime: at}), aCondition('DiskPressure', 'False')],
	});

test('a young node without status and lease is within its startup grace', () => {
	expect(judge(withoutStatus(0), undefined, undefined, 0)).toMatchObject({
		write: undefined,
		current: undefined,
	});
});

test('a young node without status that renews its lease is left alone', () => {
	expect(judge(withoutStatus(0), undefined, 0, 0).write).toBeUndefined();
});

test('an old node without status and lease turns Unknown, in all the conditions that kubelets post', () => {
	const {write, observed, current} = judge(withoutStatus(longAgo), undefined, undefined, 0);
	expect(write?.conditions.map(({type}) => type)).toEqual([
		'Ready',
		'MemoryPressure',
		'DiskPressure',
		'PIDPressure',
	]);
	for (const condition of write?.conditions ?? []) {
		expect(condition).toMatchObject({
			status: 'Unknown',
			reason: 'NodeStatusNeverUpdated',
			lastHeartbeatTime: longAgo,
			lastTransitionTime: 0,
		});
	}
	expect([observed.status, current?.status]).toEqual(['Unknown', 'Unknown']);
});

test.for([
	{
		name: 'a node without status lives as long as it renews its lease',
		first: withoutStatus(longAgo),
		second: withoutStatus(longAgo),
		lease: hour,
		isSilent: false,
	},
	{
		name: 'a node without status whose lease has expired turns Unknown',
		first: withoutStatus(longAgo),
		second: withoutStatus(longAgo),
		lease: 0,
		isSilent: true,
	},
	{
		name: 'a renewed lease makes up for an old status',
		first: posted(0),
		second: posted(0),
		lease: hour,
		isSilent: false,
	},
	{
		name: 'a fresh status makes up for an old lease',
		first: posted(0),
		second: posted(hour),
		lease: 0,
		isSilent: false,
	},
	{
		name: 'a node whose status and lease are old turns Unknown',
		first: posted(0),
		second: posted(0),
		lease: 0,
		isSilent: true,
	},
])('$name', ({first, second: later, lease, isSilent}) => {
	expect(afterAnHour(first, 0, later, lease).write !== undefined).toBe(isSilent);
});

test('conditions that the kubelet posted keep their heartbeat, those that it never posted get the node as theirs', () => {
	const {write} = afterAnHour(posted(0), 0, posted(0), 0);
	expect(write?.conditions).toEqual([
		{...aCondition('Ready', 'Unknown'), reason: 'NodeStatusUnknown', lastTransitionTime: hour},
		{...aCondition('DiskPressure', 'Unknown'), reason: 'NodeStatusUnknown', lastTransitionTime: hour},
		...['MemoryPressure', 'PIDPressure'].map((type) => ({
			...aCondition(type, 'Unknown', {lastHeartbeatTime: longAgo, lastTransitionTime: hour}),
			reason: 'NodeStatusNeverUpdated',
		})),
	]);
});

test('conditions of other owners stay as they are', () => {
	const node = aNode('n1', {
		conditions: [aCondition('Ready', 'True'), aCondition('NetworkUnavailable', 'False')],
	});
	const {write} = afterAnHour(node, undefined, node, undefined);
	expect(write?.conditions).toContainEqual(aCondition('NetworkUnavailable', 'False'));
});

test.for([
	{name: 'exactly at the grace period a node still lives', now: 50 * second, isSilent: false},
	{name: 'after the grace period it is silent', now: 50 * second + 1, isSilent: true},
])('$name', ({now, isSilent}) => {
	const {health} = judge(posted(0), undefined, 0, 0);
	expect(judge(posted(0), health, 0, now).write !== undefined).toBe(isSilent);
});

test('the clock of a sign of life is that of the pass that saw it', () => {
	const first = judge(posted(0), undefined, 0, 0).health;
	expect(judge(posted(0), first, 3 * second, 5 * second).health.probeTimestamp).toBe(5 * second);
	expect(judge(posted(4 * second), first, 0, 5 * second).health.probeTimestamp).toBe(5 * second);
	expect(judge(posted(0), first, 0, 5 * second).health.probeTimestamp).toBe(0);
});

test('a lease that is set back is not a sign of life', () => {
	const first = judge(posted(0), undefined, 10 * second, 0).health;
	expect(judge(posted(0), first, 9 * second, 5 * second).health).toEqual(first);
});

test('a node that is Unknown already is not written again', () => {
	const node = aNode('n1', {conditions: [aCondition('Ready', 'Unknown')]});
	const {write, current} = afterAnHour(node, undefined, node, undefined);
	expect([write, current?.status]).toEqual([undefined, 'Unknown']);
});

test('a node that says False turns Unknown when it falls silent', () => {
	const node = aNode('n1', {conditions: [aCondition('Ready', 'False')]});
	const {write, observed, current} = afterAnHour(node, undefined, node, undefined);
	expect([write !== undefined, observed.status, current?.status]).toEqual([true, 'False', 'Unknown']);
});

test('what is remembered after the write is the condition that was written', () => {
	const {write, health} = afterAnHour(posted(0), 0, posted(0), 0);
	expect(health.ready).toMatchObject({type: 'Ready', status: 'True'});
	expect(write?.health.ready).toMatchObject({type: 'Ready', status: 'Unknown'});
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

test('a Ready condition that was taken away leaves the last sign of life where it was', () => {
	const first = judge(posted(0), undefined, undefined, 0).health;
	const without = aNode('n1', {conditions: []});
	expect(judge(without, first, undefined, 60 * second).write).toBeUndefined();
	expect(judge(without, first, undefined, 60 * second + 1).current?.status).toBe('Unknown');
});

test('without the gate NodeLease only the node status is a sign of life', () => {
	const known = judge(posted(0), undefined, 0, 0).health;
	const later = (nodeLease: boolean) =>
		judgeNodeHealth(posted(0), known, 50 * second, {...periods, nodeLease}, 51 * second);
	expect(later(true).write).toBeUndefined();
	expect(later(false).write).toBeDefined();
});

test('a transition is dated by the pass that saw it, or that wrote it', () => {
	const turned = (at: Instant) =>
		aNode('n1', {
			conditions: [aCondition('Ready', 'False', {lastHeartbeatTime: at, lastTransitionTime: at})],
		});
	const known = judge(turned(0), undefined, 0, second).health;
	expect(known.readyTransitionTimestamp).toBe(second);
	const again = aNode('n1', {
		conditions: [aCondition('Ready', 'False', {lastHeartbeatTime: 4 * second, lastTransitionTime: 0})],
	});
	expect(judge(again, known, 0, 5 * second).health.readyTransitionTimestamp).toBe(second);
	expect(judge(turned(4 * second), known, 0, 5 * second).health.readyTransitionTimestamp).toBe(5 * second);
	expect(judge(turned(0), known, 0, hour).write?.health.readyTransitionTimestamp).toBe(hour);
});
