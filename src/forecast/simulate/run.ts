import {kept} from '../../core/collections/kept.ts';
import {isReadyNode} from '../../core/model/node.ts';
import {zoneKey} from '../../core/model/zone.ts';
import {beginningOfTime, type Instant, never} from '../../core/time/instant.ts';
import type {Hypothesis} from '../infer/hypothesis.ts';
import type {Inferred} from '../infer/inferred.ts';
import {lastPass, type PassSchedule, passAfter, passAtOrAfter, passesBefore} from '../infer/passSchedule.ts';
import {lastAllDown, lastMaybeAllDown, zonesAt} from '../infer/zonePast.ts';
import type {Interval} from '../observe/interval.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {isSilent, mayLive} from '../observe/nodes/nodeLiveness.ts';
import {type BriefTaint, briefTaints} from './briefTaints.ts';
import {type OrderedWait, rangesInTurn, taintRanges, tokensBetween, unknownRanges} from './chance.ts';
import type {InterchangeableNodes} from './interchangeableNodes.ts';
import type {PassRun} from './passRun.ts';
import {isThroughThrottledPass} from './slowedZone.ts';
import {type TaintBounds, taintBoundsOf} from './taintBounds.ts';
import {taintBoundsByChance} from './taintBoundsByChance.ts';
import {type TaintUncertainty, taintUncertaintyOf} from './taintUncertainty.ts';
import {duesIn, lastTaint, type Outcome, outcomeOf, type Trajectory} from './trajectory.ts';

/** What a hypothesis led to. */
export type Led = {readonly trajectory: Trajectory; readonly hypothesis: Hypothesis};

/** One trajectory, and the ranges that chance leaves in it; each is worked out once it is asked for. */
export class Run implements PassRun {
	readonly trajectory: Trajectory;
	readonly #schedule: PassSchedule;
	readonly #siblings: Siblings;
	readonly #uncertainties = new Map<string, TaintUncertainty>();
	readonly #ofGroups = new Map<InterchangeableNodes, readonly TaintBounds[]>();
	#outcome: Outcome | undefined;
	#turns: readonly Instant[] | undefined;
	#unreached: readonly string[] | undefined;
	#unknown: ReadonlyMap<string, Interval> | undefined;
	#waits: ReadonlyMap<string, readonly OrderedWait[]> | undefined;
	#tainted: ReadonlyMap<string, Interval> | undefined;
	#brief: ReadonlyMap<string, readonly BriefTaint[]> | undefined;

	constructor({trajectory, hypothesis}: Led, siblings: Siblings) {
		this.trajectory = trajectory;
		this.#schedule = hypothesis.schedule;
		this.#siblings = siblings;
	}

	get outcome(): Outcome {
		this.#outcome ??= outcomeOf(this.trajectory);
		return this.#outcome;
	}

	get turns(): readonly Instant[] {
		this.#turns ??= [...this.outcome.unknown.values()].toSorted((a, b) => a - b);
		return this.#turns;
	}

	get unreached(): readonly string[] {
		this.#unreached ??= this.#findUnreached();
		return this.#unreached;
	}

