import {monitorWorkers} from '../../core/nodelifecycle/monitorPass.ts';
import {type Duration, second} from '../../core/time/instant.ts';
import type {PassForecast} from '../forecast.ts';
import {writesOf} from '../infer/latePass.ts';
import type {Interval} from '../observe/interval.ts';
import {unknownAt} from '../simulate/passRun.ts';
import type {Run} from '../simulate/run.ts';
import type {Simulated} from '../simulate/simulated.ts';
import {merge} from './merge.ts';

/** Tells how far a pass is that is under way; null where none is, or it is over at once. */
export function forecastPass(situation: Simulated): PassForecast | null {
	const {passes, runs, now, leader} = situation;
	if (!passes.throttledPass || leader.type === 'absent') return null;
	const {startedAt, marked, left} = passes.throttledPass;
	const mayPause = !hasPaused(situation);
	const unknown = left.flatMap((_, index) => {
		const instants = runs.map((run): Interval | undefined => {
			const at = unknownAt(run, index, now);
			return at && {lo: at.lo, hi: at.hi + (mayPause ? batchOf(run) : 0)};
		});
		return merge(instants, batchSlack).range ?? [];
	});
	return {startedAt, marked: marked.length, left: left.length, unknown, endsAt: unknown.at(-1) ?? null};
}

/** Whether a first pass is over, and the one is under way that takes those that it passed by. */
function hasPaused(situation: Simulated): boolean {
	const {passes, settings} = situation;
	const pass = passes.throttledPass;
	const writes = writesOf(situation);
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

/** A long pass comes to its nodes in batches: the next one may begin that much sooner or later than one list tells. */
export const batchSlack: Duration = 1.5 * second;
