import {maxOf, minOf} from '../../core/collections/extremes.ts';
import type {Duration} from '../../core/time/instant.ts';
import type {PassForecast} from '../forecast.ts';
import type {Interval} from '../observe/interval.ts';
import {mayBeGone} from '../observe/leader.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import type {Range} from '../range.ts';
import {batchSlack} from '../simulate/passRun.ts';
import type {Run} from '../simulate/run.ts';
import type {Simulated} from '../simulate/simulated.ts';
import {type Merged, merge, mergeJointly} from './merge.ts';

/** How far the effects of a pass may be from the passes that were simulated. */
export const slackOf = ({throttledPass, phaseSpacing}: Simulated['passes']): Duration =>
	throttledPass ? Math.max(batchSlack, phaseSpacing) : phaseSpacing;

/** When a silent node is found not ready; undefined without the node lifecycle controller. */
export function turnsUnknown({node}: NodeEvidence, situation: Simulated): Merged | undefined {
	const {settings, passes, runs} = situation;
	if (!settings.nodeLifecycle) return undefined;
	const {range, happens} = mergeJointly(
		runs.map((run) => run.turnOf(node.name)),
		slackOf(passes),
		runs,
	);
	return {range: openEnded(range, node.name, situation), happens};
}

/** The progress of the pass under way; null if there is none, or it ends at once. */
export function forecastPass(situation: Simulated): PassForecast | null {
	const {passes, runs, now, leader, settings} = situation;
	if (!passes.throttledPass || leader.type === 'absent') return null;
	const {startedAt, marked, remaining} = passes.throttledPass;
	const mayPause = !situation.throttled.isSecond;
	const batches = runs.map((run) => (mayPause ? batchOf(run, settings) : 0));
	const unknown = remaining.flatMap((_, index) => {
		const instants = runs.map((run, tried): Interval | undefined => {
			const at = run.unknownAt(index, now);
			return at && {lo: at.lo, hi: at.hi + (batches[tried] ?? 0)};
		});
		return merge(instants, slackOf(passes), runs).range ?? [];
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
	return (monitorWorkers * (maxOf(times) - minOf(times))) / (times.length - monitorWorkers);
}

/**
 * If no controllers may run, it is unknown when others take over; if they do not act on a node, when they do so again: ranges
 * that depend on it have no end.
 */
export const openEnded = (
	range: Range | null,
	node: string,
	{leader, affected}: Pick<Simulated, 'leader' | 'affected'>,
): Range | null =>
	range && (mayBeGone(leader) || affected.overlooked.has(node)) ? range.until(null) : range;
