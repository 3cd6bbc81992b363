import {isReadyNode} from '../../core/model/node.ts';
import type {Duration, Instant} from '../../core/time/instant.ts';
import type {Hypothesis} from '../infer/hypothesis.ts';
import type {Inferred} from '../infer/inferred.ts';
import {lastPass, type PassSchedule, passesBefore} from '../infer/passSchedule.ts';
import type {Interval} from '../observe/interval.ts';
import {isSilent, mayLive} from '../observe/nodes/nodeLiveness.ts';
import {laterUnknown, unknownRanges} from './chance.ts';
import {type Outcome, outcomeOf, type Trajectory} from './trajectory.ts';

export type HypothesisTrajectory = {readonly trajectory: Trajectory; readonly hypothesis: Hypothesis};

/** How far a pass may get ahead of its run, or fall behind, per second of its duration. */
const drift = 0.02;

/** One trajectory, and how far its monitor passes get; each is computed on demand. */
export class PassRun {
	readonly trajectory: Trajectory;
	readonly schedule: PassSchedule;
	readonly state: Inferred;
	readonly #graceEnds: ReadonlyMap<string, Instant>;
	#outcome: Outcome | undefined;
	#turns: readonly Instant[] | undefined;
	#unreached: readonly string[] | undefined;
	#unknown: ReadonlyMap<string, Interval> | undefined;

	/** @param graceEnds the earliest end of each node's grace period */
	constructor(
		{trajectory, hypothesis}: HypothesisTrajectory,
		state: Inferred,
		graceEnds: ReadonlyMap<string, Instant>,
	) {
		this.trajectory = trajectory;
		this.schedule = hypothesis.schedule;
		this.state = state;
		this.#graceEnds = graceEnds;
	}

	get outcome(): Outcome {
		this.#outcome ??= outcomeOf(this.trajectory);
		return this.#outcome;
	}

	/** When nodes turn Unknown in the run, in order, whichever nodes. */
	get turns(): readonly Instant[] {
		this.#turns ??= [...this.outcome.unknown.values()].toSorted((a, b) => a - b);
		return this.#turns;
	}

	/** The silent nodes that no pass has reached when the run ends. */
	get unreached(): readonly string[] {
		this.#unreached ??= this.#findUnreached();
		return this.#unreached;
	}

	/** When each node turns Unknown, in whatever order. */
	get unknown(): ReadonlyMap<string, Interval> {
		const {trajectory, outcome, unreached} = this;
		// Between two passes, the next one reaches the unreached nodes.
		const endsAt = trajectory.endsAt + (trajectory.isPassing ? 0 : this.schedule.period);
		this.#unknown ??= unknownRanges({
			...{times: outcome.unknown, passStarts: trajectory.passStarts},
			...{unreached, endsAt, graceEnds: this.#graceEnds},
		});
		return this.#unknown;
	}

	/** Whether the controllers have not made their first pass yet. */
	get isBeforeFirstPass(): boolean {
		return lastPass(this.schedule) === undefined;
	}

	/** How many passes precede the earliest turn of a node to Unknown; undefined if it does not turn. */
	passesBeforeTurn(node: string): number | undefined {
		const at = this.unknown.get(node)?.lo;
		return at === undefined ? undefined : passesBefore(at, this.schedule);
	}

	/** When the pass reaches the node with this index, from zero, among those that it has still to reach. */
	unknownAt(index: number, now: Instant): Interval | undefined {
		const {turns, unreached, trajectory} = this;
		const {endsAt} = trajectory;
		const at = turns[index];
		if (at !== undefined) return widened({lo: at, hi: at}, at - now);
		if (unreached.length === 0) return undefined;
		return widened(laterUnknown(turns, index + 1 - turns.length, endsAt), endsAt - now);
	}

	#findUnreached(): readonly string[] {
		const {affected, now} = this.state;
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
}

const widened = ({lo, hi}: Interval, lasting: Duration): Interval => ({
	lo: lo - lasting * drift,
	hi: hi + lasting * drift,
});
