import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {nodeCondition} from '../../core/model/node.ts';
import type {NodeHealth} from '../../core/nodelifecycle/nodeHealth.ts';
import type {NodeLifecycleController} from '../../core/nodelifecycle/nodeLifecycleController.ts';
import {Simulation} from '../../core/simulation/simulation.ts';
import type {Duration, Instant} from '../../core/time/instant.ts';
import {Random} from '../../core/time/random.ts';
import type {Evidence} from '../observe/evidence.ts';
import {at} from '../observe/interval.ts';
import type {NodeEvidence} from '../observe/nodeEvidence.ts';
import {isRegular} from '../observe/posts.ts';
import {isLate, isSilent, mayLive, type Suspects} from '../observe/suspects.ts';
import type {Steps} from '../steps.ts';
import {adoptRunningPass, queuePassAt} from './adoptedPass.ts';
import {adoptZones, lastAllDown} from './adoptedZones.ts';
import {processOf, statusInterval, usualProcess} from './machineProcess.ts';
import {lastPass, passAtOrAfter, type Rhythm} from './rhythm.ts';
import type {RunningPass} from './runningPass.ts';
import {zonesAt} from './zonePast.ts';

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
	/** The pass that is at work now, where it is known what it has done. */
	readonly runningPass: RunningPass | undefined;
};

/** So many are put into a machine between two pauses. */
const nodesAStep = 200;

/**
 * Prepares the cluster as it was seen once, and answers with what puts a copy of the machine into one hidden state: the
 * controllers as they would have to be.
 */
export function* makeMachine(
	evidence: Evidence,
	suspects: Suspects,
	settings: ControllerSettings,
	now: Instant,
): Steps<(hypothesis: Hypothesis) => Steps<Simulation>> {
	// No pod goes in it: when one does is worked out from its node's taints.
	const world = new Simulation({
		settings,
		process: usualProcess,
		seed: 1,
		now,
		isClosed: true,
		hasTaintEviction: false,
	});
	yield* populate(world, evidence, suspects, now);
	return function* (hypothesis) {
		const machine = world.fork();
		if (hypothesis.rankOf) machine.leaveChanceTo(new Random(hypothesis.seed, hypothesis.rankOf));
		yield;
		const {lifecycle} = machine.adoptControllers(processOf(hypothesis, settings));
		adoptNodes(lifecycle, hypothesis, suspects, settings);
		if (!settings.taintBasedEvictions) startAnew(lifecycle, hypothesis, suspects, settings);
		yield;
		adoptZones(lifecycle, hypothesis, suspects, settings, now);
		yield;
		for (const one of suspects.nodes) {
			lifecycle.nodeChanged(one.node.name, now);
			// Kubelets that are merely late, or whose clock is wrong, live in the one extreme and have died in the other.
			if (hypothesis.share >= 0.5 && (isLate(one, now) || mayLive(one, now)))
				machine.stopKubelet(one.node.name);
		}
		if (hypothesis.runningPass)
			adoptRunningPass(machine, hypothesis, hypothesis.runningPass, suspects, settings, now);
		else lifecycle.startPasses(Math.max(now, hypothesis.rhythm.nextPass), queuePassAt(hypothesis, now));
		return machine;
	};
}

/**
 * Whether a hidden state agrees with what did not happen: a pass that is over would have marked a node Unknown. One that is
 * at work has not come to the nodes that are left: the one before it is the last that did.
 */
export function isConsistent(
	{rhythm, runningPass}: Hypothesis,
	suspects: Suspects,
	{nodeMonitorGracePeriod}: ControllerSettings,
): boolean {
	const isLeft = new Set(runningPass?.left.map(({node}) => node.name));
	const before = {...rhythm, nextPass: rhythm.nextPass - rhythm.period};
	return suspects.nodes.every((one) =>
		isSpared(one, isLeft.has(one.node.name) ? before : rhythm, latestEnd, nodeMonitorGracePeriod),
	);
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

function* populate(machine: Simulation, evidence: Evidence, suspects: Suspects, now: Instant): Steps<void> {
	machine.state.setOtherNodes(suspects.others);
	for (const [index, one] of suspects.nodes.entries()) {
		if (index % nodesAStep === 0) yield;
		const {name} = one.node;
		machine.state.putNode(one.node);
		// Pods only matter for the time that marking them takes.
		machine.state.putPodsOnNode(name, evidence.pods.mapOfNode(name));
		machine.state.putLease(name, renewalOf(one));
		if (isSilent(one, now) && !mayLive(one, now)) continue;
		const firstRenewalAt = now + 0.001;
		const hasLease = one.isLeaseHidden || one.renewTime !== undefined;
		const heartbeat = hasLease
			? {renewInterval: one.renewInterval, statusInterval}
			: {renewInterval: one.posts.interval.lo, statusInterval: one.posts.interval.lo};
		machine.startKubelet(name, {firstRenewalAt, ...heartbeat, hasLease}, false);
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
 * When the last zone came back of those that were all down, every node's time began anew: without taints that is what
 * decides when it is over.
 */
function startAnew(
	lifecycle: NodeLifecycleController,
	{rhythm}: Hypothesis,
	suspects: Suspects,
	settings: ControllerSettings,
): void {
	const last = lastPass(rhythm);
	if (last === undefined) return;
	const until = lastAllDown(zonesAt(last, suspects, settings), suspects, settings);
	if (!Number.isFinite(until)) return;
	const exit = Math.min(last, passAtOrAfter(rhythm, until));
	for (const [name, health] of lifecycle.health) {
		lifecycle.health.set(name, {
			...health,
			probeTimestamp: Math.max(health.probeTimestamp, exit),
			readyTransitionTimestamp: Math.max(health.readyTransitionTimestamp, exit),
		});
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
	return {
		...heartbeatsOf(one, rhythm, share, last, grace),
		readyTransitionTimestamp: transitionSeen(one, rhythm, share, last),
	};
}

/** When a pass saw the Ready condition change last; one that it has not come to yet it will see as a change. */
function transitionSeen(
	{readyChangedAt}: NodeEvidence,
	rhythm: Rhythm,
	share: number,
	last: Instant,
): Instant {
	const changed = readyChangedAt ? at(readyChangedAt, share) : Number.NEGATIVE_INFINITY;
	return Math.min(last, passAtOrAfter(rhythm, Math.max(changed, rhythm.firstPass)));
}

function heartbeatsOf(
	one: NodeEvidence,
	rhythm: Rhythm,
	share: number,
	last: Instant,
	grace: Duration,
): Omit<NodeHealth, 'readyTransitionTimestamp'> {
	const {node, postedAt, posts, isLeaseHidden} = one;
	const renewTime = renewalOf(one);
	const ready = nodeCondition(node, 'Ready');
	// The controller sees the leases that are hidden from us, and has just seen that this one is renewed.
	const isHidden = isLeaseHidden && !isRegular(posts);
	if (isHidden && (ready?.status === 'True' || ready?.status === 'False')) {
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
