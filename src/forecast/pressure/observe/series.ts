import type {Summary} from '../../../core/nodepressure/summary.ts';
import {observeSignals} from '../../../core/nodepressure/thresholds/observations.ts';
import type {Signal} from '../../../core/nodepressure/thresholds/signal.ts';
import type {Instant} from '../../../core/time/instant.ts';
import type {SummarySample} from './pressureEvidence.ts';
import {type Point, robustTrend, type Trend} from './trend.ts';

/**
 * What was measured of one thing, oldest first: a measurement that came several times counts once, by the time that it
 * carries, or where it has none by when it came.
 */
export function pointsOf(
	samples: readonly SummarySample[],
	read: (summary: Summary) => {readonly value: bigint; readonly time?: Instant | undefined} | undefined,
): readonly Point[] {
	const points = new Map<Instant, Point>();
	for (const {seenAt, summary} of samples) {
		const found = read(summary);
		if (!found) continue;
		// A clock that is ahead of ours would put a measurement after its arrival.
		const at = Math.min(found.time ?? seenAt, seenAt);
		points.set(at, {at, value: Number(found.value)});
	}
	return [...points.values()].toSorted((a, b) => a.at - b.at);
}

/** What was measured of a signal. */
export function signalPoints(samples: readonly SummarySample[], signal: Signal): readonly Point[] {
	return pointsOf(samples, (summary) => {
		const observed = observeSignals(summary).get(signal);
		return observed && {value: observed.available, time: observed.time};
	});
}

/** How a signal has been moving. */
export function signalTrend(samples: readonly SummarySample[], signal: Signal): Trend | undefined {
	return robustTrend(signalPoints(samples, signal));
}
