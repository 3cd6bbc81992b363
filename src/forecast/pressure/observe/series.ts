import type {Summary} from '../../../core/nodepressure/summary.ts';
import type {Instant} from '../../../core/time/instant.ts';
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
