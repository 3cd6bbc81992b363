import {ascending} from '../../core/collections/ascending.ts';
import {kept} from '../../core/collections/kept.ts';
import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import type {Simulation} from '../../core/simulation/simulation.ts';
import {type Duration, type Instant, minute, second} from '../../core/time/instant.ts';
import {type HiddenStates, manyAffected} from '../infer/hiddenStates.ts';
import type {Hypothesis} from '../infer/hypothesis.ts';
import type {Inferred} from '../infer/inferred.ts';
import {processOf} from '../infer/machine.ts';
import type {AffectedNodes} from '../observe/affectedNodes.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {isBackUnposted} from '../observe/nodes/nodeLiveness.ts';
import type {Pausable} from '../pausable.ts';
import {applyChange, type Change, nodeOfChange} from './change.ts';
import {type Action, kubeletLives} from './kubeletLives.ts';
import type {Trajectory} from './trajectory.ts';
import {TrajectoryRecorder} from './trajectoryRecorder.ts';

/** What to run: hidden states, and the changes that are supposed in each. */
export type Supposed = Readonly<{
	/** In order of time. */
	changes: readonly Change[];
	/** All changes of the question, also in the runs without changes that it is compared with: both are run alike. */
	ofQuestion: readonly Change[];
	/** How far to simulate after the last change. */
	horizon: Duration;
	affected: AffectedNodes;
	states: HiddenStates;
	situation: Pick<Inferred, 'now' | 'settings'> & {
		readonly leader: Pick<Inferred['leader'], 'type'>;
	};
	/** If the question is about the return of one node: its name, and checkpoints of trajectories without changes. */
	focus?: {readonly node: string; readonly checkpoints: RunCheckpoints};
}>;

/** How far to simulate after the last change: less far if many nodes are affected. */
export function horizonFor({nodes}: AffectedNodes, settings: ControllerSettings): Duration {
	const timeout = settings.taintBasedEvictions ? 0 : settings.podEvictionTimeout;
	return (nodes.length > manyAffected ? 3 * minute : 15 * minute) + timeout;
}

/** The simulated time between two pauses. */
const pauseEvery: Duration = second;
/** How often the zones are sampled. */
const sampleEvery: Duration = second;
const sampleEveryOfMany: Duration = 5 * second;
/** How often a run is checked for its end, until all grace periods are over. */
const lookEvery: Duration = 5 * second;
/** If nothing happens for this long, nothing will, except tokens at a steady rate. */
const quiet: Duration = 10 * second;

/**
 * Runs one hidden state through the supposed changes, and beyond.
 *
 * @param lastSigns where in their ranges the last signs of life of kubelets that are to fall silent lie: that is independent
 * of the controllers' passes
 */
export function* runTrajectory(
	hypothesis: Hypothesis,
	lastSigns: number,
	supposed: Supposed,
): Pausable<Trajectory> {
	const {changes, horizon, affected, states, situation, focus} = supposed;
	const {now, settings} = situation;
	const every = affected.nodes.length > manyAffected ? sampleEveryOfMany : sampleEvery;
	const {machine, recorder} = yield* begun(hypothesis, supposed, every);
	const ownSettings = states.settingsOf(hypothesis);
	const world = {
		renewIntervalOf: renewIntervals(affected.nodes),
		settings: ownSettings,
		process: processOf(hypothesis, ownSettings),
	};
	const returns = returnsIn(hypothesis, supposed);
	for (const action of actionsOf(lastSigns, [...returns, ...changes], affected, now)) {
		yield* advance(machine, recorder, action.at, every);
		if ('act' in action) action.act(machine);
		else if (settings.nodeLifecycle || action.type !== 'controllersStart') {
			recorder.take(applyChange(action, machine, world), true);
			if (action.type === 'deleteNode') recorder.deleted(action.node);
			if (action.type === 'controllersDown' || action.type === 'controllersStart') recorder.forgetEvictions();
		}
	}
	const lastSupposedAt = changes.at(-1)?.at ?? now;
	const restart = changes.findLast((change) => change.type === 'controllersStart');
	const inForce = {...ownSettings, ...restart?.settings};
	const {nodeMonitorGracePeriod, nodeStartupGracePeriod, nodeMonitorPeriod, firstPassAfter} = inForce;
	const timeout = inForce.taintBasedEvictions ? 0 : inForce.podEvictionTimeout;
	// Without affected nodes, no grace period ends.
	const isAny = affected.nodes.length > 0;
	const grace = isAny ? Math.max(nodeMonitorGracePeriod, nodeStartupGracePeriod) + timeout : 0;
	// By `seenBy` two passes have seen all changes; by `foundBy` every grace period is over.
	const seenBy =
		lastSupposedAt + firstPassAfter + 2 * Math.max(hypothesis.schedule.period, nodeMonitorPeriod);
	const foundBy = lastSupposedAt + Math.min(horizon, grace + 3 * nodeMonitorPeriod);
	// A run that ends early omits nothing: later tokens come at a steady rate, and are added at the end.
	const isOver = () =>
		(machine.now >= seenBy && isSettled(machine, recorder, inForce)) ||
		(machine.now >= foundBy && isAtRest(machine, recorder, inForce)) ||
		(machine.now >= seenBy && focus !== undefined && isBack(focus.node, machine, recorder, inForce));
	while (machine.now < lastSupposedAt + horizon && !isOver()) {
		const next = machine.now < foundBy ? Math.min(foundBy, machine.now + lookEvery) : machine.now + quiet;
		yield* advance(machine, recorder, Math.min(lastSupposedAt + horizon, next), every);
	}
	return recorder.finish(hypothesis.rankOf);
}

