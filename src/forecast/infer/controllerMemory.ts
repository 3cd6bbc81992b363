import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {readyCondition} from '../../core/model/node.ts';
import type {NodeHealth} from '../../core/nodelifecycle/nodeHealth.ts';
import type {NodeLifecycleController} from '../../core/nodelifecycle/nodeLifecycleController.ts';
import {beginningOfTime, type Duration, type Instant, never} from '../../core/time/instant.ts';
import type {AffectedNodes} from '../observe/affectedNodes.ts';
import {at, isEarly} from '../observe/interval.ts';
import {type NodeEvidence, namesOf} from '../observe/nodes/nodeEvidence.ts';
import {isUnheard} from '../observe/nodes/nodeLiveness.ts';
import type {Hypothesis} from './hypothesis.ts';
import {
	earliestLook,
	earliestPass,
	endOfPass,
	lastPass,
	latestLook,
	type PassSchedule,
	passAtOrAfter,
	stretchedAt,
} from './passSchedule.ts';

/**
 * Sets what the controller remembers of each node, given the passes of a hypothesis. If a node would be Unknown by now, it
 * must have given its last sign of life later in its interval.
 */
export function adoptNodes(
	lifecycle: NodeLifecycleController,
	hypothesis: Hypothesis,
	affected: AffectedNodes,
	settings: ControllerSettings,
) {
	const {schedule, quantile} = hypothesis;
	const last = lastPass(schedule);
	if (last === undefined) return;
	const scheduleOf = schedulesOf(hypothesis);
	for (const one of affected.nodes) {
		const {node} = one;
		if (node.createdAt > last) {
			// The controller remembers the older node of its name, though it saw it gone.
			const older = isEarly(quantile) ? olderOf(one, affected) : undefined;
			if (older && !readyCondition(node))
				lifecycle.health.set(node.name, healthOf(older, schedule, quantile, last, settings));
			continue;
		}
		lifecycle.knownNodes.add(node.name);
		const finished = scheduleOf(one);
		const isPossible = (own: number) => own >= quantile && isSpared(one, finished, own, settings);
		const ownQuantile = [quantile, ...laterQuantiles].find(isPossible) ?? latestEnd;
		const health = healthOf(one, schedule, ownQuantile, last, settings);
		const earlier = ownQuantile === quantile ? health : healthOf(one, schedule, quantile, last, settings);
		// A node that is not Unknown was seen later than a grace period before the last pass that processed it.
		const processedAt = lastPass(finished) ?? beginningOfTime;
		const spared = Math.max(earlier.probeTimestamp, processedAt - settings.nodeMonitorGracePeriod);
		const earliest = Math.min(health.probeTimestamp, earliestLook(schedule, spared));
		lifecycle.health.set(node.name, {
			...health,
			probeTimestamp: at({lo: earliest, hi: health.probeTimestamp}, quantile),
		});
	}
}

/** The node of the same name that passes saw: one that was deleted since, or that renewed the lease before. */
function olderOf(one: NodeEvidence, {deleted}: AffectedNodes): NodeEvidence | undefined {
	const {name, uid, createdAt} = one.node;
	const seen = deleted.find(({one: {node}}) => node.name === name && node.uid !== uid);
	return seen?.one ?? ((renewalOf(one) ?? never) < createdAt ? one : undefined);
}

/** The passes that have processed a node. */
function schedulesOf({schedule, passInProgress}: Hypothesis): (one: NodeEvidence) => PassSchedule {
	const isRemaining = namesOf(passInProgress?.remaining ?? []);
	const before = {...schedule, nextPass: schedule.nextPass - schedule.period};
	return ({node}) => (isRemaining.has(node.name) ? before : schedule);
}

/**
 * The shortest grace period with which a hypothesis agrees with what did not happen: if the settings are known only as
 * ranges, those in use may be too short for a node that is still Ready.
 */
