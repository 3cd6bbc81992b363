import {mapBy} from '../../../core/collections/mapBy.ts';
import {type Instant, oldestFirst} from '../../../core/time/instant.ts';
import type {Point} from './trend.ts';

/** An amount, when it was measured if that is told, and when it arrived. */
export type Measurement = {
	readonly value: bigint;
	readonly time?: Instant | undefined;
	readonly seenAt: Instant;
};

/** When something was measured; never after its arrival, as by a clock that is ahead of ours. */
export const whenMeasured = (time: Instant | undefined, seenAt: Instant): Instant =>
	Math.min(time ?? seenAt, seenAt);

/** The measurements of one amount, oldest first; one that came several times counts once, by its own time or its arrival. */
export function pointsOf(measurements: readonly Measurement[]): readonly Point[] {
	const points = measurements.map(({value, time, seenAt}) => ({
		at: whenMeasured(time, seenAt),
		value: Number(value),
	}));
	return [...mapBy(points, (point) => point.at).values()].toSorted(oldestFirst);
}
