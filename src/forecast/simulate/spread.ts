import {type Duration, second} from '../../core/time/instant.ts';
import {manyAffected, type Spread, spacingOf} from '../infer/hiddenStates.ts';
import type {PassPhase} from '../infer/passPhase.ts';
import {width} from '../observe/interval.ts';

const finest: Duration = second / 5;
const mostPhases = 6;
const mostQuantiles = 4;
/** A phase that is known this well counts as one instant. */
const instantly: Duration = 20;

export type SpreadOf = (phase: PassPhase) => Spread;

/**
 * How many hidden states to try: the further away a change is, the less is known of the passes at that time.
 *
 * @param ahead how far away the last event is that depends on them
 */
export const spreadFor =
	(nodes: number, ahead: Duration): SpreadOf =>
	(phase) => {
		if (nodes > manyAffected) return {phases: 2, quantiles: 2};
		const known = width(phase.begins);
		const phases = known < instantly ? 1 : Math.min(mostPhases, Math.ceil(known / finest) + 1);
		const step = Math.max(finest, known / Math.max(1, phases - 1));
		const quantiles = isAnywhere(phase) ? 2 : Math.ceil(driftOf(phase, ahead) / step) + 1;
		return {phases, quantiles: Math.min(mostQuantiles, Math.max(2, quantiles))};
	};

/** How far apart the tried instants of a pass lie at that time. */
export function spacingAhead(phase: PassPhase, {phases, quantiles}: Spread, ahead: Duration): Duration {
	const between = spacingOf(phase, phases);
	const drift = isAnywhere(phase) ? 0 : driftOf(phase, ahead) / (quantiles - 1);
	return Math.min(phase.period.hi, Math.max(between, drift));
}

/** How much less is known of a pass at that time: passes do not all take the same time. */
const driftOf = ({period}: PassPhase, ahead: Duration): Duration =>
	Math.min(period.hi, (ahead / period.lo) * width(period));

/** Whether nothing is known of when passes begin: then time adds no uncertainty. */
const isAnywhere = ({begins, period}: PassPhase) => width(begins) >= period.lo;
