import {kept} from '../../core/collections/kept.ts';
import {zoneKey} from '../../core/model/zone.ts';
import {beginningOfTime, type Instant} from '../../core/time/instant.ts';
import type {Inferred} from '../infer/inferred.ts';
import {passAfter, passAtOrAfter} from '../infer/passSchedule.ts';
import type {Interval} from '../observe/interval.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {isSilent} from '../observe/nodes/nodeLiveness.ts';
import {type BriefTaint, briefTaints} from './briefTaints.ts';
import {rangesInTurn, taintRanges} from './chance.ts';
import type {InterchangeableNodes} from './interchangeableNodes.ts';
import {type HypothesisTrajectory, PassRun} from './passRun.ts';
import {type Asked, SamePhaseRuns} from './samePhaseRuns.ts';
import {isWidenedByPass} from './slowedZone.ts';
import {type TaintBounds, taintBoundsOf} from './taintBounds.ts';
import {taintBoundsByChance} from './taintBoundsByChance.ts';
import {type TaintUncertainty, taintUncertaintyOf} from './taintUncertainty.ts';

/** The runs of some trajectories that try one instant for the next pass. */
export function runsOf(
	followed: readonly HypothesisTrajectory[],
	groups: readonly InterchangeableNodes[],
	state: Inferred,
	asked: Asked,
): readonly Run[] {
	const graceEnds = graceEndsOf(state);
	const runs: readonly Run[] = followed.map((one) => new Run(one, state, graceEnds, () => samePhase));
	const samePhase = new SamePhaseRuns(runs, groups, state, asked);
	return runs;
}

/** The earliest end of each node's grace period. */
const graceEndsOf = ({affected, settings}: Inferred): ReadonlyMap<string, Instant> =>
	new Map(
		affected.nodes.map(({node: {name}, renewedAt, heartbeatAt}) => [
			name,
			((renewedAt ?? heartbeatAt)?.lo ?? beginningOfTime) + settings.nodeMonitorGracePeriod,
		]),
	);

/** One trajectory, and the ranges that random order and throttled passes leave open in it; each is computed on demand. */
export class Run extends PassRun {
	readonly #samePhaseOf: () => SamePhaseRuns;
	readonly #uncertainties = new Map<string, TaintUncertainty>();
	readonly #ofGroups = new Map<InterchangeableNodes, readonly TaintBounds[]>();
	#tainted: ReadonlyMap<string, Interval> | undefined;
	#brief: ReadonlyMap<string, readonly BriefTaint[]> | undefined;

	constructor(
		followed: HypothesisTrajectory,
		state: Inferred,
		graceEnds: ReadonlyMap<string, Instant>,
		samePhaseOf: () => SamePhaseRuns,
	) {
		super(followed, state, graceEnds);
		this.#samePhaseOf = samePhaseOf;
	}

	get #samePhase(): SamePhaseRuns {
		return this.#samePhaseOf();
	}

	/** When a node gets the NoExecute taint that it has at the end, in whatever order. */
	get tainted(): ReadonlyMap<string, Interval> {
		this.#tainted ??= this.#findTainted();
		return this.#tainted;
	}

	/** When a node turns Unknown, whichever others do before it; undefined if it does not. */
	turnOf(node: string): Interval | undefined {
		return this.#samePhase.turnOf(node, this);
	}

	/** The future taints that are removed again. */
	get brief(): ReadonlyMap<string, readonly BriefTaint[]> {
		const {affected, settings} = this.state;
		const turnOf = (node: string) => {
			const passes = this.#samePhase.turnPasses.get(node);
			return passes && {lo: passAfter(passes.lo, this.schedule), hi: passAfter(passes.hi, this.schedule)};
		};
		this.#brief ??= briefTaints({outcome: this.outcome, affected, settings, turnOf});
		return this.#brief;
	}

	/** How far a throttled pass may move the taints of a zone; undefined if there is none. */
	uncertaintyOf(zone: string): TaintUncertainty | undefined {
		if (!this.state.settings.taintBasedEvictions || !isWidenedByPass(zone, this)) return undefined;
		return kept(this.#uncertainties, zone, () => taintUncertaintyOf(zone, this));
	}

	/**
	 * The bounds of a node's taints.
	 *
	 * @param now may be a moment after the run was made, with newer evidence of the node
	 */
	taintBoundsOf(one: NodeEvidence, now: Instant): readonly TaintBounds[] {
		const {name} = one.node;
		const group = this.#samePhase.groups.get(name);
		if (!group) return this.#byChance(one, now);
		return kept(this.#ofGroups, group, () => this.#ofGroup(group));
	}

	#ofGroup(group: InterchangeableNodes): readonly TaintBounds[] {
		const {passes, settings, affected} = this.state;
		// How late a taint may be does not matter if the question is whether there is one.
		const uncertainty = this.#samePhase.asked.isFocused ? undefined : this.uncertaintyOf(group.zone);
		const passFrom = (at: Instant) => passAtOrAfter(this.schedule, at);
		const zoneNodes = () =>
			affected.nodes.flatMap(({node}) =>
				zoneKey(node) === group.zone ? (this.trajectory.nodes.get(node.name) ?? []) : [],
			);
		const {period} = this.schedule;
		const uncertain = {phaseSpacing: passes.phaseSpacing, period, uncertainty, passFrom, zoneNodes};
		return taintBoundsOf(group, this.trajectory, uncertain, !settings.taintBasedEvictions);
	}

	#byChance(one: NodeEvidence, now: Instant): readonly TaintBounds[] {
		const {passes, settings} = this.state;
		const {name} = one.node;
		const trajectory = this.trajectory.nodes.get(name);
		if (!trajectory) return [];
		return taintBoundsByChance({
			trajectory,
			spells: this.outcome.spells.get(name) ?? [],
			tainted: this.tainted.get(name),
			brief: this.brief.get(name) ?? [],
			phaseSpacing: passes.phaseSpacing,
			spacingOfTaints: this.#samePhase.asked.isSupposed || isSilent(one, now) ? passes.phaseSpacing : 0,
			withoutTaints: !settings.taintBasedEvictions,
		});
	}

	#findTainted(): ReadonlyMap<string, Interval> {
		const {settings} = this.state;
		const isInTurn = !settings.taintBasedEvictions && this.#samePhase.areInTurn;
		return new Map(
			[...this.#samePhase.waitsOf(this)].flatMap(([zone, waits]) => {
				const later = this.trajectory.tokens.get(zone);
				const ranges = isInTurn
					? rangesInTurn(waits, later, this.schedule.period)
					: taintRanges(waits, later);
				const uncertainty = this.uncertaintyOf(zone);
				if (!uncertainty) return [...ranges];
				return waits.flatMap(({node, joinedAt}): readonly [string, Interval][] => {
					const range = ranges.get(node);
					if (!range) return [];
					const {lo, hi} = uncertainty.widen(range);
					return [[node, {lo: Math.max(lo, Math.min(joinedAt, range.lo)), hi}]];
				});
			}),
		);
	}
}
