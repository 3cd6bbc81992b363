import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import type {ProcessSettings} from '../../core/nodelifecycle/processSettings.ts';
import {Simulation} from '../../core/simulation/simulation.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import {Random} from '../../core/time/random.ts';
import type {AffectedNodes} from '../observe/affectedNodes.ts';
import {at, type Interval} from '../observe/interval.ts';
import {callDuration, longestPassPeriods} from '../observe/latencies.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {isBackUnposted, isLate, isSilent, mayLive} from '../observe/nodes/nodeLiveness.ts';
import type {ObservedState} from '../observe/observed.ts';
import type {Pausable} from '../pausable.ts';
import {adoptPassInProgress, noExecutePassAt} from './adoptedPass.ts';
import {adoptZones} from './adoptedZones.ts';
import {adoptNodes, renewalOf} from './controllerMemory.ts';
import {anySeed, type Hypothesis} from './hypothesis.ts';

/** How often a kubelet with a lease posts its status. */
export const statusInterval: Duration = 300 * second;

/** How many nodes are put into a machine between two pauses. */
const machineNodesAStep = 200;

/** Whether a kubelet may be dead or alive: it is only late, or its clock may be wrong, or it is back and may not become ready. */
export const mayBeDead = (one: NodeEvidence, {overlooked}: AffectedNodes, now: Instant): boolean =>
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
		adoptZones(lifecycle, hypothesis, affected, own, now);
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
