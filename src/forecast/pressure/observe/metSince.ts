import {observeSignals} from '../../../core/nodepressure/observations.ts';
import type {Threshold} from '../../../core/nodepressure/threshold.ts';
import {isMet} from '../../../core/nodepressure/thresholdsMet.ts';
import type {Duration, Instant} from '../../../core/time/instant.ts';
import type {Interval} from '../../observe/interval.ts';
import type {SummarySample} from './pressureEvidence.ts';

/**
 * When the pass was that first found a threshold met, by what was seen; undefined where the newest sample does not meet
 * it. What happened between two samples cannot be seen: that the amount did not rise meanwhile is taken for granted.
 *
 * @param interval between two passes
 * @param conditionSince when the threshold's condition turned True, where it is
 */
export function metSince(
	threshold: Threshold,
	samples: readonly SummarySample[],
	interval: Duration,
	conditionSince: Instant | undefined,
): Interval | undefined {
	const judged = samples.map(({seenAt, summary}) => {
		const observed = observeSignals(summary).get(threshold.signal);
		return {at: seenAt, isMet: observed !== undefined && isMet(threshold, observed, false)};
	});
	const clear = judged.findLastIndex((one) => !one.isMet);
	const first = judged[clear + 1];
	if (!first) return undefined;
	const before = judged[clear]?.at;
	// Never before its condition turned True, which the first pass that finds a threshold met brings about.
	const lo = before ?? (conditionSince === undefined ? Number.NEGATIVE_INFINITY : conditionSince - interval);
	return {lo, hi: Math.max(lo, first.at + interval)};
}
