import {NeverLimiter, TokenBucket} from '../core/client/tokenBucket.ts';
import type {ControllerSettings} from '../core/model/controllerSettings.ts';
import {nodeCondition} from '../core/model/node.ts';
import {hasTaint} from '../core/model/taint.ts';
import {zoneKey} from '../core/model/zone.ts';
import {MonitorPass, monitorWorkers} from '../core/nodelifecycle/monitorPass.ts';
import type {NodeHealth} from '../core/nodelifecycle/nodeHealth.ts';
import type {NodeLifecycleController} from '../core/nodelifecycle/nodeLifecycleController.ts';
import {nodeEvictionPeriod} from '../core/nodelifecycle/rateLimitedTimedQueue.ts';
import {notReadyNoExecute, unreachableNoExecute} from '../core/nodelifecycle/taintWrites.ts';
import {Simulation} from '../core/simulation/simulation.ts';
import {type Duration, type Instant, second} from '../core/time/instant.ts';
import {Random} from '../core/time/random.ts';
import {nextToken} from './bucket.ts';
import type {Evidence} from './evidence.ts';
import {at} from './interval.ts';
import {callDuration, processOf, statusInterval, usualProcess} from './machineProcess.ts';
import type {NodeEvidence} from './nodeEvidence.ts';
import {lastPass, passAtOrAfter, type Rhythm} from './rhythm.ts';
import type {RunningPass} from './runningPass.ts';
import {isLate, isSilent, mayLive, type Suspects} from './suspects.ts';
import {type ZonesPast, zonesAt} from './zonePast.ts';

/** One hidden state that agrees with the evidence. */
export type Hypothesis = {
	readonly rhythm: Rhythm;
	/** Which of the instants of the next pass it tries, as a share of their range; -1 for a pass at work now. */
	readonly position: number;
	/** Where in each of its ranges every other unknown lies: 0 at the earliest, 1 at the latest. */
	readonly share: number;
	readonly seed: number;
	/** Whom chance favours among the nodes that wait for a taint, the lowest first; nobody where it is not given. */
	readonly rankOf?: (node: string) => number;
	readonly runningPass: RunningPass | undefined;
};

/** In a throttled pass more events come than can be posted; so many wait at the most. */
const eventBacklog = 1000;

/**
 * Prepares the cluster as it was seen once, and answers with what puts a copy of the machine into one hidden state: the
 * controllers as they would have to be.
 */
export function makeMachine(
	evidence: Evidence,
	suspects: Suspects,
	settings: ControllerSettings,
	now: Instant,
): (hypothesis: Hypothesis) => Simulation {
	// No pod goes in it: when one does is worked out from its node's taints.
	const world = new Simulation({
		settings,
		process: usualProcess,
		seed: 1,
		now,
		isClosed: true,
		hasTaintEviction: false,
	});
	populate(world, evidence, suspects, now);
	return (hypothesis) => {
		const machine = world.fork();
		if (hypothesis.rankOf) machine.leaveChanceTo(new Random(hypothesis.seed, hypothesis.rankOf));
		const {lifecycle} = machine.adoptControllers(processOf(hypothesis, settings));
		adoptNodes(lifecycle, hypothesis, suspects, settings);
		adoptZones(lifecycle, hypothesis, suspects, settings, now);
		for (const one of suspects.nodes) {
			lifecycle.nodeChanged(one.node.name, now);
			// Kubelets that are merely late, or whose clock is wrong, live in the one extreme and have died in the other.
			if (hypothesis.share >= 0.5 && (isLate(one, now) || mayLive(one, now)))
				machine.stopKubelet(one.node.name);
		}
		if (hypothesis.runningPass) adoptRunningPass(machine, hypothesis, hypothesis.runningPass, suspects, now);
		else lifecycle.startPasses(Math.max(now, hypothesis.rhythm.nextPass), queuePassAt(hypothesis, now));
		return machine;
	};
}

/**
 * When the zones' queues are looked at next: in the one extreme just after a pass has queued a node, before it judges
 * the zones at its end, in the other just before.
 */
function queuePassAt({rhythm, share}: Hypothesis, now: Instant): Instant {
	const at = rhythm.nextPass + (share < 0.5 ? callDuration.hi + 1 : -1);
	return now + ((((at - now) % nodeEvictionPeriod) + nodeEvictionPeriod) % nodeEvictionPeriod);
}

