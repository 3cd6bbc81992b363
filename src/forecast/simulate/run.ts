import {kept} from '../../core/collections/kept.ts';
import {beginningOfTime, type Instant} from '../../core/time/instant.ts';
import type {Inferred} from '../infer/inferred.ts';
import {passAfter} from '../infer/passSchedule.ts';
import {type Interval, point} from '../observe/interval.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {isSilent} from '../observe/nodes/nodeLiveness.ts';
import {type BriefTaint, briefTaints} from './briefTaints.ts';
import {taintRanges} from './chance.ts';
import type {InterchangeableNodes} from './interchangeableNodes.ts';
import type {Occurrence} from './occurrence.ts';
import {type HypothesisTrajectory, PassRun} from './passRun.ts';
import {type Asked, SamePhaseRuns} from './samePhaseRuns.ts';
import {asIs, isWidenedByPass, type Widen, widenerOf} from './slowedZone.ts';
import {type TaintBounds, taintBoundsOfGroup, turnTaint} from './taintBounds.ts';
import {taintBoundsByChance} from './taintBoundsByChance.ts';

/** The runs of some trajectories that try one instant for the next pass. Each knows what all share, which is made of all of them. */
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

/** One trajectory, and the ranges that random order and throttled passes leave open in it; most are computed on demand. */
export class Run extends PassRun {
	readonly #samePhaseOf: () => SamePhaseRuns;
	readonly #wideners = new Map<string, Widen>();
	readonly #ofGroups = new Map<InterchangeableNodes, readonly TaintBounds[]>();
	#tainted: ReadonlyMap<string, Occurrence> | undefined;
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
	get tainted(): ReadonlyMap<string, Occurrence> {
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

	/** The range of a node that may get any taint of a zone from the first to the last of a range: a throttled pass may move these. */
	widenerOf(zone: string): Widen {
		if (!this.state.settings.taintBasedEvictions || !isWidenedByPass(zone, this)) return asIs;
		return kept(this.#wideners, zone, () => widenerOf(zone, this));
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
		const {trajectory, schedule} = this;
		const {passes, settings} = this.state;
		return taintBoundsOfGroup(group, trajectory, {
			phaseSpacing: passes.phaseSpacing,
			period: schedule.period,
			// How late a taint may be does not matter if the question is whether there is one.
			widen: this.#samePhase.asked.isFocused ? asIs : this.widenerOf(group.zone),
			own: turnTaint(settings),
		});
	}

	#byChance(one: NodeEvidence, now: Instant): readonly TaintBounds[] {
		const {phaseSpacing} = this.state.passes;
		const {name} = one.node;
		const trajectory = this.trajectory.nodes.get(name);
		if (!trajectory) return [];
		return taintBoundsByChance({
			trajectory,
			spells: this.outcome.spells.get(name) ?? [],
			tainted: this.tainted.get(name),
			brief: this.brief.get(name) ?? [],
			phaseSpacing,
			spacingOfTaints: this.#samePhase.asked.isSupposed || isSilent(one, now) ? phaseSpacing : 0,
			own: turnTaint(this.state.settings),
		});
	}

	#findTainted(): ReadonlyMap<string, Occurrence> {
		const {areInTurn} = this.#samePhase;
		const period = areInTurn ? this.schedule.period : undefined;
		const waits = Map.groupBy(this.#samePhase.waitsOf(this), ({zone}) => zone);
		return new Map(
			[...waits].flatMap(([zone, ofZone]) => {
				const ranges = taintRanges(ofZone, this.trajectory.tokens.get(zone), period);
				const widen = this.widenerOf(zone);
				return ofZone.map(({node, joinedAt}, index) => {
					const range = ranges[index] ?? point(joinedAt);
					const {lo, hi} = widen(range);
					const until = hi > range.hi && {until: range.hi};
					return [node, {...until, ...range, lo: Math.max(lo, Math.min(joinedAt, range.lo)), hi}] as const;
				});
			}),
		);
	}
}
