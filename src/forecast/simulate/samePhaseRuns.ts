import {maxOf, minOf} from '../../core/collections/extremes.ts';
import {isReadyNode} from '../../core/model/node.ts';
import {zoneKey} from '../../core/model/zone.ts';
import {beginningOfTime, type Instant, never} from '../../core/time/instant.ts';
import type {Inferred} from '../infer/inferred.ts';
import {lastPass, passAfter, passesBefore} from '../infer/passSchedule.ts';
import {lastAllDown, lastMaybeAllDown, zonesAt} from '../infer/zonePast.ts';
import {type Interval, spansOf, width} from '../observe/interval.ts';
import type {Wait} from './chance.ts';
import type {InterchangeableNodes} from './interchangeableNodes.ts';
import {batchSlack, longPassFrom, type PassRun} from './passRun.ts';
import {lastTaint} from './trajectory.ts';

/** What the runs are for. */
export type Asked = {
	/** Whether changes are supposed: then fewer instants of the passes are tried for all nodes. */
	readonly isSupposed: boolean;
	/** Whether the only question is whether the pods of one node are deleted. */
	readonly isFocused: boolean;
};

/**
 * All runs that try one instant for the next pass. They differ in the other unknowns: each takes those of all nodes at their
 * earliest, or all at their latest. A single node may join its zone's queue in as early a pass as in any of them.
 */
export class SamePhaseRuns {
	/** The interchangeable nodes, by name: those of zones that changes affect. */
	readonly groups: ReadonlyMap<string, InterchangeableNodes>;
	readonly asked: Asked;
	/** How many passes come before each node turns Unknown: the fewest and the most. */
	readonly turnPasses: ReadonlyMap<string, Interval>;
	/** Without taints, whether waiting nodes are evicted in the order in which their timeouts ended. */
	readonly areInTurn: boolean;
	readonly #runs: readonly PassRun[];
	/** Without taints, when the timeout of each node ends. */
	readonly #dues: ReadonlyMap<string, Interval>;

	constructor(
		runs: readonly PassRun[],
		groups: readonly InterchangeableNodes[],
		state: Inferred,
		asked: Asked,
	) {
		this.groups = new Map(groups.flatMap((group) => group.nodes.map((node) => [node, group] as const)));
		this.asked = asked;
		this.#runs = runs;
		this.areInTurn = areInTurn(runs, state);
		this.turnPasses = spansOf(
			runs.flatMap(({unknown, schedule}) =>
				[...unknown].map(([node, {lo}]) => [node, passesBefore(lo, schedule)] as const),
			),
		);
		this.#dues = spansOf(runs.flatMap(({trajectory}) => [...trajectory.due]));
	}

	/**
	 * When a node turns Unknown in a run. The other nodes are all early in it, or all late: if some are early and some late, the
	 * pass before a long one ends when that of another run does, and the long one as well.
	 */
	turnOf(node: string, run: PassRun): Interval | undefined {
		const own = run.unknown.get(node);
		if (!own || width(own) <= longPassFrom) return own;
		const until = own.hi + run.schedule.period;
		const ends = this.#runs.map(
			({passes}) => passes.find(({lo}) => lo >= own.lo && lo <= until)?.hi ?? own.hi,
		);
		return {lo: own.lo, hi: maxOf(ends, own.hi) + batchSlack};
	}

	/** The nodes that wait for a taint in a run, each with its zone and from when on. */
	waitsOf(run: PassRun): readonly (Wait & {readonly zone: string})[] {
		const {trajectory, schedule, outcome, unreached} = run;
		const {affected, now} = run.state;
		const waiting = new Set([...unreached, ...[...trajectory.waiting.values()].flat()]);
		// In as early a pass as in any of the runs, and no sooner than in all of them.
		const mayJoinAt = (node: string): Instant => {
			const [turnsAt, firstPass] = [run.unknown.get(node)?.lo, this.turnPasses.get(node)?.lo];
			if (turnsAt === undefined || firstPass === undefined) return now;
			if (firstPass >= passesBefore(turnsAt, schedule)) return turnsAt;
			const turns = this.#runs.map(({unknown}) => unknown.get(node)?.lo ?? turnsAt);
			return Math.max(passAfter(firstPass, schedule), minOf(turns));
		};
		return affected.nodes.flatMap(({node}) => {
			const {name} = node;
			const taintedAt = lastTaint(outcome, name, now);
			if (taintedAt === undefined && !waiting.has(name)) return [];
			const again = queuedAgainAt(name, run);
			const time = this.#dues.get(name);
			// One that is not ready waits already, though it may still turn Unknown: its taint is swapped then.
			const joinedAt = again ?? Math.max(isReadyNode(node) ? mayJoinAt(name) : now, time?.lo ?? now);
			const due = (again === undefined ? time : undefined) ?? {lo: joinedAt, hi: never};
			return [{node: name, zone: zoneKey(node), joinedAt, taintedAt, due}];
		});
	}
}

/**
 * Without taints, whether waiting nodes are evicted in the order in which their timeouts ended. Not if a node may leave the queue, nor after
 * a time in which every zone was down: its beginning queued all nodes again.
 */
function areInTurn(runs: readonly PassRun[], {affected, settings}: Inferred) {
	if (settings.taintBasedEvictions || lastMaybeAllDown(affected, settings) !== beginningOfTime) return false;
	return runs.every(({outcome, schedule}) => {
		const last = lastPass(schedule);
		if (last === undefined || outcome.ready.size > 0) return false;
		return lastAllDown(zonesAt(last, affected, settings), affected, settings) === beginningOfTime;
	});
}

/** Without taints, a node that was evicted before waits once more when all zones are down: at the end at the latest. */
function queuedAgainAt(node: string, {trajectory: {queued, endsAt}, outcome}: PassRun): Instant | undefined {
	const [first] = outcome.spells.get(node) ?? [];
	const wasEvicted = first?.from === beginningOfTime && first.to === undefined;
	return wasEvicted && !queued.has(node) ? endsAt : undefined;
}
