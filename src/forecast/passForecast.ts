import type {Duration, Instant} from '../core/time/instant.ts';
import {laterUnknown} from './chance.ts';
import type {Ensemble, Run} from './ensemble.ts';
import type {Interval} from './interval.ts';
import {merge} from './merge.ts';
import type {Range} from './podForecast.ts';

/** A monitor pass that throttling makes last: how far it is, and when it will have come how far. */
export type PassForecast = {
	readonly startedAt: Instant;
	/** How many nodes it has turned Unknown. */
	readonly marked: number;
	/** How many silent nodes it has still to come to. Which one is next is chance. */
	readonly left: number;
	/** When it turns the first of those Unknown, the second, and so on. */
	readonly unknown: readonly Range[];
	/** When it, or the next one, which takes the nodes that this one passed by, has come to the last of them. */
	readonly endsAt: Range | null;
};

/**
 * Tells how far a pass is that is under way; null where none is, or it is over at once.
 *
 * @param nodeMonitorPeriod what lies between its end and the next one, which takes those that it passed by
 */
export function forecastPass(
	{runs, runningPass}: Ensemble,
	nodeMonitorPeriod: Duration,
	now: Instant,
): PassForecast | null {
	if (!runningPass) return null;
	const {startedAt, marked, left, passedBy} = runningPass;
	const pause = passedBy.size > 0 ? nodeMonitorPeriod : 0;
	const unknown = left.flatMap((_, index) => {
		const {range} = merge(
			runs.map((run) => unknownAt(run, index, now)),
			0,
		);
		return range ? [{...range, latest: range.latest === null ? null : range.latest + pause}] : [];
	});
	return {startedAt, marked: marked.length, left: left.length, unknown, endsAt: unknown.at(-1) ?? null};
}

/** How far a pass may get ahead of a run of it, or fall behind, for each second that it lasts. */
const drift = 0.03;

/** When a run's pass comes to one of the nodes that it has still to come to, counted from zero. */
export function unknownAt({outcome, left}: Run, index: number, now: Instant): Interval | undefined {
	const instants = [...outcome.unknown.values()].toSorted((a, b) => a - b);
	const at = instants[index];
	if (at !== undefined) return {lo: at - (at - now) * drift, hi: at + (at - now) * drift};
	return left.length > 0 ? laterUnknown(instants, index + 1 - instants.length, outcome.endsAt) : undefined;
}
