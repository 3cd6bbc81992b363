import type {ControllerSettings} from '../model/controllerSettings.ts';
import {type Node, type NodeCondition, nodeCondition} from '../model/node.ts';
import type {Instant} from '../time/instant.ts';

/** What the controller remembers of a node's heartbeats. Its clock is the controller's own, never the kubelet's. */
export type NodeHealth = {
	/** When a pass last saw a sign of life that was new. */
	readonly probeTimestamp: Instant;
	/** The Ready condition as it was then; undefined where there was none. */
	readonly ready: NodeCondition | undefined;
	/** The lease's renewTime as it was then; undefined where none is remembered. */
	readonly leaseRenewTime: Instant | undefined;
	/** When a pass last saw the Ready condition change, or set it Unknown itself. */
	readonly readyTransitionTimestamp: Instant;
};

export type HealthJudgement = {
	/** What to remember, also where the write below fails. */
	readonly health: NodeHealth;
	/** The Ready condition that the pass found; an Unknown one where the node has none. */
	readonly observed: NodeCondition;
	/** The Ready condition that the pass leaves; undefined where the node has none and keeps none. */
	readonly current: NodeCondition | undefined;
	/** Whether the grace period is over without a sign of life; so it stays for a node that is Unknown already. */
	readonly isSilent: boolean;
	/** Where the node is to turn Unknown: all its conditions, and what to remember once they are written. */
	readonly write: {readonly conditions: readonly NodeCondition[]; readonly health: NodeHealth} | undefined;
};

const watchedConditions = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'];

type HealthSettings = Pick<
	ControllerSettings,
	'nodeMonitorGracePeriod' | 'nodeStartupGracePeriod' | 'nodeLease'
>;

/**
 * Judges one node in a monitor pass: alive as long as its lease or its Ready condition's heartbeat changes, Unknown
 * once neither did for longer than the grace period.
 *
 * @param leaseRenewTime of the node's lease; undefined where it has none
 * @quirk without the gate NodeLease only the node status is a sign of life
 * @upstream kubernetes v1.36.3 pkg/controller/nodelifecycle/node_lifecycle_controller.go tryUpdateNodeHealth
 */
export function judgeNodeHealth(
	node: Node,
	remembered: NodeHealth | undefined,
	leaseRenewTime: Instant | undefined,
	{nodeMonitorGracePeriod, nodeStartupGracePeriod, nodeLease}: HealthSettings,
	now: Instant,
): HealthJudgement {
	const current = nodeCondition(node, 'Ready');
	const observed = current ?? neverPosted(node);
	const gracePeriod = current ? nodeMonitorGracePeriod : nodeStartupGracePeriod;
	const byStatus = current ? healthByStatus(current, remembered, now) : healthWithoutStatus(node, remembered);
	const renewTime = nodeLease ? leaseRenewTime : undefined;
	const health = withLease(byStatus, remembered?.leaseRenewTime, renewTime, now);

	const isSilent = now > health.probeTimestamp + gracePeriod;
	if (!isSilent || current?.status === 'Unknown')
		return {health, observed, current, isSilent, write: undefined};

	const conditions = asUnknown(node, now);
	const ready = conditions.find(({type}) => type === 'Ready');
	const written = {...health, ready, leaseRenewTime: renewTime, readyTransitionTimestamp: now};
	return {health, observed, current: ready, isSilent, write: {conditions, health: written}};
}

function neverPosted({createdAt}: Node): NodeCondition {
	return {type: 'Ready', status: 'Unknown', lastHeartbeatTime: createdAt, lastTransitionTime: createdAt};
}

/**
 * A node that never posted status is judged from its creation.
 *
 * @quirk where an older node of its name is remembered, a node that never posted status is judged by what that one did
 */
function healthWithoutStatus({createdAt}: Node, remembered: NodeHealth | undefined): NodeHealth {
	if (remembered) return {...remembered, ready: undefined};
	return {
		probeTimestamp: createdAt,
		ready: undefined,
		leaseRenewTime: undefined,
		readyTransitionTimestamp: createdAt,
	};
}

/**
 * @quirk a status heartbeat drops the remembered lease
 */
function healthByStatus(ready: NodeCondition, remembered: NodeHealth | undefined, now: Instant): NodeHealth {
	if (remembered?.ready && remembered.ready.lastHeartbeatTime === ready.lastHeartbeatTime) return remembered;
	const before = remembered?.ready;
	const hasTurned = !before || before.lastTransitionTime !== ready.lastTransitionTime;
	const readyTransitionTimestamp = hasTurned || !remembered ? now : remembered.readyTransitionTimestamp;
	return {probeTimestamp: now, ready, leaseRenewTime: undefined, readyTransitionTimestamp};
}

function withLease(
	health: NodeHealth,
	saved: Instant | undefined,
	renewTime: Instant | undefined,
	now: Instant,
): NodeHealth {
	if (renewTime === undefined || (saved !== undefined && saved >= renewTime)) return health;
	return {...health, probeTimestamp: now, leaseRenewTime: renewTime};
}

function asUnknown(node: Node, now: Instant): readonly NodeCondition[] {
	const known = node.conditions.map((condition): NodeCondition => {
		if (!watchedConditions.includes(condition.type) || condition.status === 'Unknown') return condition;
		return {...condition, status: 'Unknown', reason: 'NodeStatusUnknown', lastTransitionTime: now};
	});
	const missing = watchedConditions
		.filter((type) => !nodeCondition(node, type))
		.map(
			(type): NodeCondition => ({
				...neverPosted(node),
				type,
				reason: 'NodeStatusNeverUpdated',
				lastTransitionTime: now,
			}),
		);
	return [...known, ...missing];
}