/** The kubelets that are back, and post that they are ready in this hypothesis, unless the question is about their nodes. */
const returnsIn = (
	{areLateDead}: Hypothesis,
	{affected, ofQuestion, situation: {now}}: Supposed,
): readonly Change[] =>
	affected.nodes.flatMap((one) => {
		const {name} = one.node;
		const isAsked = ofQuestion.some((change) => nodeOfChange(change) === name);
		return areLateDead || isAsked || !isBackUnposted(one, now) ? [] : {type: 'nodeBack', node: name, at: now};
	});

/** A machine at its start, or just before the first change if another trajectory has led there. */
function* begun(hypothesis: Hypothesis, supposed: Supposed, every: Duration): Pausable<Checkpoint> {
	const {changes, states, situation, focus} = supposed;
	const {leader, settings} = situation;
	const begin = function* (): Pausable<Checkpoint> {
		const machine = yield* states.machineOf(hypothesis);
		if (leader.type === 'absent' || !settings.nodeLifecycle) machine.stopControllers();
		return {machine, recorder: new TrajectoryRecorder(machine, states.settingsOf(hypothesis))};
	};
	const first = changes[0];
	// A kubelet that is to fall silent renews differently until then; the tie-breaks depend on the changes.
	if (!focus || !first || hypothesis.rankOf || changes.some(({type}) => type === 'nodeDown'))
		return yield* begin();
	return yield* focus.checkpoints.at(hypothesis, first.at, begin, ({machine, recorder}) =>
		advance(machine, recorder, first.at, every),
	);
}

/** Whether nothing will happen except at a steady rate. Nodes that a throttled pass passed over are found by a later pass. */
const isAtRest = (
	{controllers, now}: Simulation,
	recorder: TrajectoryRecorder,
	{nodeMonitorPeriod}: ControllerSettings,
) =>
	controllers?.lifecycle.pass === undefined &&
	now - recorder.lastChangeAt > Math.max(quiet, 2 * nodeMonitorPeriod) &&
	!(controllers && recorder.hasUnnoticed);

/**
 * Whether nothing waits, and each node is Unknown or renews its lease in time: all further passes are alike. An Unknown node
 * stays so, whether its kubelet lives or not: no run lasts until a kubelet posts its status again.
 */
const isSettled = (
	{controllers, kubelets, now}: Simulation,
	recorder: TrajectoryRecorder,
	{taintBasedEvictions, nodeMonitorGracePeriod, nodeMonitorPeriod}: ControllerSettings,
) =>
	taintBasedEvictions &&
	now - recorder.lastChangeAt > 3 * nodeMonitorPeriod &&
	controllers?.lifecycle.isIdle === true &&
	recorder.notUnknown.every((name) => kubelets.renewsEvery(name, nodeMonitorGracePeriod / 2, now));

