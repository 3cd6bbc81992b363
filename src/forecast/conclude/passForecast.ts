import type {Duration} from '../../core/time/instant.ts';
import type {PassForecast} from '../forecast.ts';
import type {Interval} from '../observe/interval.ts';
import type {Run} from '../simulate/run.ts';
import type {Simulated} from '../simulate/simulated.ts';
import {merge} from './merge.ts';
import {slackOf} from './nodeTurn.ts';

/** The progress of the pass under way; null if there is none, or it ends at once. */
export function forecastPass(situation: Simulated): PassForecast | null {
	const {passes, runs, now, leader, settings} = situation;
	if (!passes.throttledPass || leader.type === 'absent') return null;
	const {startedAt, marked, remaining} = passes.throttledPass;
	const mayPause = !situation.throttled.isSecond;
	const unknown = remaining.flatMap((_, index) => {
		const instants = runs.map((run): Interval | undefined => {
			const at = run.unknownAt(index, now);
			return at && {lo: at.lo, hi: at.hi + (mayPause ? batchOf(run, settings) : 0)};
		});
		return merge(instants, slackOf(passes)).range ?? [];
	});
	return {
		startedAt,
		marked: marked.length,
		remaining: remaining.length,
		unknown,
		endsAt: unknown.at(-1) ?? null,
	};
}

/** How long a run's pass takes for the nodes that it processes concurrently: at its end there may be fewer. */
function batchOf({outcome}: Run, {monitorWorkers}: Simulated['settings']): Duration {
	const times = [...outcome.unknown.values()];
	if (times.length <= monitorWorkers) return 0;
	return (monitorWorkers * (Math.max(...times) - Math.min(...times))) / (times.length - monitorWorkers);
}