export function leastGrace(
	hypothesis: Hypothesis,
	affected: AffectedNodes,
	settings: ControllerSettings,
): Duration {
	const scheduleOf = schedulesOf(hypothesis);
	return affected.nodes.reduce((least, one) => {
		if (affected.overlooked.has(one.node.name)) return least;
		const own = scheduleOf(one);
		const last = lastPass(own);
		const withLeast = {...settings, nodeMonitorGracePeriod: least};
		if (last === undefined || isSpared(one, own, latestEnd, withLeast)) return least;
		return last - healthOf(one, own, latestEnd, last, withLeast).probeTimestamp;
	}, settings.nodeMonitorGracePeriod);
}

/** The quantile at the end of a range, and some before it: an interval may span several passes. */
const latestEnd = 1;
const laterQuantiles = [0.25, 0.5, 0.75];

/** What a node's last sign of life depends on. */
type LeaseSettings = Pick<ControllerSettings, 'nodeMonitorGracePeriod' | 'nodeLease'>;

/** Whether the last pass had no reason to turn a node Unknown that is not Unknown. */
function isSpared(one: NodeEvidence, schedule: PassSchedule, quantile: number, settings: LeaseSettings) {
	const last = lastPass(schedule);
	const ready = readyCondition(one.node);
	if (last === undefined || !ready || ready.status === 'Unknown' || one.node.createdAt > last) return true;
	// A later status hides the ones before it, which may have been the last signs of life by then.
	const isHidden = one.heartbeatAt && passAtOrAfter(schedule, at(one.heartbeatAt, quantile)) > last;
	return (
		isHidden ||
		healthOf(one, schedule, quantile, last, settings).probeTimestamp + settings.nodeMonitorGracePeriod >= last
	);
}

function healthOf(
	one: NodeEvidence,
	schedule: PassSchedule,
	quantile: number,
	last: Instant,
	settings: LeaseSettings,
): NodeHealth {
	return {
		...heartbeatsOf(one, schedule, quantile, last, settings),
		readyTransitionTimestamp: transitionSeen(one, schedule, quantile, last),
	};
}

/** When a pass last noticed a change of the Ready condition. */
function transitionSeen(
	{readyChangedAt}: NodeEvidence,
	schedule: PassSchedule,
	quantile: number,
	last: Instant,
): Instant {
	const changed = readyChangedAt ? at(readyChangedAt, quantile) : beginningOfTime;
	return Math.min(last, passAtOrAfter(schedule, Math.max(changed, schedule.firstPass)));
}

/**
 * What the last pass remembers of a node's heartbeats. A pass that notices a new status forgets the lease, and the next pass sees that
 * lease as new: so it matters which pass noticed what, and whether it remembers the lease still.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/nodelifecycle/node_lifecycle_controller.go tryUpdateNodeHealth
 */
