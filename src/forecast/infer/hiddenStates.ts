import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {isReadyNode} from '../../core/model/node.ts';
import type {Simulation} from '../../core/simulation/simulation.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import type {AffectedNodes} from '../observe/affectedNodes.ts';
import type {Evidence} from '../observe/evidence.ts';
import {at, intersect, shift, width} from '../observe/interval.ts';
import {passMayLast} from '../observe/latencies.ts';
import {isLate, isSilent} from '../observe/nodes/nodeLiveness.ts';
import type {ObservedState} from '../observe/observed.ts';
import type {Pausable} from '../pausable.ts';
import {isConsistent, leastGrace} from './controllerMemory.ts';
import type {Hypothesis} from './hypothesis.ts';
import type {InferredPasses} from './inferred.ts';
import {leaseReads} from './leaseReads.ts';
import {isLongSettled} from './longSettled.ts';
import {makeMachine, mayBeDead} from './machine.ts';
import {findMaybeUnfinishedPass} from './maybeUnfinishedPass.ts';
import type {PassInProgress} from './passInProgress.ts';
import {type PassPhase, passDuration, passPhase, stretchedPassesBefore} from './passPhase.ts';
import {unknownSchedule} from './passSchedule.ts';
import type {SettingsSpan} from './settingsSpan.ts';
import {findThrottledPass} from './throttledPasses.ts';

/** The hypotheses: hidden states of the controllers that agree with the evidence, spread over all such states. */
export type HiddenStates = {
	readonly hypotheses: readonly Hypothesis[];
	readonly passes: InferredPasses;
	readonly settingsOf: (hypothesis: Hypothesis) => ControllerSettings;
	/** Puts a copy of the machine into the state of a hypothesis. */
	readonly machineOf: (hypothesis: Hypothesis) => Pausable<Simulation>;
};

/** How many hypotheses a what-if tries. */
export type Spread = {
	/** The number of instants of the next pass. */
	readonly phases: number;
	/** The number of quantiles of all other ranges, including both ends. */
	readonly quantiles: number;
};

const usualSpacing: Duration = second / 5;
const mostPhases = 12;
/** The likeliest quantile. */
const middle = 0.5;
/** The quantiles for a pass that may be in progress: its remaining work and the processing of the queues are independent. */
const betweenToo = [0, 0.25, 0.5, 1];
/** With more affected nodes than this, only the two ends of the ranges are tried, and the simulation ends earlier. */
export const manyAffected = 200;
/** How much later than computed a pass may end if the controller's machine is busy. */
const lateness: Duration = second / 2;

/**
 * Finds the hypotheses to run: several instants of the next monitor pass, each with both ends of every other range.
 *
 * @param span the settings, each exact or a range
 * @param spreadOf how many hypotheses a what-if needs, given the phase of the passes; absent for a forecast
 */
export function* findHiddenStates(
	observed: Omit<ObservedState, 'settings'>,
	span: SettingsSpan,
	spreadOf?: (phase: PassPhase) => Spread,
): Pausable<HiddenStates> {
	const {earlyEnd, usual, lateEnd} = span;
	const isExact = earlyEnd === lateEnd;
	const {evidence, affected, now} = observed;
	const late = {evidence, affected, now, settings: lateEnd};
	const reads = leaseReads(late);
	const paces = pacesOf(evidence, span, now, reads);
	const {phase} = paces[0];
	const throttledPass = findThrottledPass(late);
	const maybeUnfinishedPass = throttledPass ? undefined : findMaybeUnfinishedPass(late);
	const wanted = spreadOf?.(phase);
	const spacing = Math.max(usualSpacing, width(phase.begins) / (mostPhases - 1));
	const phasesOf = (one: PassPhase) =>
		wanted && !throttledPass ? wanted.phases : phasesToTry(one, spacing, affected, throttledPass, now);
	// If settings are ranges, the expected time needs the middle, too.
	const quantiles = quantilesOf(wanted?.quantiles ?? (isExact ? 2 : 3));
	const ends = affected.nodes.length > manyAffected && !wanted ? undefined : quantiles;
	const trial = {quantiles: ends, throttledPass, maybeUnfinishedPass, reads};
	const tried = paces.flatMap((pace) =>
		candidatesOf({...trial, pace, phases: phasesOf(pace.phase)}, observed),
	);
	const candidates = withDeadOrAlive(tried, affected, now);
	const ofUsual = candidates.filter(({quantile}) => paces.at(-1)?.isTriedAt(quantile) ?? true);
	// With many nodes, only the ends are tried.
	const likeliest = ofUsual.length > 0 ? ofUsual : candidates;
	const ofSchedule = new Map(candidates.map((one) => [one.schedule, settingsFor(one, affected, span)]));
	const settingsOf = ({schedule}: Hypothesis) => ofSchedule.get(schedule) ?? usual;
	const consistent = throttledPass
		? candidates
		: candidates.filter((hypothesis) => isConsistent(hypothesis, affected, settingsOf(hypothesis)));
	// If the pass in progress may be throttled, it may end late, so its hypotheses do not suffice.
	const isEnough = lateEnd.kubeApiQps > 0 ? consistent.some(isOver) : consistent.length > 0;
	const makeEarly = yield* makeMachine({...late, settings: earlyEnd});
	const makeUsual = isExact ? makeEarly : yield* makeMachine({...late, settings: usual});
	const makeLate = isExact ? makeEarly : yield* makeMachine(late);
	const makerOf = ({quantile}: Hypothesis) =>
		quantile < middle ? makeEarly : quantile > middle ? makeLate : makeUsual;
	const found = isEnough || throttledPass ? withEarlyTokens(consistent, candidates) : candidates;
	const isBetween = !throttledPass && !maybeUnfinishedPass;
	const isOneEnough = isExact && !wanted && isBetween && isLongSettled(late);
	return {
		hypotheses: found.filter(({passQuantile}) => !isOneEnough || passQuantile === found[0]?.passQuantile),
		passes: {
			phase,
			schedule:
				likeliest[Math.floor(likeliest.length / 2)]?.schedule ??
				unknownSchedule(now, earlyEnd.nodeMonitorPeriod),
			...{throttledPass, maybeUnfinishedPass},
			phaseSpacing: throttledPass ? 0 : spacingOf(phase, phasesOf(phase)),
		},
		settingsOf,
		machineOf: (one) => makerOf(one)(one, settingsOf(one)),
	};
}

