import {kept} from '../../core/collections/kept.ts';
import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {isReadyNode} from '../../core/model/node.ts';
import {isExact, type SettingsSpan} from '../../core/model/settingsSpan.ts';
import type {Simulation} from '../../core/simulation/simulation.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import type {AffectedNodes} from '../observe/affectedNodes.ts';
import {at, endOf, type Interval, intersect, isEarly, width} from '../observe/interval.ts';
import {type ClientLimits, passMayLast, perCall} from '../observe/latencies.ts';
import type {Leader} from '../observe/leader.ts';
import {lifecycleTaint} from '../observe/nodes/lifecycleTaint.ts';
import {isLate, isSilent} from '../observe/nodes/nodeLiveness.ts';
import type {Observed, ObservedState} from '../observe/observed.ts';
import {leaseReads} from '../observe/passes/leaseReads.ts';
import {callsToClear} from '../observe/passes/passCalls.ts';
import type {Pausable} from '../pausable.ts';
import {leastGrace} from './controllerMemory.ts';
import type {Hypothesis} from './hypothesis.ts';
import type {InferredPasses} from './inferred.ts';
import {makeMachine, mayBeDead} from './machine.ts';
import {findMaybeUnfinishedPass, MarkingPasses, type PassInProgress} from './passInProgress.ts';
import {isLongSettled, type Pace, type PassPhase, pacesOf} from './passPhase.ts';
import {lastPass, type PassSchedule, stretchedPassesBefore, unknownSchedule} from './passSchedule.ts';
import {findThrottledPass} from './throttledPasses.ts';

/** The hypotheses: hidden states of the controllers that agree with the evidence, spread over all such states. */
export type HiddenStates = Readonly<{
	hypotheses: readonly Hypothesis[];
	passes: InferredPasses;
	settingsOf: (hypothesis: Hypothesis) => ControllerSettings;
	/** Puts a copy of the machine into the state of a hypothesis. */
	machineOf: (hypothesis: Hypothesis) => Pausable<Simulation>;
}>;

/** How many hypotheses a what-if tries. */
export type Spread = {
	/** The number of instants of the next pass. */
	readonly phases: number;
	/** The number of quantiles of all other ranges, including both ends. */
	readonly quantiles: number;
};

const usualSpacing: Duration = second / 5;
const mostPhases = 12;
/**
 * The quantiles for a pass that may be in progress: its remaining work and the processing of the queues are independent. At those
 * between the ends the nodes that it has turned are queued last (`joiningLast`); at 0.25 a NoExecute pass comes amid it
 * (`noExecutePassAt`).
 */
const betweenToo = [0, 0.25, 0.5, 1];
/** With more affected nodes than this, only the two ends of the ranges are tried, and the simulation ends earlier. */
export const manyAffected = 200;
/** How much later than computed a pass may end if the controller's machine is busy. */
const lateness: Duration = second / 2;

/**
 * Finds the hypotheses to run: several instants of the next monitor pass, each with both ends of every other range, and its
 * middle if settings are ranges.
 *
 * @param span the settings, each exact or a range
 * @param spreadOf how many hypotheses a what-if needs, given the phase of the passes; absent for a forecast
 */
export function* findHiddenStates(
	observed: Pick<Observed, 'evidence' | 'affected' | 'now' | 'leader'>,
	span: SettingsSpan,
	spreadOf?: (phase: PassPhase) => Spread,
): Pausable<HiddenStates> {
	const {earlyEnd, usual, lateEnd} = span;
	const {evidence, affected, now, leader} = observed;
	const late = {evidence, affected, now, settings: lateEnd};
	const reads = leaseReads(late);
	const paces = pacesOf(evidence, span, now, reads);
	const {phase} = paces[0];
	const markingPasses = new MarkingPasses(late);
	const throttledPass = findThrottledPass(markingPasses);
	const maybeUnfinishedPass = throttledPass ? undefined : findMaybeUnfinishedPass(markingPasses);
	const wanted = spreadOf?.(phase);
	const spacing = Math.max(usualSpacing, width(phase.begins) / (mostPhases - 1));
	const phasesOf = (one: PassPhase) =>
		wanted && !throttledPass ? wanted.phases : phasesToTry(one, spacing, affected, throttledPass, now);
	// If settings are ranges, the expected time needs the middle, too.
	const quantiles = quantilesOf(wanted?.quantiles ?? (isExact(span) ? 2 : 3));
	const ends = affected.nodes.length > manyAffected && !wanted ? undefined : quantiles;
	const trial = {throttledPass, maybeUnfinishedPass, reads, settings: lateEnd};
	const ofPaces = paces.flatMap((pace) =>
		candidatesOf({...trial, quantiles: ends, pace, phases: phasesOf(pace.phase)}, observed),
	);
	const hypotheses = withDeadOrAlive(ofPaces, affected, now);
	const ofUsual = hypotheses.filter(({quantile}) => paces.at(-1)?.isTriedAt(quantile) ?? true);
	// With many nodes, only the ends are tried.
	const likeliest = ofUsual.length > 0 ? ofUsual : hypotheses;
	const ofSchedule = new Map<PassSchedule, ControllerSettings>();
	const settingsOf = (one: Hypothesis) =>
		kept(ofSchedule, one.schedule, () => settingsFor(one, affected, span, leader));
	const makeEarly = yield* makeMachine({...late, settings: earlyEnd});
	const makeUsual = isExact(span) ? makeEarly : yield* makeMachine({...late, settings: usual});
	const makeLate = isExact(span) ? makeEarly : yield* makeMachine(late);
	const makerOf = ({quantile}: Hypothesis) => endOf(quantile, makeEarly, makeUsual, makeLate);
	const isBetweenPasses = !throttledPass && !maybeUnfinishedPass;
	const isOneEnough = isExact(span) && !wanted && isBetweenPasses && isLongSettled(late);
	return {
		hypotheses: hypotheses.filter(
			({passQuantile}) => !isOneEnough || passQuantile === hypotheses[0]?.passQuantile,
		),
		passes: {
			phase,
			schedule:
				likeliest[Math.floor(likeliest.length / 2)]?.schedule ??
				unknownSchedule(now, earlyEnd.nodeMonitorPeriod),
			throttledPass,
			maybeUnfinishedPass,
			phaseSpacing: throttledPass ? spacingAfter(throttledPass, span) : spacingOf(phase, phasesOf(phase)),
		},
		settingsOf,
		machineOf: (one) => makerOf(one)(one, settingsOf(one)),
	};
}

