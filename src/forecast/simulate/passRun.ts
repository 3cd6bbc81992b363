import type {Duration, Instant} from '../../core/time/instant.ts';
import type {Interval} from '../observe/interval.ts';
import {laterUnknown} from './chance.ts';
import type {Outcome, Trajectory} from './trajectory.ts';

/** How far the passes of a run get. */
export type PassRun = {
	readonly trajectory: Pick<Trajectory, 'tokens' | 'waiting' | 'endsAt'>;
	readonly outcome: Outcome;
	/** When nodes turn Unknown in the run, in order, whichever nodes. */
	readonly turns: readonly Instant[];
	/** The silent nodes that no pass has reached when the run ends. */
	readonly unreached: readonly string[];
	/** When each node turns Unknown, in whatever order. */
	readonly unknown: ReadonlyMap<string, Interval>;
};

/** How far a pass may get ahead of its run, or fall behind, per second of its duration. */
const drift = 0.02;

/** When a run's pass reaches the node with this index, from zero, among those that it has still to reach. */
export function unknownAt(
	{trajectory: {endsAt}, unreached, turns}: PassRun,
	index: number,
	now: Instant,
): Interval | undefined {
	const at = turns[index];
	if (at !== undefined) return widened({lo: at, hi: at}, at - now);
	if (unreached.length === 0) return undefined;
	const later = laterUnknown(turns, index + 1 - turns.length, endsAt);
	return widened(later, endsAt - now);
}

const widened = ({lo, hi}: Interval, lasting: Duration): Interval => ({
	lo: lo - lasting * drift,
	hi: hi + lasting * drift,
});