/**
 * At the early end of the other unknowns a stretched pass is over at once. If what was seen excludes that, tokens may still come
 * early: they do in copies of the other hypotheses.
 */
function withEarlyTokens(
	consistent: readonly Hypothesis[],
	candidates: readonly Hypothesis[],
): readonly Hypothesis[] {
	const isEarly = ({quantile}: Hypothesis) => quantile < middle;
	if (consistent.some(isEarly) || !candidates.some(isEarly)) return consistent;
	return consistent.flatMap((one) =>
		one.schedule.stretchedPasses?.length ? [one, {...one, tokenQuantile: 0}] : [one],
	);
}

/** The settings of a hypothesis. At the early end, the grace period is long enough for the nodes that are still Ready. */
function settingsFor(
	one: Hypothesis,
	affected: AffectedNodes,
	{earlyEnd, usual, lateEnd}: SettingsSpan,
): ControllerSettings {
	const {quantile, nodeMonitorPeriod} = one;
	const ends = quantile < middle ? earlyEnd : quantile > middle ? lateEnd : usual;
	const own = ends.nodeMonitorPeriod === nodeMonitorPeriod ? ends : {...ends, nodeMonitorPeriod};
	if (quantile >= middle || earlyEnd.nodeMonitorGracePeriod === lateEnd.nodeMonitorGracePeriod) return own;
	const least = leastGrace(one, affected, own);
	return {...own, nodeMonitorGracePeriod: Math.min(least, lateEnd.nodeMonitorGracePeriod)};
}

/** Whether no pass is in progress in a hypothesis. */
const isOver = ({passQuantile}: Hypothesis) => passQuantile !== 'inProgress';

const quantilesOf = (count: number): readonly number[] =>
	Array.from({length: count}, (_, index) => index / (count - 1));

/** How far apart the tried instants of the next pass lie. */
export const spacingOf = ({begins}: PassPhase, phases: number): Duration =>
	phases > 1 ? width(begins) / (phases - 1) : 0;

/** A possible period of the passes, and when they begin with it. */
type Pace = {
	readonly nodeMonitorPeriod: Duration;
	readonly phase: PassPhase;
	/** Whether it is tried with a quantile of the other unknowns. */
	readonly isTriedAt: (quantile: number) => boolean;
};

/**
 * The periods to try, the longest first. If the period is a range, both ends are tried: with a short one everything may come
 * earlier; with a long one nodes are queued together, so that any of them may be the first. The likeliest gives the expected
 * time.
 */
