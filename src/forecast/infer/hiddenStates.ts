import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {isReadyNode} from '../../core/model/node.ts';
import type {Simulation} from '../../core/simulation/simulation.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import type {AffectedNodes} from '../observe/affectedNodes.ts';
import type {Evidence} from '../observe/evidence.ts';
import {at, type Interval, intersect, width} from '../observe/interval.ts';
import {passMayLast} from '../observe/latencies.ts';
import {isSilent} from '../observe/nodes/nodeLiveness.ts';
import type {Pausable} from '../pausable.ts';
import {isConsistent} from './controllerMemory.ts';
import type {Hypothesis} from './hypothesis.ts';
import type {InferredPasses} from './inferred.ts';
import {makeMachine} from './machine.ts';
import {findMaybeUnfinishedPass} from './maybeUnfinishedPass.ts';
import {type PassPhase, passDuration, passPhase} from './passPhase.ts';
import type {SettingsSpan} from './settingsSpan.ts';
import {findThrottledPass, type PassInProgress} from './throttledPass.ts';

/** Hidden states of the controllers, spread over all that agrees with the evidence. */
export type HiddenStates = {
	readonly hypotheses: readonly Hypothesis[];
	readonly passes: InferredPasses;
	readonly settingsOf: (hypothesis: Hypothesis) => ControllerSettings;
	/** Puts a copy of the machine into one of them. */
	readonly machineOf: (hypothesis: Hypothesis) => Pausable<Simulation>;
};

/** How many states are tried, where more is to be decided than what the present leads to by itself. */
export type Spread = {
	/** How many instants of the next pass. */
	readonly phases: number;
	/** How many places in the ranges of all else, both ends among them. */
	readonly quantiles: number;
};

const widestGap: Duration = second / 5;
const mostPhases = 12;
/** A machine with more nodes than this is only tried at the two ends of the ranges, and not as far ahead. */
export const manyAffected = 200;
/** How much later than foretold a pass may come to the last of its nodes, where the controller's machine is busy. */
const lateness: Duration = second / 2;

/**
 * Lays hypotheses over all that the evidence allows.
 *
 * @param spreadOf how many to lay, by how well the passes are known; as many as the present needs where it is not given
 */
export function* findHiddenStates(
	evidence: Evidence,
	affected: AffectedNodes,
	span: SettingsSpan,
	now: Instant,
	spreadOf?: (phase: PassPhase) => Spread,
): Pausable<HiddenStates> {
	const {early, late} = span;
	const phase = passPhase(evidence.passObservations, early, betweenPasses(evidence.nodes.size, span), now);
	const throttledPass = findThrottledPass(evidence, affected, late, now);
	const maybeUnfinishedPass = throttledPass
		? undefined
		: findMaybeUnfinishedPass(evidence, affected, late, now);
	const wanted = spreadOf?.(phase);
	const phases = wanted && !throttledPass ? wanted.phases : phasesToTry(phase, affected, throttledPass, now);
	const quantiles = quantilesOf(wanted?.quantiles ?? 2);
	const ends = affected.nodes.length > manyAffected && !wanted ? undefined : quantiles;
	const trial = {phase, phases, quantiles: ends, throttledPass, maybeUnfinishedPass};
	const candidates = candidatesOf(trial, evidence, affected, now);
	const settingsOf = ({quantile}: Hypothesis) => (quantile < 0.5 ? early : late);
	const consistent = throttledPass
		? candidates
		: candidates.filter((hypothesis) => isConsistent(hypothesis, affected, settingsOf(hypothesis)));
	// Where throttling may make the pass at work a long one, more than its quick end is open.
	const isEnough = late.kubeApiQps > 0 ? consistent.some(isOver) : consistent.length > 0;
	const makeEarly = yield* makeMachine(evidence, affected, early, now);
	const makeLate = early === late ? makeEarly : yield* makeMachine(evidence, affected, late, now);
	return {
		hypotheses: isEnough || throttledPass ? consistent : candidates,
		passes: {
			phase,
			schedule: candidates[Math.floor(candidates.length / 2)]?.schedule ?? {
				nextPass: now,
				period: early.nodeMonitorPeriod,
				firstPass: Number.NEGATIVE_INFINITY,
			},
			...{throttledPass, maybeUnfinishedPass},
			gap: phases > 1 && !throttledPass ? width(phase.next) / (phases - 1) : 0,
		},
		settingsOf,
		machineOf: (hypothesis) => (hypothesis.quantile < 0.5 ? makeEarly : makeLate)(hypothesis),
	};
}