/** Puts the pass that throttling makes last where it stands: what it has still to look at, and to mark. */
function adoptRunningPass(
	machine: Simulation,
	hypothesis: Hypothesis,
	{startedAt, left, passedBy, marked, marking}: RunningPass,
	suspects: Suspects,
	now: Instant,
): void {
	const {share} = hypothesis;
	const counts = new Map(suspects.others);
	for (const {node} of marked) {
		const {size, notReady} = counts.get(zoneKey(node)) ?? {size: 0, notReady: 0};
		counts.set(zoneKey(node), {size: size + 1, notReady: notReady + 1});
	}
	const isMarked = new Set(marked.map(({node}) => node.name));
	// In the one extreme the pass takes all of them, in the other it has passed by all that it could.
	const isLeft = new Set(
		left.map(({node}) => node.name).filter((name) => share < 0.5 || !passedBy.has(name)),
	);
	const rest = machine.state
		.nodes()
		.filter(({node}) => !isMarked.has(node.name) && (share < 0.5 || !passedBy.has(node.name)));
	const nodes = [
		...rest.filter(({node}) => !isLeft.has(node.name)),
		...rest.filter(({node}) => isLeft.has(node.name)),
	];
	const pass = new MonitorPass(nodes, counts, monitorWorkers, startedAt);
	const atWork = marking.slice(-monitorWorkers);
	machine.controllers?.lifecycle.startPasses(undefined, queuePassAt(hypothesis, now));
	machine.controllers?.lifecycle.adoptPass(pass, atWork, -share * atWork.length, eventBacklog, now);
}

/** Whether a hidden state agrees with what did not happen: a pass that is over would have marked a node Unknown. */
export function isConsistent(
	{rhythm}: Hypothesis,
	suspects: Suspects,
	{nodeMonitorGracePeriod}: ControllerSettings,
): boolean {
	return suspects.nodes.every((one) => isSpared(one, rhythm, latestEnd, nodeMonitorGracePeriod));
}

/** The share of a range that lies at its end. */
const latestEnd = 1;

/** Whether the last pass had no reason to mark a node Unknown that it did not mark. */
function isSpared(one: NodeEvidence, rhythm: Rhythm, share: number, grace: Duration): boolean {
	const last = lastPass(rhythm);
	const ready = nodeCondition(one.node, 'Ready');
	if (last === undefined || !ready || ready.status === 'Unknown' || one.node.createdAt > last) return true;
	return healthOf(one, rhythm, share, last, grace).probeTimestamp + grace >= last;
}

function populate(machine: Simulation, evidence: Evidence, suspects: Suspects, now: Instant): void {
	machine.state.setOtherNodes(suspects.others);
	for (const one of suspects.nodes) {
		const {name} = one.node;
		machine.state.putNode(one.node);
		// Pods only matter for the time that marking them takes.
		machine.state.putPodsOnNode(name, evidence.pods.mapOfNode(name));
		machine.state.putLease(name, renewalOf(one));
		if (isSilent(one, now) && !mayLive(one, now)) continue;
		const firstRenewalAt = now + 0.001;
		machine.startKubelet(
			name,
			{
				firstRenewalAt,
				renewInterval: one.renewInterval,
				statusInterval,
				hasLease: one.isLeaseHidden || one.renewTime !== undefined,
			},
			false,
		);
	}
}

/**
 * What the controller remembers of each node, if its passes came in this rhythm. A node that would be Unknown by now
 * was heard of later than others may have been.
 */
function adoptNodes(
	lifecycle: NodeLifecycleController,
	{rhythm, share}: Hypothesis,
	suspects: Suspects,
	{nodeMonitorGracePeriod}: ControllerSettings,
): void {
	const last = lastPass(rhythm);
	if (last === undefined) return;
	for (const one of suspects.nodes) {
		const {node} = one;
		if (node.createdAt > last) continue;
		lifecycle.knownNodes.add(node.name);
		const ownShare = isSpared(one, rhythm, share, nodeMonitorGracePeriod) ? share : latestEnd;
		lifecycle.health.set(node.name, healthOf(one, rhythm, ownShare, last, nodeMonitorGracePeriod));
	}
}

/**
 * The time that the machine's lease carries. The controller compares it with nothing but the lease's earlier and later
 * ones, so any clock would do, and the machine's kubelets have no wrong ones.
 */
const renewalOf = ({renewedAt}: NodeEvidence): Instant | undefined => renewedAt?.lo;