function heartbeatsOf(
	one: NodeEvidence,
	schedule: PassSchedule,
	quantile: number,
	last: Instant,
	{nodeMonitorGracePeriod: grace, nodeLease}: LeaseSettings,
): Omit<NodeHealth, 'readyTransitionTimestamp'> {
	const {node, heartbeatAt, isLeaseHidden, leaseDeletedAt = never} = one;
	const renewTime = renewalOf(one);
	const ready = readyCondition(node);
	// The controller sees the leases that are hidden here, and has just seen this one renewed.
	if (isUnheard(one) && (ready?.status === 'True' || ready?.status === 'False')) {
		return {probeTimestamp: last, ready, leaseRenewTime: undefined};
	}
	const latest = renewedIn(one, quantile, last, grace);
	// The lease may have been deleted before a pass saw its last renewal.
	const isUnseen = latest !== undefined && passAtOrAfter(schedule, latest) > leaseDeletedAt;
	const renewedAt = isUnseen ? latest - one.renewInterval : latest;
	// A pass reads each lease when the node's turn comes, and the statuses when it begins.
	const seenAt = (change: Instant, earliest: typeof earliestLook) =>
		isEarly(quantile)
			? earliest(schedule, change)
			: at({lo: passAtOrAfter(schedule, change), hi: latestLook(schedule, change)}, quantile);
	const during = renewedAt === undefined ? undefined : stretchedAt(schedule, renewedAt);
	const seenLease = renewedAt === undefined ? undefined : seenAt(renewedAt, earliestLook);
	const seenPost = heartbeatAt && seenAt(at(heartbeatAt, quantile), earliestPass);
	const lastEnd = endOfPass(schedule, last);
	// A pass that notices a status after a pass that forgot the lease remembers the lease again.
	const isForgotten =
		seenPost !== undefined && isEarly(quantile) && mayForgetBefore(seenPost, one, schedule, seenLease);
	if (seenPost !== undefined && seenPost > lastEnd) {
		// The next pass will notice a new heartbeat, and forget the lease that it remembers.
		const heartbeat = ready && {...ready, lastHeartbeatTime: beginningOfTime};
		return {
			probeTimestamp: Math.min(seenLease ?? last, last),
			ready: heartbeat,
			leaseRenewTime: seenLease !== undefined && seenLease <= lastEnd && !isForgotten ? renewTime : undefined,
		};
	}
	// `judgeNodeHealth` counts a node that never posted its status from its creation, whichever pass saw it first.
	if (seenLease === undefined && !ready)
		return {probeTimestamp: node.createdAt, ready, leaseRenewTime: undefined};
	if (seenLease === undefined) {
		// A node that is Ready long after its last status had a lease until recently, which was deleted. Another may have had one, too.
		const hadLease = ready?.status === 'True' && last - (seenPost ?? last) > grace;
		const earliest = hadLease ? last - grace : (seenPost ?? last);
		const mayHaveHadLease = hadLease || (nodeLease && !isLeaseHidden);
		const probeTimestamp = !isEarly(quantile) && mayHaveHadLease ? last : earliest;
		return {probeTimestamp, ready, leaseRenewTime: undefined};
	}
	if (seenLease > lastEnd) return {probeTimestamp: last, ready, leaseRenewTime: undefined};
	const mayBeSeenBefore = during !== undefined && !isEarly(quantile) && (seenPost ?? 0) > during.until;
	if (seenPost !== undefined && (seenPost > seenLease || mayBeSeenBefore) && !isForgotten) {
		// A status heartbeat makes a pass forget the lease: the next pass sees the same lease as new.
		const again = passAtOrAfter(schedule, seenPost + schedule.period / 2);
		return again > last || leaseDeletedAt < again
			? {probeTimestamp: seenPost, ready, leaseRenewTime: undefined}
			: {probeTimestamp: again, ready, leaseRenewTime: renewTime};
	}
	return {probeTimestamp: Math.max(seenLease, seenPost ?? seenLease), ready, leaseRenewTime: renewTime};
}

/** Whether the pass before the one that noticed a node's last status may also have noticed a status, and no renewal. */
function mayForgetBefore(
	seenPost: Instant,
	{heartbeatBefore}: NodeEvidence,
	schedule: PassSchedule,
	seenLease: Instant | undefined,
) {
	const since = seenPost - 1.5 * schedule.period;
	const before = heartbeatBefore && passAtOrAfter(schedule, heartbeatBefore.hi);
	return (seenLease ?? seenPost) < since && (before ?? seenPost) > since;
}

/**
 * When a node renewed its lease, at a quantile. A node whose clock is wrong renewed just now at one extreme; at the other as
 * long ago as possible, given that the last pass saw it alive.
 */
function renewedIn(
	{renewedAt, hasWrongClock}: NodeEvidence,
	quantile: number,
	last: Instant,
	grace: Duration,
): Instant | undefined {
	if (!renewedAt) return undefined;
	if (!hasWrongClock) return at(renewedAt, quantile);
	return isEarly(quantile) ? renewedAt.hi : Math.max(renewedAt.lo, last - grace);
}

/**
 * The renewTime of a lease in the machine. The controller compares it only with other renewTimes of that lease, so it may be
 * by any clock.
 */
export const renewalOf = ({renewedAt}: NodeEvidence): Instant | undefined => renewedAt?.lo;