/** Whether no pass is at work in a hidden state. */
const isOver = ({passQuantile}: Hypothesis) => passQuantile >= 0;

const quantilesOf = (count: number): readonly number[] =>
	Array.from({length: count}, (_, index) => index / (count - 1));

/** What lies between two passes beyond the shortest period: their own duration, and what the period may be longer. */
function betweenPasses(nodes: number, {early, late}: SettingsSpan): Interval {
	const {lo, hi} = passDuration(nodes);
	return {lo, hi: hi + late.nodeMonitorPeriod - early.nodeMonitorPeriod};
}

/** How many instants of the next pass are tried: one where it decides nothing. */
function phasesToTry(
	phase: PassPhase,
	affected: AffectedNodes,
	throttledPass: PassInProgress | undefined,
	now: Instant,
): number {
	const isDecided = affected.nodes.every(({node}) => isReadyNode(node) && node.taints.length === 0);
	const isAnySilent = affected.nodes.some((one) => isSilent(one, now));
	if (affected.nodes.length > manyAffected) return 2;
	if (throttledPass || (isDecided && !isAnySilent)) return 1;
	return Math.min(mostPhases, Math.ceil(width(phase.next) / widestGap) + 1);
}

type Layout = {
	readonly phase: PassPhase;
	readonly phases: number;
	/** Undefined where each instant of the next pass goes with one place in the other ranges. */
	readonly quantiles: readonly number[] | undefined;
	readonly throttledPass: PassInProgress | undefined;
	readonly maybeUnfinishedPass: PassInProgress | undefined;
};

function candidatesOf(
	{phase, phases, quantiles, throttledPass, maybeUnfinishedPass}: Layout,
	evidence: Evidence,
	affected: AffectedNodes,
	now: Instant,
): readonly Hypothesis[] {
	// Caches may be full at once. A hair early: whether the first pass is over must not hang on rounding.
	const firstPass = evidence.controllersStarted.lo - widestGap;
	const passQuantiles = Array.from({length: phases}, (_, index) => (phases > 1 ? index / (phases - 1) : 0.5));
	const over = passQuantiles.flatMap((passQuantile) =>
		(quantiles ?? [passQuantile]).map((quantile): Hypothesis => {
			const period = at(phase.period, quantile);
			const begins = throttledPass ? throttledPass.startedAt + period : at(phase.next, passQuantile);
			// The last pass is over: the next one is a period away at the most.
			const nextPass = Math.min(begins > now || throttledPass ? begins : begins + period, now + period);
			return {
				schedule: {nextPass, period, firstPass},
				passQuantile,
				quantile,
				seed: 1,
				passInProgress: throttledPass,
			};
		}),
	);
	const mayBeAtWork =
		maybeUnfinishedPass !== undefined ||
		evidence.passObservations.some(({at}) => at.hi > now - passMayLast && at.lo <= now) ||
		(affected.nodes.length <= manyAffected && isJustForetold(phase, now));
	if (throttledPass || !mayBeAtWork) return over;
	const inProgress = [0, 1].map((quantile): Hypothesis => {
		const period = at(phase.period, quantile);
		// A hair before its first transition.
		const nextPass = maybeUnfinishedPass ? maybeUnfinishedPass.startedAt - 1 + period : now;
		return {
			schedule: {nextPass, period, firstPass},
			passQuantile: -1,
			quantile,
			seed: 1,
			passInProgress: maybeUnfinishedPass,
		};
	});
	return [...over, ...inProgress];
}

/** Tells whether a pass was to begin a moment ago: it may have begun later, or not be through. */
function isJustForetold({next, period}: PassPhase, now: Instant): boolean {
	const justNow = {lo: now - lateness, hi: now};
	const last = {lo: next.lo - period.hi, hi: next.hi - period.lo};
	return intersect(next, justNow) !== undefined || intersect(last, justNow) !== undefined;
}