function pacesOf(
	{passObservations, nodes}: Evidence,
	{earlyEnd, usual, lateEnd}: SettingsSpan,
	now: Instant,
	reads: Duration,
): readonly [Pace, ...Pace[]] {
	const duration = passDuration(nodes.size);
	const likeliest = {
		nodeMonitorPeriod: usual.nodeMonitorPeriod,
		phase: passPhase(passObservations, usual, duration, now, reads),
	};
	if (earlyEnd.nodeMonitorPeriod === lateEnd.nodeMonitorPeriod)
		return [{...likeliest, isTriedAt: () => true}];
	const paceOf = (settings: ControllerSettings): Pace => {
		const {nodeMonitorPeriod} = settings;
		const apart = {
			lo: duration.lo + earlyEnd.nodeMonitorPeriod - nodeMonitorPeriod,
			hi: duration.hi + lateEnd.nodeMonitorPeriod - nodeMonitorPeriod,
		};
		const {begins: found, stretchedPasses, source} = passPhase(passObservations, settings, apart, now, reads);
		const idlePeriod = shift(duration, nodeMonitorPeriod);
		const period = {lo: idlePeriod.lo, hi: idlePeriod.hi + reads};
		const begins = {lo: found.lo, hi: Math.min(found.hi, Math.max(now, found.lo) + period.hi)};
		return {
			nodeMonitorPeriod,
			phase: {begins, period, idlePeriod, stretchedPasses, source},
			isTriedAt: (quantile) => quantile !== middle,
		};
	};
	return [paceOf(lateEnd), paceOf(earlyEnd), {...likeliest, isTriedAt: (quantile) => quantile === middle}];
}

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

type Layout = {
	readonly pace: Pace;
	readonly phases: number;
	/** Undefined if each instant of the next pass is tried with one quantile only. */
	readonly quantiles: readonly number[] | undefined;
	readonly throttledPass: PassInProgress | undefined;
	readonly maybeUnfinishedPass: PassInProgress | undefined;
	/** The longest time that a pass reads leases. */
	readonly reads: Duration;
};

function candidatesOf(
	{pace, phases, quantiles, throttledPass, maybeUnfinishedPass, reads}: Layout,
	{evidence, affected, now}: Omit<ObservedState, 'settings'>,
): readonly Hypothesis[] {
	const {nodeMonitorPeriod, phase, isTriedAt} = pace;
	// Caches may be full at once. The first pass is set a little early, so that rounding does not decide whether it is over.
	const firstPass = evidence.controllersStarted.lo - usualSpacing;
	const passQuantiles = Array.from({length: phases}, (_, index) => (phases > 1 ? index / (phases - 1) : 0.5));
	const stateAt = (quantile: number, passQuantile: Hypothesis['passQuantile']) => ({
		...{nodeMonitorPeriod, passQuantile, quantile, areLateDead: quantile >= 0.5},
		noExecuteAt: quantile < 0.5 ? ('inNextPass' as const) : ('beforePass' as const),
	});
	const over = passQuantiles.flatMap((passQuantile) =>
		(quantiles ?? [passQuantile]).filter(isTriedAt).map((quantile): Hypothesis => {
			const period = at(phase.period, quantile);
			const begins = throttledPass ? throttledPass.startedAt + period : at(phase.begins, passQuantile);
			// The last pass is over: the next one begins within a period.
			const nextPass = Math.min(begins > now || throttledPass ? begins : begins + period, now + period);
			const stretchedPasses = throttledPass
				? []
				: stretchedPassesBefore(nextPass, period, phase.stretchedPasses, quantile);
			return {
				schedule: {nextPass, period, idlePeriod: at(phase.idlePeriod, quantile), firstPass, stretchedPasses},
				...stateAt(quantile, passQuantile),
				passInProgress: throttledPass,
			};
		}),
	);
	const mayBeAtWork =
		maybeUnfinishedPass !== undefined ||
		evidence.passObservations.some(({at}) => at.hi > now - passMayLast - reads && at.lo <= now) ||
		(affected.nodes.length <= manyAffected && isJustDue(phase, now));
	if (throttledPass || !mayBeAtWork) return over;
	const inProgress = (maybeUnfinishedPass ? betweenToo : [0, 1])
		.filter(isTriedAt)
		.map((quantile): Hypothesis => {
			const period = at(phase.period, quantile);
			// The pass began just before its first transition.
			const nextPass = maybeUnfinishedPass ? maybeUnfinishedPass.startedAt - 1 + period : now;
			return {
				schedule: {nextPass, period, idlePeriod: at(phase.idlePeriod, quantile), firstPass},
				...stateAt(quantile, 'inProgress'),
				passInProgress: maybeUnfinishedPass,
			};
		});
	return [...over, ...inProgress];
}

/**
 * Kubelets that may be dead or alive are alive at one extreme of the other unknowns, and dead at both: their failure may be
 * found as early as any other.
 */
function withDeadOrAlive(
	hypotheses: readonly Hypothesis[],
	{nodes}: AffectedNodes,
	now: Instant,
): readonly Hypothesis[] {
	if (!nodes.some((one) => mayBeDead(one, now))) return hypotheses;
	return hypotheses.flatMap((one) => (one.areLateDead ? one : [one, {...one, areLateDead: true}]));
}

/** Whether a pass was expected just now: it may begin later, or be in progress. */
function isJustDue({begins, period}: PassPhase, now: Instant): boolean {
	const justNow = {lo: now - lateness, hi: now};
	const last = {lo: begins.lo - period.hi, hi: begins.hi - period.lo};
	return intersect(begins, justNow) !== undefined || intersect(last, justNow) !== undefined;
}
