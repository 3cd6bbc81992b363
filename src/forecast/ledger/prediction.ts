import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import type {PodForecast} from '../podForecast.ts';
import type {Range} from '../range.ts';

/** A prediction: a pod is deleted within a range. */
export type Prediction = {
	readonly madeAt: Instant;
	/** Scheduled once its countdown runs. */
	readonly verdict: 'Scheduled' | 'Expected';
	readonly range: Range;
};

/** The relevant predictions for a pod since the last disturbance. */
export type PredictionHistory = {
	/** The first that was bounded. */
	readonly first: Prediction;
	/** The first that was made after its countdown had started. */
	readonly scheduled: Prediction | undefined;
	/** The latest ones, the newest last. The first of them is old enough to count, unless none is. */
	readonly recent: readonly Prediction[];
};

/** Calls and clocks take time, and ranges are shown in whole seconds. */
export const tolerance: Duration = second;
/** A prediction counts only if it was made this long before. */
export const leastAge: Duration = second;

/** The deletion that a forecast predicts; undefined if it predicts none. */
export function predictionOf(
	{verdict, eviction, cause}: PodForecast,
	madeAt: Instant,
): Prediction | undefined {
	// A pod that its kubelet evicts or shuts down remains as an object: no deletion follows.
	if (cause?.kind === 'NodePressure' || cause?.kind === 'NodeShutdown') return undefined;
	if (!eviction || (verdict !== 'Scheduled' && verdict !== 'Expected')) return undefined;
	return {madeAt, verdict, range: eviction};
}

export function withPrediction(history: PredictionHistory | undefined, made: Prediction): PredictionHistory {
	const scheduled = made.verdict === 'Scheduled' ? made : undefined;
	if (!history) return {first: made, scheduled, recent: [made]};
	const {first, recent} = history;
	const old = recent.findLastIndex(({madeAt}) => madeAt <= made.madeAt - leastAge);
	return {
		first: first.range.latest === null && made.range.latest !== null ? made : first,
		scheduled: history.scheduled ?? scheduled,
		recent: [...recent.slice(Math.max(0, old)), made],
	};
}

/** The history after a forecast is no longer sure: its predictions are not judged. */
export const withDoubt = (history: PredictionHistory): PredictionHistory => ({
	...history,
	scheduled: undefined,
	recent: [],
});

/** The newest prediction that was made early enough; undefined if all came too late. */
export const newestBefore = ({recent}: PredictionHistory, at: Instant): Prediction | undefined =>
	recent.findLast(({madeAt}) => madeAt <= at - leastAge);

/** How long a deletion came before a range (negative) or after it; zero within it, including the tolerance. */
export function missedBy({earliest, end}: Pick<Range, 'earliest' | 'end'>, at: Instant): Duration {
	if (at < earliest - tolerance) return at - earliest;
	return at > end + tolerance ? at - end : 0;
}