/**
 * The settings of a hypothesis. At the early end, the grace period is long enough for the nodes that are still Ready, if
 * controllers run: without them nothing ends it.
 */
function settingsFor(
	one: Hypothesis,
	affected: AffectedNodes,
	{earlyEnd, usual, lateEnd}: SettingsSpan,
	leader: Leader,
): ControllerSettings {
	const {quantile, nodeMonitorPeriod} = one;
	const ends = endOf(quantile, earlyEnd, usual, lateEnd);
	const own = ends.nodeMonitorPeriod === nodeMonitorPeriod ? ends : {...ends, nodeMonitorPeriod};
	const isGraceKnown = earlyEnd.nodeMonitorGracePeriod === lateEnd.nodeMonitorGracePeriod;
	if (!isEarly(quantile) || isGraceKnown || leader.type === 'absent') return own;
	const least = leastGrace(one, affected, own);
	return {...own, nodeMonitorGracePeriod: Math.min(least, lateEnd.nodeMonitorGracePeriod)};
}

const quantilesOf = (count: number): readonly number[] =>
	Array.from({length: count}, (_, index) => index / (count - 1));

/** How far apart the tried instants of the next pass lie. */
export const spacingOf = ({begins}: PassPhase, phases: number): Duration =>
	phases > 1 ? width(begins) / (phases - 1) : 0;

/** If a throttled pass may be over, the next one begins within a period. */
const spacingAfter = ({mayBeOver}: PassInProgress, {lateEnd}: SettingsSpan): Duration =>
	mayBeOver ? lateEnd.nodeMonitorPeriod : 0;

/** How many instants of the next pass are tried at this spacing; one if the instant decides nothing. */
function phasesToTry(
	phase: PassPhase,
	spacing: Duration,
	affected: AffectedNodes,
	throttledPass: PassInProgress | undefined,
	now: Instant,
): number {
	const isDecided = affected.nodes.every(({node}) => isReadyNode(node) && node.taints.length === 0);
	const isAnySilent = affected.nodes.some((one) => isSilent(one, now) || isLate(one, now));
	if (affected.nodes.length > manyAffected) return 2;
	if (throttledPass || (isDecided && !isAnySilent)) return 1;
	return Math.min(mostPhases, Math.ceil(width(phase.begins) / spacing) + 1);
}

type Layout = Readonly<{
	pace: Pace;
	phases: number;
	/** Undefined if each instant of the next pass is tried with one quantile only. */
	quantiles: readonly number[] | undefined;
	throttledPass: PassInProgress | undefined;
	maybeUnfinishedPass: PassInProgress | undefined;
	/** The longest time that a pass reads leases. */
	reads: Duration;
	settings: ControllerSettings;
}>;

