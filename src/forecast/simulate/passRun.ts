import {compareValues} from '../../core/collections/compareValues.ts';
import {maxOf} from '../../core/collections/extremes.ts';
import {isReadyNode} from '../../core/model/node.ts';
import {beginningOfTime, type Duration, type Instant, never, second} from '../../core/time/instant.ts';
import type {Hypothesis} from '../infer/hypothesis.ts';
import type {Inferred} from '../infer/inferred.ts';
import {callsForPod} from '../infer/passInProgress.ts';
import {lastPass, type PassSchedule} from '../infer/passSchedule.ts';
import {type Interval, point, width} from '../observe/interval.ts';
import {isSilent, mayLive} from '../observe/nodes/nodeLiveness.ts';
import {type Draw, drawOf} from './occurrence.ts';
import {type Outcome, outcomeOf, type Trajectory} from './trajectory.ts';

export type HypothesisTrajectory = {readonly trajectory: Trajectory; readonly hypothesis: Hypothesis};

/** How far a pass may get ahead of its run, or fall behind, per second of its duration. */
const drift = 0.02;

/** A pass counts as long if it turns nodes Unknown for more than this. */
export const longPassFrom: Duration = second;

/** A pass continues at the pace that it has shown, within this margin. */
export const paceMargin = 0.08;

/** A throttled pass processes its nodes in batches: the next one may begin this much sooner or later than one list shows. */
export const batchSlack: Duration = 1.5 * second;

/** One trajectory, and how far its monitor passes get. */
export class PassRun {
	readonly trajectory: Trajectory;
	readonly schedule: PassSchedule;
	readonly draw: Draw;
	readonly state: Inferred;
	readonly outcome: Outcome;
	/** When nodes turn Unknown in the run, in order, whichever nodes. */
	readonly turns: readonly Instant[];
	/** The silent nodes that no pass has reached when the run ends. */
	readonly unreached: readonly string[];
	/** When each node turns Unknown, in whatever order. */
	readonly unknown = new Map<string, Interval>();
	/** When each pass turns nodes Unknown, from the first of them to the last, in order. */
	readonly passes: Interval[] = [];
	readonly #slowest: Duration;

	/** @param graceEnds the earliest end of each node's grace period */
	constructor(
		{trajectory, hypothesis}: HypothesisTrajectory,
		state: Inferred,
		graceEnds: ReadonlyMap<string, Instant>,
	) {
		this.trajectory = trajectory;
		this.schedule = hypothesis.schedule;
		this.draw = drawOf(hypothesis, state.span);
		this.state = state;
		this.outcome = outcomeOf(trajectory);
		this.turns = [...this.outcome.unknown.values()].toSorted(compareValues);
		this.unreached = this.#findUnreached();
		this.#slowest = slowestPace(state);
		this.#findTurns(graceEnds);
	}

	/**
	 * Whether the controllers are still in their first pass, so that no taint is theirs. With all zones down it does not count: it
	 * takes off at its end what was tainted while it lasted.
	 */
	get isInFirstPass() {
		return lastPass(this.schedule) === undefined && !this.state.zones.allDown;
	}

	/** When the pass reaches the node with this index, from zero, among those that it has still to reach. */
	unknownAt(index: number, now: Instant): Interval | undefined {
		const {turns, unreached, trajectory} = this;
		const {endsAt} = trajectory;
		const at = turns[index];
		if (at !== undefined) return widened(point(at), at - now);
		if (unreached.length === 0) return undefined;
		return widened(this.#laterUnknown(turns, index + 1 - turns.length), endsAt - now);
	}

	/**
	 * The order in which a pass reaches the nodes is random as well: if throttling makes it long, each node that it turns Unknown
	 * may be any of them, from the first to the last. A node that it passed over in this run, because its grace period was not
	 * over yet, may also be reached later in the same pass.
	 */
	#findTurns(graceEnds: ReadonlyMap<string, Instant>) {
		const {unreached, trajectory} = this;
		// Between two passes, the next one reaches the unreached nodes.
		const endsAt = trajectory.endsAt + (trajectory.isPassing ? 0 : this.schedule.period);
		const graceEnd = (node: string) => graceEnds.get(node) ?? beginningOfTime;
		const passes = Map.groupBy(
			this.outcome.unknown,
			([, at]) => trajectory.passStarts.filter((start) => start <= at).length,
		);
		let before: Interval | undefined;
		for (const [pass, ofPass] of [...passes].toSorted(([a], [b]) => a - b)) {
			const instants = ofPass.map(([, at]) => at).toSorted(compareValues);
			const goesOn = unreached.length > 0 && pass === maxOf(passes.keys());
			const lo = instants[0] ?? endsAt;
			const hi = goesOn ? this.#laterUnknown(instants, unreached.length).hi : (instants.at(-1) ?? endsAt);
			for (const [node] of ofPass) {
				const sooner = Math.max(before?.lo ?? lo, graceEnd(node));
				const mayBeSooner = before && width(before) > longPassFrom && sooner <= before.hi;
				this.unknown.set(node, {lo: mayBeSooner ? sooner : lo, hi});
			}
			this.passes.push({lo, hi});
			before = {lo, hi: instants.at(-1) ?? lo};
			if (goesOn) for (const node of unreached) this.unknown.set(node, {lo, hi});
		}
		if (passes.size === 0)
			for (const node of unreached) this.unknown.set(node, {lo: graceEnd(node), hi: never});
	}

	/**
	 * When a pass that continues after the run reaches the k-th node after it.
	 *
	 * @param instants when it reached those of the run, in order
	 */
	#laterUnknown(instants: readonly Instant[], k: number): Interval {
		const {endsAt} = this.trajectory;
		const {monitorWorkers} = this.state.settings;
		const [first, last] = [instants[0] ?? endsAt, instants.at(-1) ?? endsAt];
		// Nodes are turned in batches of one per worker: the last batch has only begun, and one alone shows no pace.
		if (last > first && instants.length <= monitorWorkers)
			return {lo: endsAt, hi: endsAt + (k + monitorWorkers) * this.#slowest};
		const pace = (last - first) / Math.max(1, instants.length - monitorWorkers);
		if (pace <= 0) return {lo: endsAt, hi: never};
		return {lo: last + k * pace * (1 - paceMargin), hi: endsAt + k * pace * (1 + paceMargin)};
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

/** Allows for the drift of a pass. @param lasting for how long it has been at work */
export const widened = ({lo, hi}: Interval, lasting: Duration): Interval => ({
	lo: lo - lasting * drift,
	hi: hi + lasting * drift,
});

/** The longest time that a pass needs per node: the calls for the most pods that a node has wait for the client. */
function slowestPace({affected, evidence, settings}: Inferred): Duration {
	if (settings.kubeApiQps <= 0) return never;
	const pods = maxOf(affected.nodes.map(({node}) => evidence.pods.mapOfNode(node.name).size));
	return ((1 + pods) * callsForPod * second) / settings.kubeApiQps;
}
