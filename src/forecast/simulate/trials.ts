import {type Duration, second} from '../../core/time/instant.ts';
import {manyAffected, type Spread} from '../infer/hiddenStates.ts';
import type {Hypothesis} from '../infer/hypothesis.ts';
import type {PassPhase} from '../infer/passPhase.ts';
import {width} from '../observe/interval.ts';
import type {Pausable} from '../pausable.ts';
import {type InterchangeableNodes, interchangeableNodesOf, tieBreaks} from './interchangeableNodes.ts';
import {type Question, runTrajectory} from './runTrajectory.ts';
import type {Trajectory} from './trajectory.ts';

/** The trajectories of one instant of the next pass, and which nodes chance may put in the place of which. */
export type Trial = {
	readonly trajectories: readonly Trajectory[];
	readonly groups: readonly InterchangeableNodes[];
};

/**
 * Runs a question through all hidden states, and through what chance may do in each.
 *
 * @param isAnswered whether one trial is enough of an answer, before any tie-break is tried
 */
export function* runTrials(
	question: Question,
	isAnswered: (trial: Trial) => boolean = () => false,
): Pausable<readonly Trial[]> {
	const {affected, changes, states} = question;
	const trials: Trial[] = [];
	for (const hypotheses of Map.groupBy(states.hypotheses, ({passQuantile}) => passQuantile).values()) {
		const fair = yield* runAll(hypotheses, question);
		const groups = interchangeableNodesOf(affected.nodes, changes, fair, queuedAfter(question));
		const ends = new Set([hypotheses[0], hypotheses.at(-1)].flatMap((hypothesis) => hypothesis ?? []));
		if (isAnswered({trajectories: fair, groups})) return [{trajectories: fair, groups}];
		const trajectories = [...fair];
		for (const rankOf of tieBreaks(groups, fair)) {
			const biased = [...ends].map((hypothesis) => ({...hypothesis, rankOf}));
			trajectories.push(...(yield* runAll(biased, question)));
		}
		trials.push({trajectories, groups});
	}
	return trials;
}

/** Without taints a node is queued once its time is over, by its last sign of life. */
function queuedAfter({situation: {settings}}: Question): Duration | undefined {
	const {taintBasedEvictions, podEvictionTimeout, nodeMonitorGracePeriod, nodeMonitorPeriod} = settings;
	return taintBasedEvictions
		? undefined
		: podEvictionTimeout - nodeMonitorGracePeriod - 2 * nodeMonitorPeriod;
}

function* runAll(hypotheses: readonly Hypothesis[], question: Question): Pausable<readonly Trajectory[]> {
	const lastSigns = question.changes.some(({type}) => type === 'nodeDown') ? [0, 1] : [0];
	const trajectories: Trajectory[] = [];
	for (const hypothesis of hypotheses)
		for (const place of lastSigns) trajectories.push(yield* runTrajectory(hypothesis, place, question));
	return trajectories;
}

const finest: Duration = second / 5;
const mostPhases = 6;
const mostQuantiles = 4;
/** A phase that is known so well is one instant. */
const instantly: Duration = 20;

/**
 * How many hidden states to try: the farther off a change is, the less is known of when the passes come then.
 *
 * @param ahead how far off the last thing is that depends on them
 */
export const spreadFor =
	(nodes: number, ahead: Duration) =>
	(phase: PassPhase): Spread => {
		if (nodes > manyAffected) return {phases: 2, quantiles: 2};
		const known = width(phase.next);
		const phases = known < instantly ? 1 : Math.min(mostPhases, Math.ceil(known / finest) + 1);
		const step = Math.max(finest, known / Math.max(1, phases - 1));
		const quantiles = isAnywhere(phase) ? 2 : Math.ceil(driftOf(phase, ahead) / step) + 1;
		return {phases, quantiles: Math.min(mostQuantiles, Math.max(2, quantiles))};
	};

/** How far apart the instants of a pass lie that are tried. */
export function gapOf(phase: PassPhase, {phases, quantiles}: Spread, ahead: Duration): Duration {
	const between = phases > 1 ? width(phase.next) / (phases - 1) : 0;
	const drift = isAnywhere(phase) ? 0 : driftOf(phase, ahead) / (quantiles - 1);
	return Math.min(phase.period.hi, Math.max(between, drift));
}

/** How much less is known of a pass by then: no pass takes the same time as the one before. */
const driftOf = ({period}: PassPhase, ahead: Duration): Duration =>
	Math.min(period.hi, (ahead / period.lo) * width(period));

/** Where nothing is known of the passes, nothing is lost with time. */
const isAnywhere = ({next, period}: PassPhase): boolean => width(next) >= period.lo;
