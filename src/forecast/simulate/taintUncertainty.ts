import {zoneKey} from '../../core/model/zone.ts';
import {nodeEvictionPeriod} from '../../core/nodelifecycle/zones/rateLimitedTimedQueue.ts';
import type {Instant} from '../../core/time/instant.ts';
import type {Inferred} from '../infer/inferred.ts';
import {hasEvictionStarted} from '../observe/countdowns/evictionStart.ts';
import type {Interval} from '../observe/interval.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {firstAtOrAfter} from './chance.ts';
import type {PassRun} from './passRun.ts';
import {widenedByPass} from './slowedZone.ts';
import {nodesAheadOf} from './throttledOrder.ts';

/** How far a throttled pass may move the taints of a zone from their times in one run, whichever nodes get them. */
export class TaintUncertainty {
	readonly #instants: readonly Instant[];
	readonly #ranges: readonly Interval[];

	/**
	 * @param taints of a run, in order
	 * @param ranges in which each of them may come
	 */
	constructor(taints: readonly Interval[], ranges: readonly Interval[]) {
		this.#instants = taints.map(({lo}) => lo);
		this.#ranges = ranges;
	}

	/** The range of a node that may get any taint from the first to the last of a range. */
	widen({lo, hi}: Interval): Interval {
		const first = this.#ranges[firstAtOrAfter(this.#instants, lo)];
		const last = this.#ranges[firstAtOrAfter(this.#instants, hi + 1) - 1];
		return {lo: Math.min(lo, first?.lo ?? lo), hi: Math.max(hi, last?.hi ?? hi)};
	}
}

/** The uncertainty of a zone's taints in one run. */
export function taintUncertaintyOf(zone: string, run: PassRun): TaintUncertainty {
	const nodes = run.state.affected.nodes.filter(({node}) => zoneKey(node) === zone);
	const taints = taintsOfZone(zone, run, nodes, run.state);
	const nodesAhead = nodesAheadOf(run, nodes);
	return new TaintUncertainty(
		taints,
		widenedByPass(taints, {run, zone, nodes, nodesAhead, situation: run.state}),
	);
}

/** The taints of a zone in one run, in order, whichever nodes get them. */
export const taintsOfZone = (
	zone: string,
	run: PassRun,
	nodes: readonly NodeEvidence[],
	situation: Inferred,
	most = Number.POSITIVE_INFINITY,
): readonly Interval[] =>
	[...taintsIn(run, nodes, situation), ...taintsAfter(run, zone, nodes, most)].slice(0, most);

function taintsIn(
	{outcome}: PassRun,
	nodes: readonly NodeEvidence[],
	{now, affected, settings}: Inferred,
): readonly Interval[] {
	return nodes
		.flatMap((one) => {
			const spells = outcome.spells.get(one.node.name);
			if (!spells) return [];
			// A forecast may be a moment old: a taint that it predicted for before now, and that has not come yet, is due.
			const isOver = hasEvictionStarted(one, affected.evictionStarts, settings);
			const from = isOver ? now : Number.MIN_SAFE_INTEGER;
			return spells.filter((spell) => spell.from >= from);
		})
		.map(({from}) => from)
		.toSorted((a, b) => a - b)
		.map((at) => ({lo: at, hi: at}));
}

/** The queue is processed only periodically: each token after the run may come that much later than the one before. */
function taintsAfter(
	{trajectory, unreached}: PassRun,
	zone: string,
	nodes: readonly NodeEvidence[],
	most: number,
): readonly Interval[] {
	const tokens = trajectory.tokens.get(zone);
	if (!tokens) return [];
	const isUnreached = new Set(unreached);
	const waiting = trajectory.waiting.get(zone)?.length ?? 0;
	const taints =
		waiting + (unreached.length > 0 ? nodes.filter(({node}) => isUnreached.has(node.name)).length : 0);
	return Array.from({length: Math.min(taints, most)}, (_, n) => {
		const lo = tokens.first + n * tokens.every;
		return {lo, hi: lo + (n + 1) * nodeEvictionPeriod};
	});
}