function healthOf(
	one: NodeEvidence,
	rhythm: Rhythm,
	share: number,
	last: Instant,
	grace: Duration,
): NodeHealth {
	const {node, postedAt, isLeaseHidden} = one;
	const renewTime = renewalOf(one);
	const ready = nodeCondition(node, 'Ready');
	// The controller sees the leases that are hidden from us, and has just seen that this one is renewed.
	if (isLeaseHidden && (ready?.status === 'True' || ready?.status === 'False')) {
		return {probeTimestamp: last, ready, leaseRenewTime: undefined};
	}
	const renewedAt = renewedIn(one, share, last, grace);
	const seenLease = renewedAt === undefined ? undefined : passAtOrAfter(rhythm, renewedAt);
	const seenPost = postedAt && passAtOrAfter(rhythm, at(postedAt, share));
	if (seenPost !== undefined && seenPost > last) {
		// The next pass will find a new heartbeat, and drop the lease it remembers.
		const heartbeat = ready && {...ready, lastHeartbeatTime: Number.NEGATIVE_INFINITY};
		return {
			probeTimestamp: Math.min(seenLease ?? last, last),
			ready: heartbeat,
			leaseRenewTime: seenLease !== undefined && seenLease <= last ? renewTime : undefined,
		};
	}
	if (seenLease === undefined) return {probeTimestamp: seenPost ?? last, ready, leaseRenewTime: undefined};
	if (seenLease > last) return {probeTimestamp: last, ready, leaseRenewTime: undefined};
	if (seenPost !== undefined && seenPost > seenLease) {
		// A status heartbeat alone drops the lease: the pass after it takes the same lease for new.
		const again = seenPost + rhythm.period;
		return again > last
			? {probeTimestamp: seenPost, ready, leaseRenewTime: undefined}
			: {probeTimestamp: again, ready, leaseRenewTime: renewTime};
	}
	return {probeTimestamp: seenLease, ready, leaseRenewTime: renewTime};
}

/**
 * When a node renewed its lease, in a hidden state. One whose clock is wrong did so just now in the one extreme; in the
 * other as long ago as it can have been, since the last pass let it pass for alive.
 */
function renewedIn(
	{renewedAt, hasWrongClock}: NodeEvidence,
	share: number,
	last: Instant,
	grace: Duration,
): Instant | undefined {
	if (!renewedAt) return undefined;
	if (!hasWrongClock) return at(renewedAt, share);
	return share < 0.5 ? renewedAt.hi : Math.max(renewedAt.lo, last - grace);
}

function adoptZones(
	lifecycle: NodeLifecycleController,
	{rhythm, share, seed, rankOf}: Hypothesis,
	suspects: Suspects,
	settings: ControllerSettings,
	now: Instant,
): void {
	const last = lastPass(rhythm);
	if (last === undefined) return;
	const random = new Random(seed, rankOf);
	const past = zonesAt(last, suspects, settings);
	const freedUntil = share >= 0.5 ? lastAllDown(past, suspects, settings) : Number.NEGATIVE_INFINITY;
	for (const [zone, one] of past.zones) {
		lifecycle.zones.setState(zone, one.state);
		const queue = lifecycle.zones.queue(zone);
		if (!queue) continue;
		const waitingSince: Instant[] = [];
		for (const {node, readyChangedAt, taintedAt} of suspects.nodes) {
			const status = nodeCondition(node, 'Ready')?.status;
			if (
				zoneKey(node) !== zone ||
				status === 'True' ||
				status === undefined ||
				!lifecycle.knownNodes.has(node.name)
			)
				continue;
			// A kubelet that says itself that it is not ready is heard by the next pass.
			if (status === 'False' && readyChangedAt && at(readyChangedAt, share) > last) continue;
			queue.add(node.name, last, random);
			const isTainted =
				hasTaint(node.taints, unreachableNoExecute) || hasTaint(node.taints, notReadyNoExecute);
			// One that kept its taint when all evictions stopped was forgotten then: it takes a token once more.
			const isForgotten = taintedAt !== undefined && taintedAt.lo < freedUntil;
			if (isTainted && !isForgotten)
				queue.processed({value: node.name, addedAt: last, processAt: last, ticket: 0});
			else if (!isTainted) waitingSince.push(readyChangedAt?.hi ?? last);
		}
		const token = nextToken({zone, past: one, waitingSince, suspects, settings, rhythm, now});
		const bucket = new TokenBucket(one.rate, 1);
		// At a rate of zero the bucket has the one token that it began with, until a node takes it.
		const isUnused = one.rate <= 0 && settings.nodeEvictionRate <= 0 && share < 0.5;
		queue.setLimiter(
			token
				? bucket.withTokens(1 - ((at(token, share) - now) / second) * bucket.qps, now)
				: isUnused
					? bucket
					: new NeverLimiter(),
		);
	}
}

/** Until when every zone was down, as far as it shows: the nodes leave their queues when that begins. */
function lastAllDown(past: ZonesPast, suspects: Suspects, settings: ControllerSettings): Instant {
	if (past.allDown) return Number.POSITIVE_INFINITY;
	const exits = suspects.returned
		.map(({at: {lo}}) => lo)
		.filter((lo) => zonesAt(lo - 1, suspects, settings).allDown);
	return Math.max(Number.NEGATIVE_INFINITY, ...exits);
}