/** Whether a node that returned is well, and stays so: nothing that is still to happen to others changes that. */
const isBack = (
	name: string,
	{controllers, kubelets, now}: Simulation,
	recorder: TrajectoryRecorder,
	{taintBasedEvictions, nodeMonitorGracePeriod}: ControllerSettings,
) =>
	taintBasedEvictions &&
	controllers?.lifecycle.pass === undefined &&
	recorder.isWell(name) &&
	kubelets.renewsEvery(name, nodeMonitorGracePeriod / 2, now);

function renewIntervals(nodes: readonly NodeEvidence[]): (node: string) => Duration {
	const byName = new Map(nodes.map(({node, renewInterval}) => [node.name, renewInterval]));
	return (name) => byName.get(name) ?? 10 * second;
}

/** All actions on the machine, in order; a kubelet's own actions come before a change at the same instant. */
function actionsOf(
	lastSigns: number,
	changes: readonly Change[],
	affected: AffectedNodes,
	now: Instant,
): readonly (Action | Change)[] {
	const byNode = Map.groupBy(changes, nodeOfChange);
	const lives = affected.nodes.flatMap((one) =>
		kubeletLives(one, byNode.get(one.node.name) ?? [], lastSigns, now),
	);
	// The change starts a returning kubelet; its own actions follow.
	const isAfter = (one: Action | Change) => ('type' in one && one.type === 'nodeBack' ? 0 : 1);
	return [...lives, ...changes].toSorted((a, b) => a.at - b.at || isAfter(a) - isAfter(b));
}

function* advance(
	machine: Simulation,
	recorder: TrajectoryRecorder,
	target: Instant,
	every: Duration,
): Pausable<void> {
	while (machine.now < target) {
		// Until something is due, only the duration of a pass in progress changes.
		const isPassing = machine.controllers?.lifecycle.pass !== undefined;
		const dueAt = isPassing ? machine.now : Math.min(target, machine.nextDueAt ?? target);
		let sampleAt = machine.now + every;
		while (sampleAt < dueAt) sampleAt += every;
		recorder.advanceTo(dueAt);
		for (sampleAt = Math.min(target, sampleAt); machine.now < sampleAt; ) {
			recorder.advanceTo(Math.min(sampleAt, machine.now + pauseEvery));
			yield;
		}
		// A pass judges the zones at its end, by what it has found.
		recorder.sampleZones(isPassing ? dueAt : Math.max(dueAt, recorder.turnedAt ?? dueAt));
	}
}

/** A machine on its way, and its recorder. */
type Checkpoint = {readonly machine: Simulation; readonly recorder: TrajectoryRecorder};

/** How many checkpoints of one hidden state are kept, besides its start: machines of large clusters are large. */
const mostPlaces = 3;

/**
 * Checkpoints of trajectories without changes: questions about different instants share what comes before the first change.
 */
export class RunCheckpoints {
	/** By the pass in progress, which is one object for all questions, and then by the rest of the hypothesis. */
	readonly #places = new Map<Hypothesis['passInProgress'], Map<string, readonly Checkpoint[]>>();

	/** A machine of a hidden state at an instant; the caller may change it. */
	*at(
		hypothesis: Hypothesis,
		at: Instant,
		begin: () => Pausable<Checkpoint>,
		advance: (begun: Checkpoint) => Pausable<void>,
	): Pausable<Checkpoint> {
		const key = keyOf(hypothesis);
		const places = kept(
			this.#places,
			hypothesis.passInProgress,
			() => new Map<string, readonly Checkpoint[]>(),
		);
		const known = places.get(key) ?? [yield* begin()];
		const before = known.findLast(({machine}) => machine.now <= at);
		const isThere = before !== undefined && before.machine.now === at;
		const place = isThere ? before : before ? copyOf(before) : yield* begin();
		if (!isThere) yield* advance(place);
		const [first = place, ...others] = known;
		const later = [...others, ...(isThere ? [] : [place])].toSorted(ascending(({machine}) => machine.now));
		places.set(key, [first, ...later.slice(-mostPlaces)]);
		return copyOf(place);
	}
}

/** Equal for hypotheses that are equal but for the pass in progress: each question makes those in other orders anew. */
const keyOf = ({passInProgress: _, tokensBefore, ...rest}: Hypothesis): string =>
	JSON.stringify([rest, [...(tokensBefore ?? [])]], (_key, value) =>
		typeof value === 'number' ? String(value) : value,
	);

function copyOf({machine, recorder}: Checkpoint): Checkpoint {
	const copy = machine.fork();
	return {machine: copy, recorder: recorder.fork(copy)};
}
