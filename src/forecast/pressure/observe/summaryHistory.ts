import type {Summary} from '../../../core/nodepressure/summary.ts';
import {type Duration, type Instant, minute} from '../../../core/time/instant.ts';
import type {SummarySample} from './pressureEvidence.ts';

/** For so long samples tell of a trend: a longer past says less of the next minutes. */
export const historySpan: Duration = 5 * minute;

/** A history with a new summary, and without what is too old to tell of a trend. */
export function remember(
	history: readonly SummarySample[],
	summary: Summary,
	seenAt: Instant,
): readonly SummarySample[] {
	const kept = history.filter((sample) => seenAt - sample.seenAt <= historySpan);
	return [...kept, {seenAt, summary}];
}
