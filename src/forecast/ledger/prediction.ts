import {type Duration, type Instant, never, second} from '../../core/time/instant.ts';
import type {PodForecast} from '../podForecast.ts';
import type {Range} from '../range.ts';

/** A prediction: a pod is deleted within a range. */
export type Prediction = {
	readonly madeAt: Instant;
	/** Scheduled once its countdown runs. */
	readonly verdict: 'Scheduled' | 'Expected';
	readonly range: Range;
};

/** Of all that was said of a pod since the world last changed, what may count. */
export type PredictionHistory = {
	/** The first that had an end. */
	readonly first: Prediction;
	/** The first that was made after its countdown had begun. */
	readonly scheduled: Prediction | undefined;
	/** Those that are the hardest to meet. */
	readonly latestBegin: Prediction;
	readonly earliestEnd: Prediction;
	/** The last ones, the newest last: the first of them has been old enough for a while, or is all there is. */
	readonly recent: readonly Prediction[];
};

/** Calls and clocks take their time, and ranges are shown by the second. */
export const tolerance: Duration = second;
/** What was said less than so long before is no prediction. */
export const oldEnough: Duration = second;

/** The deletion that a forecast predicts; undefined where it predicts none. */
export function predictionOf(
	{verdict, eviction, cause}: PodForecast,
	madeAt: Instant,
): Prediction | undefined {
	// A pod that its kubelet evicts or shuts down stays as an object: no deletion follows.
	if (cause?.kind === 'NodePressure' || cause?.kind === 'NodeShutdown') return undefined;
	if (!eviction || (verdict !== 'Scheduled' && verdict !== 'Expected')) return undefined;
	return {madeAt, verdict, range: eviction};
}

/** All that was said of a pod, and one more. */
export function withPrediction(said: PredictionHistory | undefined, made: Prediction): PredictionHistory {
	const scheduled = made.verdict === 'Scheduled' ? made : undefined;
	if (!said) return {first: made, scheduled, latestBegin: made, earliestEnd: made, recent: [made]};
	const {first, latestBegin, earliestEnd, recent} = said;
	const old = recent.findLastIndex(({madeAt}) => madeAt <= made.madeAt - oldEnough);
	return {
		first: isOpen(first) && !isOpen(made) ? made : first,
		scheduled: said.scheduled ?? scheduled,
		latestBegin: made.range.earliest > latestBegin.range.earliest ? made : latestBegin,
		earliestEnd: endOf(made) < endOf(earliestEnd) ? made : earliestEnd,
		recent: [...recent.slice(Math.max(0, old)), made],
	};
}

/** What is left of it where a forecast is no longer sure: it is no longer judged as a prediction. */
export const withDoubt = (said: PredictionHistory): PredictionHistory => ({
	...said,
	scheduled: undefined,
	recent: [],
});

/** The newest that was said early enough; undefined where everything was said too late. */
export const newestBefore = ({recent}: PredictionHistory, at: Instant): Prediction | undefined =>
	recent.findLast(({madeAt}) => madeAt <= at - oldEnough);

/** The one that a deletion misses of all that was ever said; undefined where it lies inside everything. */
export const missedOf = (said: PredictionHistory, at: Instant): Prediction | undefined =>
	[said.latestBegin, said.earliestEnd].find((prediction) => missedBy(prediction, at) !== 0);

/** By how much a deletion came before a range (below zero) or after it; zero inside, give or take the tolerance. */
export function missedBy({range}: Pick<Prediction, 'range'>, at: Instant): Duration {
	if (at < range.earliest - tolerance) return at - range.earliest;
	const end = range.latest ?? never;
	return at > end + tolerance ? at - end : 0;
}

/** Infinite where nothing bounds it. */
export const widthOf = (prediction: Prediction): Duration => endOf(prediction) - prediction.range.earliest;

export const endOf = ({range}: Pick<Prediction, 'range'>): Instant => range.latest ?? never;
const isOpen = ({range}: Prediction): boolean => range.latest === null;
