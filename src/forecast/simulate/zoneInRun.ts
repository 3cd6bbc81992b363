import {compareValues} from '../../core/collections/compareValues.ts';
import {nodeEvictionPeriod} from '../../core/nodelifecycle/zones/rateLimitedTimedQueue.ts';
import type {Instant} from '../../core/time/instant.ts';
import type {Inferred} from '../infer/inferred.ts';
import {nodesIn} from '../observe/affectedNodes.ts';
import {hasEvictionStarted} from '../observe/countdowns/evictionStart.ts';
import {type Interval, point} from '../observe/interval.ts';
import {waitsForTaint} from '../observe/nodes/lifecycleTaint.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import type {PassRun} from './passRun.ts';

/** A zone in a run, of which the taints are wanted. */
export type ZoneInRun = Readonly<{
	run: PassRun;
	zone: string;
	/** What is known by now: a run may be a moment old. */
	situation: Inferred;
	/** The zone's affected nodes. */
	nodes: readonly NodeEvidence[];
	/** How many nodes of other zones the run's pass has still to reach. */
	othersAhead: number;
	/** The earliest instants at which those of the zone turn Unknown, in order. */
	turns: readonly Instant[];
}>;

export function zoneInRun(zone: string, run: PassRun, situation: Inferred): ZoneInRun {
	const {outcome, unreached, unknown} = run;
	const isUnreached = new Set(unreached);
	const nodes = nodesIn(zone, situation.affected);
	const names = nodes.flatMap((one) => (waitsForTaint(one) ? [] : one.node.name));
	const own = names.filter((name) => outcome.unknown.has(name) || isUnreached.has(name));
	const turns = names.flatMap((name) => unknown.get(name)?.lo ?? []).toSorted(compareValues);
	const othersAhead = outcome.unknown.size + unreached.length - own.length;
	return {run, zone, situation, nodes, othersAhead, turns};
}

/** The taints of a zone in one run, in order, whichever nodes get them. */
export const taintsOf = (inRun: ZoneInRun, most = Number.POSITIVE_INFINITY): readonly Interval[] =>
	[...taintsIn(inRun), ...taintsAfter(inRun, most)].slice(0, most);

function taintsIn({run, nodes, situation: {now, affected, settings}}: ZoneInRun): readonly Interval[] {
	const instants = nodes.flatMap((one) => {
		const spells = run.outcome.spells.get(one.node.name) ?? [];
		// A forecast may be a moment old: a taint that it predicted for before now, and that has not come yet, is due.
		const isOver = hasEvictionStarted(one, affected.evictionStarts, settings);
		const from = isOver ? now : Number.MIN_SAFE_INTEGER;
		return spells.flatMap((spell) => (spell.from >= from ? spell.from : []));
	});
	return instants.toSorted(compareValues).map(point);
}

/** The queue is processed only periodically: each token after the run may come that much later than the one before. */
function taintsAfter(
	{run: {trajectory, unreached}, zone, nodes}: ZoneInRun,
	most: number,
): readonly Interval[] {
	const tokens = trajectory.tokens.get(zone);
	if (!tokens) return [];
	const isUnreached = new Set(unreached);
	const taints =
		(trajectory.waiting.get(zone)?.length ?? 0) + nodes.filter(({node}) => isUnreached.has(node.name)).length;
	return Array.from({length: Math.min(taints, most)}, (_, n) => {
		const lo = tokens.first + n * tokens.every;
		return {lo, hi: lo + (n + 1) * nodeEvictionPeriod};
	});
}
