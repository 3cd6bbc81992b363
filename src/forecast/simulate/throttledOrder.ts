import {beginningOfTime, type Duration, type Instant} from '../../core/time/instant.ts';
import type {Inferred} from '../infer/inferred.ts';
import {type Interval, width} from '../observe/interval.ts';
import {waitsForTaint} from '../observe/nodes/lifecycleTaint.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {longPassFrom, type PassRun} from './passRun.ts';

/** A zone in a run, of which the taints are wanted. */
export type ZoneInRun = {
	readonly run: PassRun;
	readonly zone: string;
	/** The zone's affected nodes. */
	readonly nodes: readonly NodeEvidence[];
	readonly nodesAhead: NodesAhead;
	readonly situation: Inferred;
};

/** The nodes that a run's pass has still to reach. */
type NodesAhead = {
	/** How many, in all and in the zone. */
	readonly all: number;
	readonly own: number;
	/** The earliest instants at which those of the zone turn Unknown, in order. */
	readonly turns: readonly Instant[];
};

/** Whether the pass of a run that turns nodes Unknown is a throttled one. */
export const hasThrottledPass = ({unreached, unknown}: PassRun): boolean =>
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

/** @param nodes the zone's affected nodes */
export function nodesAheadOf(run: PassRun, nodes: readonly NodeEvidence[]): NodesAhead {
	const {outcome, unreached} = run;
	const isUnreached = new Set(unreached);
	const names = nodes.filter((one) => !waitsForTaint(one)).map(({node}) => node.name);
	const own = names.filter((name) => outcome.unknown.has(name) || isUnreached.has(name));
	return {
		all: outcome.unknown.size + unreached.length,
		own: own.length,
		turns: run.earliestTurns(names),
	};
}

/**
 * When the pass reaches one of a zone's nodes, counted from zero: nodes of other zones may come before it, or after. It comes
 * no sooner than its own grace period allows.
 */
export function arrivalOf(index: number, {run, nodesAhead, situation}: ZoneInRun): Interval {
	return {
		lo: Math.max(
			run.unknownAt(index, situation.now)?.lo ?? situation.now,
			run.earliestTurn(index, nodesAhead.turns, situation.now),
		),
		hi: run.unknownAt(nodesAhead.all - nodesAhead.own + index, situation.now)?.hi ?? beginningOfTime,
	};
}
