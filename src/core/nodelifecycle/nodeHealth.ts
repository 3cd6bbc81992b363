import type {ControllerSettings} from '../model/controllerSettings.ts';
import {type Node, type NodeCondition, nodeCondition, readyCondition} from '../model/node.ts';
import type {Instant} from '../time/instant.ts';

/** What the controller remembers of a node's heartbeats. All times are by the controller's clock, never the kubelet's. */
export type NodeHealth = Readonly<{
	/** When a pass last saw a new sign of life. */
	probeTimestamp: Instant;
	/** The Ready condition at that time; undefined if there was none. */
	ready: NodeCondition | undefined;
	/** The lease's renewTime at that time; undefined if none is remembered. */
	leaseRenewTime: Instant | undefined;
	/** When a pass last saw the Ready condition change, or set it Unknown itself. */
	readyTransitionTimestamp: Instant;
}>;

export type HealthJudgement = Readonly<{
	/** What to remember, even if the write below fails. */
	health: NodeHealth;
	/** The Ready condition before this pass; Unknown if the node has none. */
	observed: NodeCondition;
	/** The Ready condition after this pass; undefined if the node has none and gets none. */
	current: NodeCondition | undefined;
	/** Whether the grace period ended without a sign of life; also true for a node that is already Unknown. */
	isSilent: boolean;
	/** Set if the node must become Unknown: all its conditions, and what to remember once they are written. */
	write: {readonly conditions: readonly NodeCondition[]; readonly health: NodeHealth} | undefined;
}>;

const watchedConditions = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'];

type HealthSettings = Pick<
	ControllerSettings,
	'nodeMonitorGracePeriod' | 'nodeStartupGracePeriod' | 'nodeLease'
>;

/**
 * Judges one node in a monitor pass: it is alive while its lease or its Ready condition's heartbeat changes, and
 * Unknown once neither has changed for longer than the grace period.
 *
 * @param leaseRenewTime of the node's lease; undefined if it has none
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
	const current = readyCondition(node);
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
 * A node that never posted its status is judged from its creation.
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
