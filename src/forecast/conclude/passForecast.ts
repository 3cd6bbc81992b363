import {monitorWorkers} from '../../core/nodelifecycle/monitorPass.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import type {Interval} from '../observe/interval.ts';
import {passWrites} from '../observe/passWrites.ts';
import type {Range} from '../podForecast.ts';
import {laterUnknown} from '../simulate/chance.ts';
import type {Run} from '../simulate/ensemble.ts';
import type {Outcome} from '../simulate/outcome.ts';
import type {Situation} from '../situation.ts';
import {merge} from './merge.ts';

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

/** Tells how far a pass is that is under way; null where none is, or it is over at once. */
export function forecastPass(situation: Situation): PassForecast | null {
	const {ensemble, now} = situation;
	if (!ensemble.runningPass) return null;
	const {startedAt, marked, left} = ensemble.runningPass;
	const mayPause = !hasPaused(situation);
	const unknown = left.flatMap((_, index) => {
		const instants = ensemble.runs.map((run): Interval | undefined => {
			const at = unknownAt(run, index, now);
			return at && {lo: at.lo, hi: at.hi + (mayPause ? batchOf(run) : 0)};
		});
		return merge(instants, batchSlack).range ?? [];
	});
	return {startedAt, marked: marked.length, left: left.length, unknown, endsAt: unknown.at(-1) ?? null};
}

/** Whether a first pass is over, and the one is under way that takes those that it passed by. */
function hasPaused({ensemble, evidence, settings}: Situation): boolean {
	const pass = ensemble.runningPass;
	const writes = pass && passWrites(pass.marked, evidence, settings.nodeMonitorPeriod);
	return (
		pass !== undefined && writes !== undefined && writes.first > pass.startedAt + settings.nodeMonitorPeriod
	);
}

/** How long a run's pass is busy with the nodes that it looks at side by side: a pass may end with fewer of them. */
function batchOf({outcome}: Run): Duration {
	const times = [...outcome.unknown.values()];
	if (times.length <= monitorWorkers) return 0;
	return (monitorWorkers * (Math.max(...times) - Math.min(...times))) / (times.length - monitorWorkers);
}

/** How far a pass may get ahead of a run of it, or fall behind, for each second that it lasts. */
const drift = 0.02;

/** A long pass comes to its nodes in batches: the next one may begin that much sooner or later than one list tells. */
export const batchSlack: Duration = 1.5 * second;

/** Each of a run's nodes asks for them: they are sorted once. */
const sorted = new WeakMap<Outcome, readonly Instant[]>();

function instantsOf(outcome: Outcome): readonly Instant[] {
	const instants = sorted.get(outcome) ?? [...outcome.unknown.values()].toSorted((a, b) => a - b);
	sorted.set(outcome, instants);
	return instants;
}

/** When a run's pass comes to one of the nodes that it has still to come to, counted from zero. */
export function unknownAt({outcome, left}: Run, index: number, now: Instant): Interval | undefined {
	const instants = instantsOf(outcome);
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
