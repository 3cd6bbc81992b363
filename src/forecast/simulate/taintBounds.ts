import {ascending} from '../../core/collections/ascending.ts';
import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {type Taint, unreachableTaint} from '../../core/model/taint.ts';
import {beginningOfTime, type Duration, type Instant, never, second} from '../../core/time/instant.ts';
import {point} from '../observe/interval.ts';
import {clockTolerance, latency} from '../observe/latencies.ts';
import type {InterchangeableNodes} from './interchangeableNodes.ts';
import {paceMargin} from './passRun.ts';
import type {Widen} from './slowedZone.ts';
import {isOwn, type NodeTrajectory, syntheticTaint, type TaintMoment, type Trajectory} from './trajectory.ts';

/**
 * The bounds of a node's taints in one trajectory: as many and as early as possible, and as few and as late as possible.
 * Either may be off by the distance of the tried instants of the next pass.
 */
export type TaintBounds = Readonly<{
	early: readonly TaintMoment[];
	/** Undefined if they may never come. */
	late: readonly TaintMoment[] | undefined;
	/** As late as they come in nearly all cases in which they do, and how likely they do; absent if `late` tells that. */
	mostly?: {readonly late: readonly TaintMoment[]; readonly chance: number};
	/** At how many instants from one to the other its lasting taint may come; any in between if absent. */
	places?: number;
}>;

/** The taint that a node gets when its eviction starts. */
export const turnTaint = ({taintBasedEvictions}: ControllerSettings): Taint =>
	taintBasedEvictions ? unreachableTaint : syntheticTaint;

/** Up to this many interchangeable nodes are examined one by one; of more, the first and the last ones. */
const mostMembers = 16;

/** The bounds of the nodes of a group, which a what-if takes for one, in a trajectory. */
export function taintBoundsOfGroup(
	{nodes, backAt}: InterchangeableNodes,
	trajectory: Trajectory,
	uncertain: Uncertain,
): readonly TaintBounds[] {
	const members = nodes.flatMap((name) => trajectory.nodes.get(name) ?? []);
	const laterPassFrom = trajectory.isControlled ? trajectory.endsAt : undefined;
	const {throttledFrom = never} = trajectory;
	return distinct(thinned(members), laterPassFrom).flatMap((member) => {
		const bounds = boundsOf(member, laterPassFrom, uncertain);
		return backAt !== undefined && throttledFrom < backAt
			? inThrottledPass(bounds, member, backAt, trajectory, uncertain)
			: [bounds];
	});
}

/**
 * A throttled pass reaches its nodes in random order: a node that comes back meanwhile may be reached before or after that, and
 * keeps the state that the pass found until the next pass.
 */
function inThrottledPass(
	bounds: TaintBounds,
	{taints}: NodeTrajectory,
	backAt: Instant,
	{throttledFrom: from = never, throttledUntil: until = never}: Trajectory,
	{period, phaseSpacing, own}: Uncertain,
): readonly TaintBounds[] {
	const [first] = taints;
	if (!first || first.taints.some(isOwn)) return [bounds];
	const found = {at: Math.max(first.at, from), taints: [...first.taints, own], isExact: false};
	const nextPass = Math.max(until + (until - from) * paceMargin, backAt) + period;
	const cleared = {
		...first,
		at: nextPass + passEnd + phaseSpacing + clockTolerance + latency,
		isExact: false,
	};
	const early = [first, found, ...(until < never ? [cleared] : [])];
	return [
		{...bounds, late: undefined},
		{early, late: undefined},
	];
}

/** The longest time from a node's turn to Unknown until its pass judges the zones, including what sampling may miss. */
const passEnd: Duration = 1.5 * second;

/** By how much the instants of a trajectory may be off. */
type Uncertain = Readonly<{
	phaseSpacing: Duration;
	/** From the end of a pass to the next. */
	period: Duration;
	widen: Widen;
	/** The taint that a node gets when its eviction starts. */
	own: Taint;
}>;

function boundsOf(
	{taints, isUnnoticed}: NodeTrajectory,
	laterPassFrom: Instant | undefined,
	{phaseSpacing, widen, own}: Uncertain,
): TaintBounds {
	if (!isUnnoticed || laterPassFrom === undefined) {
		const last = shifted(
			taints,
			(at) => widen(point(at)).hi + phaseSpacing,
			-phaseSpacing - clockTolerance - latency,
		);
		const first = shifted(taints, (at) => widen(point(at)).lo - phaseSpacing, phaseSpacing + latency);
		return {early: first, late: last.every(({at}) => at < never) ? last : undefined};
	}
	// A pass that continues after the end may reach it at any time.
	const then = [...(taints.at(-1)?.taints ?? []), own];
	return {early: [...taints, {at: laterPassFrom, taints: then, isExact: false}], late: undefined};
}

/**
 * Moves what adds or swaps taints, and what removes them. A moment that a later one overtakes does not happen. Exact moments stay, and
 * what follows them stays behind them.
 */
function shifted(
	moments: readonly TaintMoment[],
	added: (at: Instant) => Instant,
	removed: Duration,
): readonly TaintMoment[] {
	let fixed = beginningOfTime;
	const moved = moments.map((moment, index): TaintMoment => {
		if (index === 0 || moment.isExact) {
			fixed = moment.at;
			return moment;
		}
		// A swap adds the other taint before it removes the one that was there.
		const isRemoved =
			moment.taints.length < (moments[index - 1]?.taints.length ?? 0) && !moment.taints.some(isOwn);
		return {...moment, at: Math.max(fixed, isRemoved ? moment.at + removed : added(moment.at))};
	});
	return moved.filter(
		({at, isExact}, index) =>
			index === 0 ||
			moved.slice(index + 1).every((later) => (isExact ? later.at >= at || !later.isExact : later.at > at)),
	);
}

function distinct(
	members: readonly NodeTrajectory[],
	laterPassFrom: Instant | undefined,
): readonly NodeTrajectory[] {
	const keyOf = ({taints, isUnnoticed}: NodeTrajectory) =>
		JSON.stringify([
			isUnnoticed && laterPassFrom,
			taints.map(({at, taints}) => [at, taints.map(({key}) => key)]),
		]);
	return [...new Map(members.map((member) => [keyOf(member), member])).values()];
}

function thinned(members: readonly NodeTrajectory[]): readonly NodeTrajectory[] {
	if (members.length <= mostMembers) return members;
	const firstAt = ({taints}: NodeTrajectory) => taints[1]?.at ?? never;
	const sorted = members.toSorted(ascending(firstAt));
	const lastTainted = sorted.findLast((member) => Number.isFinite(firstAt(member)));
	const unnoticed = members.find(({isUnnoticed}) => isUnnoticed);
	return [sorted[0], lastTainted, sorted.at(-1), unnoticed].flatMap((member) => member ?? []);
}
