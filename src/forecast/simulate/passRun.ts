import type {Duration, Instant} from '../../core/time/instant.ts';
import type {Inferred} from '../infer/inferred.ts';
import type {PassState} from '../infer/latePass.ts';
import type {Interval} from '../observe/interval.ts';
import {once} from '../once.ts';
import {laterUnknown} from './chance.ts';
import type {Outcome} from './trajectory.ts';

/** What is known of the passes, of the nodes that they come to, and of the zones that they judge. */
export type SlowedState = PassState & Pick<Inferred, 'zones'>;

/** How far the passes of a run come. */
export type PassRun = {
	readonly outcome: Outcome;
	/** The silent nodes that a pass has not come to when the run ends. */
	readonly left: readonly string[];
	/** When each node turns Unknown, whatever the order. */
	readonly unknown: ReadonlyMap<string, Interval>;
};

/** How far a pass may get ahead of a run of it, or fall behind, for each second that it lasts. */
const drift = 0.02;

const findInstants = ({unknown}: Outcome): readonly Instant[] =>
	[...unknown.values()].toSorted((a, b) => a - b);

/** When a run's pass comes to one of the nodes that it has still to come to, counted from zero. */
export function unknownAt({outcome, left}: PassRun, index: number, now: Instant): Interval | undefined {
	const instants = once(findInstants, outcome);
	const at = instants[index];
	if (at !== undefined) return widened({lo: at, hi: at}, at - now);
	if (left.length === 0) return undefined;
	const later = laterUnknown(instants, index + 1 - instants.length, outcome.endsAt);
	return widened(later, outcome.endsAt - now);
}

const widened = ({lo, hi}: Interval, lasting: Duration): Interval => ({
	lo: lo - lasting * drift,
	hi: hi + lasting * drift,
});
