import type {VersionedNode} from '../../core/client/clusterApi.ts';
import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {type ConditionStatus, isReadyNode, type Node} from '../../core/model/node.ts';
import {MonitorPass} from '../../core/nodelifecycle/monitorPass.ts';
import {isExcludedFromDisruptionChecks} from '../../core/nodelifecycle/nodeLabels.ts';
import type {ProcessSettings} from '../../core/nodelifecycle/processSettings.ts';
import {countNode, type ZoneCount} from '../../core/nodelifecycle/zones/zoneState.ts';
import {Simulation} from '../../core/simulation/simulation.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import {Random} from '../../core/time/random.ts';
import type {AffectedNodes} from '../observe/affectedNodes.ts';
import {at, type Interval, isEarly} from '../observe/interval.ts';
import {callDuration, longestPassPeriods, passMayLast} from '../observe/latencies.ts';
import {lifecycleTaint} from '../observe/nodes/lifecycleTaint.ts';
import {type NodeEvidence, namesOf} from '../observe/nodes/nodeEvidence.ts';
import {isBackUnposted, isLate, isSilent, mayLive} from '../observe/nodes/nodeLiveness.ts';
import type {ObservedState} from '../observe/observed.ts';
import type {Pausable} from '../pausable.ts';
import {adoptZones} from './adoptedZones.ts';
import {adoptNodes, renewalOf} from './controllerMemory.ts';
import {anySeed, type Hypothesis, noExecutePassAt} from './hypothesis.ts';
import type {PassInProgress} from './passInProgress.ts';

/** How often a kubelet with a lease posts its status. */
export const statusInterval: Duration = 300 * second;

/** How many nodes are put into a machine between two pauses. */
const machineNodesAStep = 200;

/** Whether a kubelet may be dead or alive: it is only late, or its clock may be wrong, or it is back and may not become ready. */
export const mayBeDead = (one: NodeEvidence, {overlooked}: AffectedNodes, now: Instant) =>
	isLate(one, now) ||
	mayLive(one, now) ||
	isBackUnposted(one, now) ||
	(one.isUndated && overlooked.has(one.node.name));

/**
 * Puts the observed cluster into a simulation, once. Returns a function that makes a copy for one hypothesis, with the
 * controllers in that hidden state, by its own settings.
 */
export function* makeMachine(
	observed: ObservedState,
): Pausable<(hypothesis: Hypothesis, settings: ControllerSettings) => Pausable<Simulation>> {
	const {affected, settings, now} = observed;
	// It deletes no pods: `podTimeline.ts` derives that from the taints.
	const world = new Simulation({
		settings,
		process: usualProcess,
		seed: anySeed,
		now,
		hasTaintEviction: false,
	});
	yield* populate(world, observed);
	return function* (hypothesis, own) {
		const machine = world.fork();
		if (hypothesis.rankOf) machine.setRandom(new Random(anySeed, hypothesis.rankOf));
		yield;
		const {lifecycle} = machine.adoptControllers(processOf(hypothesis, own), own);
		adoptNodes(lifecycle, hypothesis, affected, own);
		yield;
		yield* adoptZones(lifecycle, hypothesis, affected, own, now);
		yield;
		for (const one of affected.nodes) {
			if (one.leaseTouchedAt)
				machine.state.touchLease(one.node.name, touchedAt(one.leaseTouchedAt, hypothesis, own));
			lifecycle.nodeChanged(one.node.name, now);
			if (hypothesis.areLateDead && mayBeDead(one, affected, now)) machine.stopKubelet(one.node.name);
		}
		if (hypothesis.passInProgress)
			adoptPassInProgress(machine, hypothesis, hypothesis.passInProgress, affected, own, now);
		else lifecycle.startPasses(Math.max(now, hypothesis.schedule.nextPass), noExecutePassAt(hypothesis, now));
		return machine;
	};
}

/** The pass that saw the last renewal may have come after the write, which is therefore tried up to a period earlier. */
const touchedAt = (
	{lo, hi}: Interval,
	{quantile}: Hypothesis,
	{nodeMonitorPeriod}: ControllerSettings,
): Instant => at({lo: lo - longestPassPeriods * nodeMonitorPeriod, hi}, quantile);

function* populate(machine: Simulation, {evidence, affected, now}: ObservedState): Pausable<void> {
	machine.state.setOtherNodes(affected.others);
	// Pods matter only for the time that it takes to mark them.
	const {pods} = evidence;
	machine.state.beginWith({all: pods.all, mapOfNode: (node) => pods.mapOfNode(node)});
	for (const [index, one] of affected.nodes.entries()) {
		if (index % machineNodesAStep === 0) yield;
		const {name} = one.node;
		machine.state.putNode(one.node);
		machine.state.putLease(name, one.leaseDeletedAt === undefined ? renewalOf(one) : undefined);
		if (isSilent(one, now) && !mayBeDead(one, affected, now)) continue;
		const firstRenewalAt = now + 0.001;
		const hasLease = one.isLeaseHidden || one.renewTime !== undefined;
		const heartbeat = hasLease
			? {renewInterval: one.renewInterval, statusInterval}
			: {renewInterval: one.heartbeats.interval.lo, statusInterval: one.heartbeats.interval.lo};
		machine.startKubelet(name, {firstRenewalAt, ...heartbeat, hasLease}, false);
	}
}

/** How fast the controllers work, unless a hypothesis differs. */
const usualProcess: ProcessSettings = {
	callDuration: callDuration.lo,
	passDuration: 0,
	noExecuteCallsTakeTime: true,
};

