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
import {isWidenedByPass} from './slowedZone.ts';
import {type TaintBounds, taintBoundsOf} from './taintBounds.ts';
import {taintBoundsByChance} from './taintBoundsByChance.ts';
import {type TaintUncertainty, taintUncertaintyOf} from './taintUncertainty.ts';
import {duesIn, type Outcome, outcomeOf, type Trajectory} from './trajectory.ts';
import {waitsOf} from './waits.ts';

/** The trajectory of a hypothesis. */
export type Led = {readonly trajectory: Trajectory; readonly hypothesis: Hypothesis};

/** One trajectory, and the ranges that random order leaves open in it; each is computed on demand. */
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
		// Between two passes, the next one reaches the unreached nodes.
		const endsAt = trajectory.endsAt + (trajectory.isPassing ? 0 : this.#schedule.period);
		this.#unknown ??= unknownRanges({
			...{times: outcome.unknown, passStarts: trajectory.passStarts},
			...{unreached, endsAt, graceEnds},
		});
		return this.#unknown;
	}

	/** The nodes that wait for a taint, by zone. */
	get waits(): ReadonlyMap<string, readonly OrderedWait[]> {
		this.#waits ??= Map.groupBy(waitsOf(this, this.#schedule, this.#siblings), ({zone}) => zone);
		return this.#waits;
	}

	/** When a node gets the NoExecute taint that it has at the end, in whatever order. */
	get tainted(): ReadonlyMap<string, Interval> {
		this.#tainted ??= this.#findTainted();
		return this.#tainted;
	}

	/** The future taints that are removed again. */
	get brief(): ReadonlyMap<string, readonly BriefTaint[]> {
		const {affected, settings} = this.#siblings.state;
		const turnOf = (node: string) => {
			const passes = this.#siblings.turnPasses.get(node);
			return passes && {lo: passAfter(passes.lo, this.#schedule), hi: passAfter(passes.hi, this.#schedule)};
		};
		this.#brief ??= briefTaints({outcome: this.outcome, affected, settings, turnOf});
		return this.#brief;
	}

	/** Whether the controllers have not made their first pass yet. */
	get isBeforeFirstPass(): boolean {
		return lastPass(this.#schedule) === undefined;
	}

	/** How many passes precede the earliest turn of a node to Unknown; undefined if it does not turn. */
	passesBeforeTurn(node: string): number | undefined {
		const at = this.unknown.get(node)?.lo;
		return at === undefined ? undefined : passesBefore(at, this.#schedule);
	}

	/** How far a throttled pass may move the taints of a zone; undefined if there is none. */
	uncertaintyOf(zone: string): TaintUncertainty | undefined {
		const {state} = this.#siblings;
		if (!state.settings.taintBasedEvictions || !isWidenedByPass(zone, this, state)) return undefined;
		return kept(this.#uncertainties, zone, () => taintUncertaintyOf(zone, this, state));
	}

	/**
	 * The bounds of a node's taints.
	 *
	 * @param now may be a moment after the run was made, with newer evidence of the node
	 */
	taintBoundsOf(one: NodeEvidence, now: Instant): readonly TaintBounds[] {
		const {name} = one.node;
		const group = this.#siblings.groups.get(name);
		if (!group) return this.#byChance(one, now);
		return kept(this.#ofGroups, group, () => this.#ofGroup(group));
	}

	#ofGroup(group: InterchangeableNodes): readonly TaintBounds[] {
		const {passes, settings, affected} = this.#siblings.state;
		// How late a taint may be does not matter if the question is whether there is one.
		const uncertainty = this.#siblings.isFocused ? undefined : this.uncertaintyOf(group.zone);
		const passFrom = (at: Instant) => passAtOrAfter(this.#schedule, at);
		const zoneNodes = () =>
			affected.nodes.flatMap(({node}) =>
				zoneKey(node) === group.zone ? (this.trajectory.nodes.get(node.name) ?? []) : [],
			);
		const {period} = this.#schedule;
		const uncertain = {phaseSpacing: passes.phaseSpacing, period, uncertainty, passFrom, zoneNodes};
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

	/** The silent nodes that no pass has reached when the run ends. */
	#findUnreached(): readonly string[] {
		const {affected, now} = this.#siblings.state;
		const {nodes, isControlled} = this.trajectory;
		const {unknown} = this.outcome;
		if (!isControlled) return [];
		return affected.nodes
			.filter(
				(one) =>
					isSilent(one, now) &&
					!mayLive(one, now) &&
					isReadyNode(one.node) &&
					!unknown.has(one.node.name) &&
					nodes.get(one.node.name)?.isUnnoticed === true,
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
}

/**
 * All runs that try one instant for the next pass. They differ in the other unknowns: each takes those of all nodes at their
 * earliest, or all at their latest. A single node may join its zone's queue in as early a pass as in any of them.
 */
export class Siblings {
	readonly state: Inferred;
	/** The interchangeable nodes, by name: those of zones that changes affect. */
	readonly groups: ReadonlyMap<string, InterchangeableNodes>;
	/** Whether changes are supposed: then fewer instants of the passes are tried for all nodes. */
	readonly isSupposed: boolean;
	/** Whether the only question is whether the pods of one node are deleted. */
	readonly isFocused: boolean;
	readonly #led: readonly Led[];
	readonly runs: readonly Run[];
	readonly #tokens = new Map<string, readonly Interval[]>();
	#graceEnds: ReadonlyMap<string, Instant> | undefined;
	#turnPasses: ReadonlyMap<string, Interval> | undefined;
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

	/** The earliest end of each node's grace period. */
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

	/** How many passes come before each node turns Unknown: the fewest and the most. */
	get turnPasses(): ReadonlyMap<string, Interval> {
		if (this.#turnPasses) return this.#turnPasses;
		const turns = new Map<string, Interval>();
		for (const run of this.runs)
			for (const node of run.unknown.keys()) {
				const passes = run.passesBeforeTurn(node) ?? never;
				const {lo, hi} = turns.get(node) ?? {lo: passes, hi: passes};
				turns.set(node, {lo: Math.min(lo, passes), hi: Math.max(hi, passes)});
			}
		this.#turnPasses = turns;
		return turns;
	}

	/** The interval of each token of a zone over these runs. */
	tokensOf(zone: string): readonly Interval[] {
		return kept(this.#tokens, zone, () => tokensBetween(zone, this.runs));
	}

	/** Without taints, when the timeout of each node ends. */
	get dues(): ReadonlyMap<string, Interval> {
		this.#dues ??= duesIn(this.#led.map(({trajectory}) => trajectory));
		return this.#dues;
	}

	/**
	 * Whether waiting nodes are evicted in the order in which their timeouts ended. Not if a node may leave the queue, nor after
	 * a time in which every zone was down: its beginning queued all nodes again.
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
