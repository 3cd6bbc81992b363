import type {Summary} from '../../../core/nodepressure/summary.ts';
import type {FileSystems} from '../../../core/nodepressure/thresholds/containerFsThresholds.ts';
import {observeSignals} from '../../../core/nodepressure/thresholds/observations.ts';
import type {Signal} from '../../../core/nodepressure/thresholds/signal.ts';
import type {Instant} from '../../../core/time/instant.ts';
import {type GonePod, isGoing, usageOfGone} from './gonePods.ts';
import type {SummarySample} from './pressureEvidence.ts';
import type {Point} from './trend.ts';

/** The measurements of one amount, oldest first; one that came several times counts once, by its own time or its arrival. */
export function pointsOf(
	samples: readonly SummarySample[],
	read: (
		summary: Summary,
		seenAt: Instant,
	) => {readonly value: bigint; readonly time?: Instant | undefined} | undefined,
): readonly Point[] {
	const points = new Map<Instant, Point>();
	for (const {seenAt, summary} of samples) {
		const found = read(summary, seenAt);
		if (!found) continue;
		// A clock that is ahead of ours would date a measurement after its arrival.
		const at = Math.min(found.time ?? seenAt, seenAt);
		points.set(at, {at, value: Number(found.value)});
	}
	return [...points.values()].toSorted((a, b) => a.at - b.at);
}

/** The measurements of a signal as if the gone pods had never existed, without those that fell into the pods' ends. */
export function signalPoints(
	samples: readonly SummarySample[],
	signal: Signal,
	gone: readonly GonePod[],
	fileSystems: FileSystems,
): readonly Point[] {
	return pointsOf(samples, (summary, seenAt) => {
		const observed = observeSignals(summary).get(signal);
		const at = Math.min(observed?.time ?? seenAt, seenAt);
		if (!observed || gone.some((one) => isGoing(one, signal, at))) return undefined;
		const taken = gone
			.filter(({history}) => summary.pods.some(({uid}) => uid === history.newest.uid))
			.reduce((sum, one) => sum + usageOfGone(one, signal, at, fileSystems), 0n);
		return {value: observed.available + taken, time: observed.time};
	});
}
