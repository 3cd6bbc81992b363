import {beginningOfTime, type Duration} from '../../core/time/instant.ts';
import {type Interval, point, width} from '../observe/interval.ts';
import {waitsForTaint} from '../observe/nodes/lifecycleTaint.ts';
import {longPassFrom, type PassRun, widened} from './passRun.ts';
import type {ZoneInRun} from './zoneInRun.ts';

/** Whether the pass of a run that turns nodes Unknown is a throttled one. */
export const hasThrottledPass = ({unreached, unknown}: PassRun) =>
	unreached.length > 0 || [...unknown.values()].some((range) => width(range) > longPassFrom);

/**
 * The order in which a throttled pass reaches the nodes is random. A taint can only be added to a node that is Unknown
 * already, and a zone's nodes may all come early in the pass, or all late.
 *
 * @param taints of the zone in the run, in order
 * @param every the time between two tokens
 */
export function inAnyOrder(
	taints: readonly Interval[],
	inRun: ZoneInRun,
	every: Duration,
): readonly Interval[] {
	const waiting = inRun.nodes.filter(waitsForTaint).length;
	const results: Interval[] = [];
	for (const [k, taint] of taints.entries()) {
		const before = results[k - 1];
		if (k < waiting) {
			results.push(taint);
			continue;
		}
		const arrival = arrivalOf(k - waiting, inRun);
		const isLate = before !== undefined && before.hi > (taints[k - 1]?.hi ?? 0);
		const soonest = Math.max(arrival.lo, (before?.lo ?? beginningOfTime) + every);
		results.push({
			lo: Math.min(taint.lo, soonest),
			hi: Math.max(taint.hi, arrival.hi, isLate ? before.hi + every : 0),
		});
	}
	return results;
}

/**
 * When the pass reaches one of a zone's nodes, counted from zero: nodes of other zones may come before it, or after. It comes
 * no sooner than its own grace period allows.
 */
export function arrivalOf(index: number, {run, turns, othersAhead, situation: {now}}: ZoneInRun): Interval {
	const turn = turns[index] ?? beginningOfTime;
	return {
		lo: Math.max(run.unknownAt(index, now)?.lo ?? now, widened(point(turn), turn - now).lo),
		hi: run.unknownAt(othersAhead + index, now)?.hi ?? beginningOfTime,
	};
}
