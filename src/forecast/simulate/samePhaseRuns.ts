import {maxOf, minOf} from '../../core/collections/extremes.ts';
import {kept} from '../../core/collections/kept.ts';
import {isReadyNode} from '../../core/model/node.ts';
import {zoneKey} from '../../core/model/zone.ts';
import {beginningOfTime, type Instant, never} from '../../core/time/instant.ts';
import type {Inferred} from '../infer/inferred.ts';
import {lastPass, type PassSchedule, passAfter, passesBefore} from '../infer/passSchedule.ts';
import {lastAllDown, lastMaybeAllDown, zonesAt} from '../infer/zonePast.ts';
import {type Interval, width} from '../observe/interval.ts';
import type {OrderedWait} from './chance.ts';
import type {InterchangeableNodes} from './interchangeableNodes.ts';
import {batchSlack, longPassFrom, type PassRun} from './passRun.ts';
import {duesIn, lastTaint} from './trajectory.ts';

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
	readonly state: Inferred;
	/** The interchangeable nodes, by name: those of zones that changes affect. */
	readonly groups: ReadonlyMap<string, InterchangeableNodes>;
	readonly asked: Asked;
	readonly #runs: readonly PassRun[];
	readonly #waits = new Map<PassRun, ReadonlyMap<string, readonly OrderedWait[]>>();
	#turnPasses: ReadonlyMap<string, Interval> | undefined;
	#dues: ReadonlyMap<string, Interval> | undefined;
	#areInTurn: boolean | undefined;

	constructor(
		runs: readonly PassRun[],
		groups: readonly InterchangeableNodes[],
		state: Inferred,
		asked: Asked,
	) {
		this.state = state;
		this.groups = new Map(groups.flatMap((group) => group.nodes.map((node) => [node, group] as const)));
		this.asked = asked;
		this.#runs = runs;
	}

	/** How many passes come before each node turns Unknown: the fewest and the most. */
	get turnPasses(): ReadonlyMap<string, Interval> {
		if (this.#turnPasses) return this.#turnPasses;
		const turns = new Map<string, Interval>();
		for (const run of this.#runs)
			for (const node of run.unknown.keys()) {
				const passes = run.passesBeforeTurn(node) ?? never;
				const {lo, hi} = turns.get(node) ?? {lo: passes, hi: passes};
				turns.set(node, {lo: Math.min(lo, passes), hi: Math.max(hi, passes)});
			}
		this.#turnPasses = turns;
		return turns;
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

	/** The nodes that wait for a taint in a run, by zone. */
	waitsOf(run: PassRun): ReadonlyMap<string, readonly OrderedWait[]> {
		return kept(this.#waits, run, () => Map.groupBy(this.#findWaits(run), ({zone}) => zone));
	}

	/** The nodes that wait for a taint in a run, each with its zone and from when on. */
	#findWaits(run: PassRun): readonly (OrderedWait & {readonly zone: string})[] {
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
			const time = this.dues.get(name);
			// One that is not ready waits already, though it may still turn Unknown: its taint is swapped then.
			const joinedAt = again ?? Math.max(isReadyNode(node) ? mayJoinAt(name) : now, time?.lo ?? now);
			const due = (again === undefined ? time : undefined) ?? {lo: joinedAt, hi: never};
			return [{node: name, zone: zoneKey(node), joinedAt, taintedAt, due}];
		});
	}

	/** Without taints, when the timeout of each node ends. */
	get dues(): ReadonlyMap<string, Interval> {
		this.#dues ??= duesIn(this.#runs.map(({trajectory}) => trajectory));
		return this.#dues;
	}

	/**
	 * Whether waiting nodes are evicted in the order in which their timeouts ended. Not if a node may leave the queue, nor after
	 * a time in which every zone was down: its beginning queued all nodes again.
	 */
	get areInTurn(): boolean {
		this.#areInTurn ??=
			this.#runs.every(({outcome}) => outcome.ready.size === 0) &&
			this.#runs.every(({schedule}) => this.#wereNotAllDown(schedule));
		return this.#areInTurn;
	}

	#wereNotAllDown(schedule: PassSchedule): boolean {
		const {affected, settings} = this.state;
		const last = lastPass(schedule);
		return (
			last !== undefined &&
			lastMaybeAllDown(affected, settings) === beginningOfTime &&
			lastAllDown(zonesAt(last, affected, settings), affected, settings) === beginningOfTime
		);
	}
}

/** Without taints, a node that was evicted before waits once more when all zones are down: at the end at the latest. */
function queuedAgainAt(node: string, {trajectory: {queued, endsAt}, outcome}: PassRun): Instant | undefined {
	const [first] = outcome.spells.get(node) ?? [];
	const wasEvicted = first?.from === beginningOfTime && first.to === undefined;
	return wasEvicted && !queued.has(node) ? endsAt : undefined;
}