/**
 * How fast the controllers work, by when NoExecute passes come in a hypothesis:
 * `beforePass`, `afterEachPass`: a pass is over at once, and a taint waits for the client;
 * `inNextPass`: a pass marks pods slowly, and a taint follows its token at once, so that nodes are tainted meanwhile;
 * `inEachPass`: also at the end of each pass, before it judges the zones.
 */
export function processOf(
	{schedule, noExecuteAt, passInProgress}: Hypothesis,
	{nodeMonitorPeriod}: ControllerSettings,
): ProcessSettings {
	const passDuration = Math.max(0, schedule.idlePeriod - nodeMonitorPeriod);
	const instant = {callDuration: callDuration.lo, passDuration, noExecuteCallsTakeTime: true};
	if (noExecuteAt === 'beforePass') return instant;
	if (noExecuteAt === 'afterEachPass') return {...instant, noExecuteBesidePass: 'afterPass'};
	const isInEach = noExecuteAt === 'inEachPass' && !passInProgress;
	return {
		callDuration: callDuration.hi,
		passDuration,
		noExecuteCallsTakeTime: false,
		...(isInEach ? {noExecuteBesidePass: 'inPass'} : {}),
	};
}

/** The most events that wait to be posted: a throttled pass makes more. */
const eventBacklog = 1000;

/** Puts a machine into the middle of the pass in progress: with nodes still to check, and pods still to mark. */
export function adoptPassInProgress(
	machine: Simulation,
	hypothesis: Hypothesis,
	running: PassInProgress,
	affected: AffectedNodes,
	settings: ControllerSettings,
	now: Instant,
) {
	const {monitorWorkers, kubeApiBurst, queuesInPassOfTransition} = settings;
	const {quantile} = hypothesis;
	const {startedAt, passedBy, marking, isThrottled} = running;
	const isMarked = namesOf(running.marked);
	const isRemaining = namesOf(running.remaining);
	const {nodes, queued, returned} = asListed(machine, startedAt, affected, quantile);
	// At one extreme the pass checks all remaining nodes, and has queued those that are tainted now. At the other it has skipped
	// all that it could, and the tainted ones are still to come. Between them it checks all, and ends before the queues are
	// processed.
	const isDone = (name: string) =>
		isMarked.has(name) || returned.has(name) || (quantile <= 0.5 ? queued : passedBy).has(name);
	const done = nodes.filter(({node}) => isDone(node.name));
	const rest = nodes.filter(({node}) => !isDone(node.name));
	const unchecked = [
		...rest.filter(({node}) => !isRemaining.has(node.name)),
		...rest.filter(({node}) => isRemaining.has(node.name)),
	];
	// If all zones are down at its end, the listed taints are removed; a taint that was swapped meanwhile stays.
	const mayHaveSwapped = queuesInPassOfTransition && !isEarly(quantile);
	const listed = done.filter(({node}) => !(mayHaveSwapped && isMarked.has(node.name)));
	const counts = countsOf(done, affected, settings);
	const pass = new MonitorPass(unchecked, counts, monitorWorkers, startedAt, listed);
	const atWork = marking.slice(-monitorWorkers);
	machine.controllers?.lifecycle.startPasses(undefined, noExecutePassAt(hypothesis, now));
	const isSpent = !isEarly(quantile);
	const tokens = isThrottled ? -quantile * atWork.length : isSpent ? 0 : (1 - quantile) * kubeApiBurst;
	// Each turn to Unknown makes an event, which waits for the same client.
	const events = isThrottled ? eventBacklog : isSpent ? running.marked.length : 0;
	machine.controllers?.lifecycle.adoptPass(pass, atWork, tokens, events, now);
}

/**
 * Counts the nodes of each zone: those that a pass has checked, and those that are not simulated. Nodes that are excluded
 * from disruption checks do not count.
 */
export function countsOf(
	done: readonly VersionedNode[],
	{others}: AffectedNodes,
	settings: ControllerSettings,
): Map<string, ZoneCount> {
	const counts = new Map(others);
	for (const {node, zone} of done) {
		if (isExcludedFromDisruptionChecks(node, settings)) continue;
		countNode(counts, zone, isReadyNode(node));
	}
	return counts;
}

/**
 * The nodes as the pass listed them when it began, or judged them since: without the taints that were added since, and not
 * ready if they returned since.
 *
 * @returns also the names of the nodes that were tainted since, which were in their zone's queue when the pass began, and of
 * those that returned
 */
function asListed(machine: Simulation, startedAt: Instant, affected: AffectedNodes, quantile: number) {
	// A taint that may have come before or after the pass began is tried as both.
	const since = isEarly(quantile) ? 'lo' : 'hi';
	const earliest = isEarly(quantile) ? startedAt : startedAt - passMayLast;
	const tainted = affected.nodes.filter(({taintedAt}) => taintedAt && taintedAt[since] > earliest);
	const queued = namesOf(tainted);
	const back = affected.nodes.filter(
		({node, wasReady, readyChangedAt}) =>
			// The pass does not know a node that was created later.
			node.createdAt <= startedAt &&
			isReadyNode(node) &&
			wasReady === false &&
			readyChangedAt &&
			readyChangedAt[since] > startedAt,
	);
	const returned = namesOf(back);
	const nodes = machine.state.nodes().map((seen): VersionedNode => {
		const {node} = seen;
		if (returned.has(node.name)) return {...seen, node: withReady(node, 'Unknown')};
		if (!queued.has(node.name)) return seen;
		const own = lifecycleTaint(node);
		return {...seen, node: {...node, taints: node.taints.filter((taint) => taint !== own)}};
	});
	return {nodes, queued, returned};
}

const withReady = (node: Node, status: ConditionStatus): Node => ({
	...node,
	conditions: node.conditions.map((one) => (one.type === 'Ready' ? {...one, status} : one)),
});