function candidatesOf(
	{pace, phases, quantiles, throttledPass, maybeUnfinishedPass, reads, settings}: Layout,
	{evidence, affected, now}: Omit<ObservedState, 'settings'>,
): readonly Hypothesis[] {
	const {nodeMonitorPeriod, phase, isTriedAt} = pace;
	// Caches may be full at once. The first pass is set a little early, so that rounding does not decide whether it is over.
	const started = evidence.controllersStarted.lo - usualSpacing;
	const hypothesisOf = (
		quantile: number,
		passQuantile: Hypothesis['passQuantile'],
		nextPass: Instant,
		{firstPass = started, isSeen = false}: {readonly firstPass?: Instant; readonly isSeen?: boolean},
	): Hypothesis => {
		const period = at(phase.period, quantile);
		const idlePeriod = at(phase.idlePeriod, quantile);
		// The pass that is seen at work may be a stretched one.
		const stretchedPasses = isSeen
			? []
			: stretchedPassesBefore(nextPass, period, phase.stretchedPasses, quantile);
		return {
			nodeMonitorPeriod,
			passQuantile,
			quantile,
			areLateDead: !isEarly(quantile),
			schedule: {nextPass, period, idlePeriod, firstPass, stretchedPasses},
			noExecuteAt: isEarly(quantile) ? 'inNextPass' : 'beforePass',
			passInProgress: passQuantile === 'inProgress' ? maybeUnfinishedPass : throttledPass,
		};
	};
	const passQuantiles = Array.from({length: phases}, (_, index) => (phases > 1 ? index / (phases - 1) : 0.5));
	const over = passQuantiles
		.flatMap((passQuantile) =>
			(quantiles ?? [passQuantile]).filter(isTriedAt).map((quantile) => {
				const period = at(phase.period, quantile);
				const begins = throttledPass ? throttledPass.startedAt + period : at(phase.begins, passQuantile);
				// The last pass is over: the next one begins within a period.
				const nextPass = Math.min(begins > now || throttledPass ? begins : begins + period, now + period);
				return hypothesisOf(quantile, passQuantile, nextPass, {isSeen: throttledPass !== undefined});
			}),
		)
		.flatMap(withLastPassOver);
	const unregistered = countUnregistered(affected, evidence.controllersStarted);
	const isSeen =
		maybeUnfinishedPass !== undefined ||
		unregistered > 0 ||
		evidence.passObservations.some(({at}) => at.hi > now - passMayLast - reads && at.lo <= now);
	const mayBeAtWork = isSeen || (affected.nodes.length <= manyAffected && isJustDue(phase, now));
	if (throttledPass || !mayBeAtWork) return over;
	const inProgress = (maybeUnfinishedPass ? betweenToo : [0, 1]).filter(isTriedAt).flatMap((quantile) =>
		beginsOf(maybeUnfinishedPass, quantile).map((begins) => {
			const nextPass =
				begins === undefined
					? now + quantile * waitToRegister(unregistered, settings)
					: begins + at(phase.period, quantile);
			// The first pass goes on as one that begins now: it has judged no zone.
			const firstPass = unregistered > 0 && !maybeUnfinishedPass ? nextPass : started;
			return hypothesisOf(quantile, 'inProgress', nextPass, {firstPass, isSeen});
		}),
	);
	return [...over, ...inProgress];
}

/**
 * When a pass that is seen at work began: just before its first transition. The later that was, the more grace periods were over,
 * and the later the next pass comes: at the early end both are tried. Undefined if no pass is seen.
 */
function beginsOf(pass: PassInProgress | undefined, quantile: number): readonly (Instant | undefined)[] {
	if (!pass) return [undefined];
	const {startedAt, startedBy = startedAt} = pass;
	return quantile === 0 && startedBy > startedAt ? [startedAt - 1, startedBy - 1] : [startedAt - 1];
}

/** Adds a copy in which the last pass is over, if it was a long one: its writes do not show whether it still waits for its client. */
function withLastPassOver(one: Hypothesis): readonly Hypothesis[] {
	const last = lastPass(one.schedule);
	const isLong = one.schedule.stretchedPasses?.some(({at}) => at === last);
	return isLong ? [one, {...one, isLastPassOver: true}] : [one];
}

/** The nodes that the first pass of new controllers has still to register: it takes off the taints that others added. */
const countUnregistered = ({nodes}: AffectedNodes, {lo}: Interval): number =>
	nodes.filter(({node, taintedAt}) => lifecycleTaint(node) && taintedAt && taintedAt.hi < lo).length;

/** How much longer a pass takes to register nodes if its client has no burst left, and events take every other call. */
const waitToRegister = (nodes: number, limits: ClientLimits): Duration =>
	nodes > 0 ? (limits.kubeApiBurst + nodes * callsToClear) * perCall(limits) : 0;

/**
 * Adds copies of the hypotheses in which kubelets that may be dead are dead: their failure may be found as early as any
 * other. In the hypotheses themselves they are alive.
 */
function withDeadOrAlive(
	hypotheses: readonly Hypothesis[],
	affected: AffectedNodes,
	now: Instant,
): readonly Hypothesis[] {
	if (!affected.nodes.some((one) => mayBeDead(one, affected, now))) return hypotheses;
	return hypotheses.flatMap((one) => (one.areLateDead ? one : [one, {...one, areLateDead: true}]));
}

/** Whether a pass was expected just now: it may begin later, or be in progress. */
function isJustDue({begins, period}: PassPhase, now: Instant) {
	const justNow = {lo: now - lateness, hi: now};
	const last = {lo: begins.lo - period.hi, hi: begins.hi - period.lo};
	return intersect(begins, justNow) !== undefined || intersect(last, justNow) !== undefined;
}