	get unknown(): ReadonlyMap<string, Interval> {
		const {trajectory, outcome, unreached} = this;
		const {graceEnds} = this.#siblings;
		// Between two passes, the next one comes to those that are unreached.
		const endsAt = trajectory.endsAt + (trajectory.isPassing ? 0 : this.#schedule.period);
		this.#unknown ??= unknownRanges({
			...{times: outcome.unknown, passStarts: trajectory.passStarts},
			...{unreached, endsAt, graceEnds},
		});
		return this.#unknown;
	}

	/** The nodes that wait for a taint, by zone. */
	get waits(): ReadonlyMap<string, readonly OrderedWait[]> {
		this.#waits ??= Map.groupBy(this.#findWaits(), ({zone}) => zone);
		return this.#waits;
	}

	/** When a node gets the NoExecute taint that it has at the end, whatever the order. */
	get tainted(): ReadonlyMap<string, Interval> {
		this.#tainted ??= this.#findTainted();
		return this.#tainted;
	}

	/** The taints that are to come and to go again. */
	get brief(): ReadonlyMap<string, readonly BriefTaint[]> {
		const {affected, settings} = this.#siblings.state;
		this.#brief ??= briefTaints(this.outcome, affected, settings);
		return this.#brief;
	}

	/** Whether the controllers have still to come to their first pass. */
	get isBeforeFirstPass(): boolean {
		return lastPass(this.#schedule) === undefined;
	}

	/** How many passes come before a node may first turn Unknown; undefined where it does not. */
	passesBeforeTurn(node: string): number | undefined {
		const at = this.unknown.get(node)?.lo;
		return at === undefined ? undefined : passesBefore(at, this.#schedule);
	}

	/** How far a throttled pass may move the taints of a zone; undefined where there is none. */
	uncertaintyOf(zone: string): TaintUncertainty | undefined {
		const {state} = this.#siblings;
		if (!state.settings.taintBasedEvictions || !isThroughThrottledPass(zone, this, state)) return undefined;
		return kept(this.#uncertainties, zone, () => taintUncertaintyOf(zone, this, state));
	}

	/**
	 * What may happen to the taints of a node.
	 *
	 * @param now a moment after the run was made, where the node was seen since
	 */
	taintBoundsOf(one: NodeEvidence, now: Instant): readonly TaintBounds[] {
		const {name} = one.node;
		const group = this.#siblings.groups.get(name);
		if (!group) return this.#byChance(one, now);
		return kept(this.#ofGroups, group, () => this.#ofGroup(group));
	}

	#ofGroup(group: InterchangeableNodes): readonly TaintBounds[] {
		const {passes, settings, affected} = this.#siblings.state;
		// How late a taint may be is of no interest where it is asked whether there is one.
		const uncertainty = this.#siblings.isFocused ? undefined : this.uncertaintyOf(group.zone);
		const passFrom = (at: Instant) => passAtOrAfter(this.#schedule, at);
		const zoneNodes = () =>
			affected.nodes.flatMap(({node}) =>
				zoneKey(node) === group.zone ? (this.trajectory.nodes.get(node.name) ?? []) : [],
			);
		const uncertain = {phaseSpacing: passes.phaseSpacing, uncertainty, passFrom, zoneNodes};
		return taintBoundsOf(group, this.trajectory, uncertain, !settings.taintBasedEvictions);
	}

	#byChance(one: NodeEvidence, now: Instant): readonly TaintBounds[] {
		const {passes, settings} = this.#siblings.state;
		const {name} = one.node;
		const trajectory = this.trajectory.nodes.get(name);
		if (!trajectory) return [];
		return taintBoundsByChance({
			trajectory,
			spells: this.outcome.spells.get(name) ?? [],
			tainted: this.tainted.get(name),
			brief: this.brief.get(name) ?? [],
			phaseSpacing: passes.phaseSpacing,
			spacingOfTaints: this.#siblings.isSupposed || isSilent(one, now) ? passes.phaseSpacing : 0,
			withoutTaints: !settings.taintBasedEvictions,
		});
	}

	/** The silent nodes that a pass has not come to when the run ends. */
	#findUnreached(): readonly string[] {
		const {affected, now} = this.#siblings.state;
		const {unknown} = this.outcome;
		return affected.nodes
			.filter(
				(one) =>
					isSilent(one, now) &&
					!mayLive(one, now) &&
					isReadyNode(one.node) &&
					!unknown.has(one.node.name) &&
					this.trajectory.nodes.get(one.node.name)?.isUnreached === true,
			)
			.map(({node}) => node.name);
	}

	#findTainted(): ReadonlyMap<string, Interval> {
		const {settings} = this.#siblings.state;
		const isInTurn = !settings.taintBasedEvictions && this.#siblings.areInTurn;
		return new Map(
			[...this.waits].flatMap(([zone, waits]) => {
				const later = this.trajectory.tokens.get(zone);
				const between = this.#siblings.tokensOf(zone);
				const ranges = isInTurn
					? rangesInTurn(waits, later, this.#schedule.period, between)
					: taintRanges(waits, later, between);
				const uncertainty = this.uncertaintyOf(zone);
				return uncertainty
					? [...ranges].map(([node, range]) => [node, uncertainty.widen(range)] as const)
					: [...ranges];
			}),
		);
	}

	#findWaits(): readonly (OrderedWait & {readonly zone: string})[] {
		const {trajectory, outcome, unreached} = this;
		const {affected, now} = this.#siblings.state;
		const {dues} = this.#siblings;
		const waiting = new Set([...unreached, ...[...trajectory.waiting.values()].flat()]);
		return affected.nodes.flatMap(({node}) => {
			const taintedAt = lastTaint(outcome, node.name, now);
			if (taintedAt === undefined && !waiting.has(node.name)) return [];
			// One that is not ready waits already, though it may still turn Unknown: its taint is swapped then.
			const mayJoinAt = isReadyNode(node) ? this.#mayJoinAt(node.name) : now;
			const again = this.#queuedAgainAt(node.name);
			const joinedAt = again ?? Math.max(mayJoinAt, dues.get(node.name)?.lo ?? now);
			const due = (again === undefined ? dues.get(node.name) : undefined) ?? {
				lo: joinedAt,
				hi: never,
			};
			return [{node: node.name, zone: zoneKey(node), joinedAt, taintedAt, due}];
		});
	}

	/** Without taints, a node that was evicted before waits once more when all zones are down: at the end at the latest. */
	#queuedAgainAt(node: string): Instant | undefined {
		const {queued, endsAt} = this.trajectory;
		const [first] = this.outcome.spells.get(node) ?? [];
		const wasEvicted = first?.from === beginningOfTime && first.to === undefined;
		return wasEvicted && !queued.has(node) ? endsAt : undefined;
	}

	/** When a node may join its zone's queue: in as early a pass as in any of the siblings. */
	#mayJoinAt(node: string): Instant {
		const [turnsAt, firstPass] = [this.unknown.get(node)?.lo, this.#siblings.firstPasses.get(node)];
		if (turnsAt === undefined || firstPass === undefined) return this.#siblings.state.now;
		const isEarlier = firstPass < passesBefore(turnsAt, this.#schedule);
		return isEarlier ? passAfter(firstPass, this.#schedule) : turnsAt;
	}
}

/**
 * All runs that try one instant for the next pass. They differ in the other unknowns: each puts those of all nodes at their
 * earliest, or all at their latest. A single node may join its zone's queue in as early a pass as in any of them.
 */
export class Siblings {
	readonly state: Inferred;
	/** Nodes that chance may put in each other's place, by name: those of zones that are not left to themselves. */
	readonly groups: ReadonlyMap<string, InterchangeableNodes>;
	/** Whether changes are supposed, so that fewer instants of the passes are tried for all nodes. */
	readonly isSupposed: boolean;
	/** Whether it is only asked of one node whether its pods go. */
	readonly isFocused: boolean;
	readonly #led: readonly Led[];
	readonly runs: readonly Run[];
	readonly #tokens = new Map<string, readonly Interval[]>();
	#graceEnds: ReadonlyMap<string, Instant> | undefined;
	#firstPasses: ReadonlyMap<string, number> | undefined;
	#dues: ReadonlyMap<string, Interval> | undefined;
	#areInTurn: boolean | undefined;

	constructor(
		led: readonly Led[],
		groups: readonly InterchangeableNodes[],
		state: Inferred,
		asked: {readonly isSupposed: boolean; readonly isFocused: boolean},
	) {
		this.state = state;
		this.groups = new Map(groups.flatMap((group) => group.nodes.map((node) => [node, group] as const)));
		this.isSupposed = asked.isSupposed;
		this.isFocused = asked.isFocused;
		this.#led = led;
		this.runs = led.map((one) => new Run(one, this));
	}

	/** When each node's grace period is over at the earliest. */
	get graceEnds(): ReadonlyMap<string, Instant> {
		const {affected, settings} = this.state;
		this.#graceEnds ??= new Map(
			affected.nodes.map(({node: {name}, renewedAt, heartbeatAt}) => [
				name,
				((renewedAt ?? heartbeatAt)?.lo ?? beginningOfTime) + settings.nodeMonitorGracePeriod,
			]),
		);
		return this.#graceEnds;
	}

	/** The fewest passes that come before each node turns Unknown. */
	get firstPasses(): ReadonlyMap<string, number> {
		if (this.#firstPasses) return this.#firstPasses;
		const first = new Map<string, number>();
		for (const run of this.runs)
			for (const node of run.unknown.keys()) {
				const passes = run.passesBeforeTurn(node) ?? Number.POSITIVE_INFINITY;
				first.set(node, Math.min(passes, first.get(node) ?? Number.POSITIVE_INFINITY));
			}
		this.#firstPasses = first;
		return first;
	}

	/** From when to when each token of a zone comes by these runs. */
	tokensOf(zone: string): readonly Interval[] {
		return kept(this.#tokens, zone, () => tokensBetween(zone, this.runs));
	}

	/** Without taints, when the time of each node is over. */
	get dues(): ReadonlyMap<string, Interval> {
		this.#dues ??= duesIn(this.#led.map(({trajectory}) => trajectory));
		return this.#dues;
	}

	/**
	 * Whether those that wait have their turns in the order in which their times ended. Not where one may leave the queue,
	 * nor after a time in which every zone was down: all were queued anew when that began.
	 */
	get areInTurn(): boolean {
		this.#areInTurn ??=
			this.runs.every(({outcome}) => outcome.ready.size === 0) &&
			this.#led.every(({hypothesis}) => this.#wereNotAllDown(hypothesis.schedule));
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
