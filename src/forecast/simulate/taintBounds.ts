import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {type Taint, unreachableTaint} from '../../core/model/taint.ts';
import {nodeEvictionPeriod} from '../../core/nodelifecycle/zones/rateLimitedTimedQueue.ts';
import {
	beginningOfTime,
	type Duration,
	type Instant,
	never,
	oldestFirst,
	second,
} from '../../core/time/instant.ts';
import {point} from '../observe/interval.ts';
import {clockTolerance, latency} from '../observe/latencies.ts';
import type {InterchangeableNodes} from './interchangeableNodes.ts';
import {paceMargin} from './passRun.ts';
import type {Widen} from './slowedZone.ts';
import {
	isOwn,
	type NodeTrajectory,
	syntheticTaint,
	type TaintMoment,
	type Trajectory,
	type ZoneMoment,
} from './trajectory.ts';

/**
 * The bounds of a node's taints in one trajectory: as many and as early as possible, and as few and as late as possible.
 * Either may be off by the distance of the tried instants of the next pass.
 */
export type TaintBounds = {
	readonly early: readonly TaintMoment[];
	/** Undefined if they may never come. */
	readonly late: readonly TaintMoment[] | undefined;
};

/** The taint that a node gets when its eviction starts. */
export const turnTaint = ({taintBasedEvictions}: ControllerSettings): Taint =>
	taintBasedEvictions ? unreachableTaint : syntheticTaint;

/** Up to this many interchangeable nodes are examined one by one; of more, the first and the last ones. */
const mostMembers = 16;

/** The bounds of the nodes of a group in a trajectory. */
export function taintBoundsOf(
	{nodes, zone, backAt}: InterchangeableNodes,
	trajectory: Trajectory,
	uncertain: Uncertain,
): readonly TaintBounds[] {
	const members = nodes.flatMap((name) => trajectory.nodes.get(name) ?? []);
	const moments = trajectory.zones.get(zone) ?? [];
	const laterPassFrom = trajectory.isControlled ? trajectory.endsAt : undefined;
	return distinct(thinned(members), laterPassFrom).flatMap((member) => {
		const race = raceOf(member, moments);
		const both = race === undefined ? [member] : [member, ...otherWays(member, race, uncertain)];
		const bounds = both.map((one) => boundsOf(one, laterPassFrom, uncertain));
		const {throttledFrom = never} = trajectory;
		return backAt !== undefined && throttledFrom < backAt
			? inThrottledPass(bounds, member, backAt, trajectory, uncertain)
			: bounds;
	});
}

/**
 * A throttled pass reaches its nodes in random order: a node that comes back meanwhile may be reached before or after that, and
 * keeps the state that the pass found until the next pass.
 */
function inThrottledPass(
	bounds: readonly TaintBounds[],
	{taints}: NodeTrajectory,
	backAt: Instant,
	{throttledFrom: from = never, throttledUntil: until = never}: Trajectory,
	{period, phaseSpacing, own}: Uncertain,
): readonly TaintBounds[] {
	const [first] = taints;
	if (!first || first.taints.some(isOwn)) return bounds;
	const found = {at: Math.max(first.at, from), taints: [...first.taints, own], isExact: false};
	const nextPass = Math.max(until + (until - from) * paceMargin, backAt) + period;
	const cleared = {
		...first,
		at: nextPass + passEnd + phaseSpacing + clockTolerance + latency,
		isExact: false,
	};
	const early = [first, found, ...(until < never ? [cleared] : [])];
	return [...bounds.map((one) => ({...one, late: undefined})), {early, late: undefined}];
}

/** The longest time from a node's turn to Unknown until its pass judges the zones, including what sampling may miss. */
const passEnd: Duration = 1.5 * second;

/** A node's turn to not ready in the same pass that stops its zone. */
type Race = {
	readonly turn: Instant;
	/** When the node is ready again. */
	readonly back: Instant;
	/** The states of the zone from when it evicts again; empty if it does not. */
	readonly resumed: readonly ZoneMoment[];
};

/** Undefined unless a pass that stops its zone finds the node not ready. */
function raceOf({readiness}: NodeTrajectory, moments: readonly ZoneMoment[]): Race | undefined {
	const stops = moments.flatMap(({at, rate}, index) =>
		rate === 0 && (moments[index - 1]?.rate ?? 0) > 0 ? [at] : [],
	);
	const isRacing = (turn: Instant) => stops.some((stop) => stop >= turn && stop <= turn + passEnd);
	const turn = readiness.find(({at, isReady}) => !isReady && isRacing(at))?.at;
	if (turn === undefined) return undefined;
	const stop = stops.find((at) => at >= turn) ?? turn;
	const resumes = moments.findIndex(({at, rate}) => at > stop && rate > 0);
	return {
		turn,
		back: readiness.find(({at, isReady}) => isReady && at > turn)?.at ?? never,
		resumed: resumes < 0 ? [] : moments.slice(resumes),
	};
}

/**
 * The zone's queue is processed ten times a second. Whether that happens between a node's turn and the stop of its zone is
 * random. It decides whether the node is tainted at once, or when the zone evicts again, if that is before the node is ready.
 */
function otherWays(
	member: NodeTrajectory,
	race: Race,
	{passFrom, zoneNodes, own}: Uncertain,
): readonly NodeTrajectory[] {
	const {turn, back, resumed} = race;
	const resumedAt = resumed[0]?.at ?? never;
	const isWithin = ({at}: TaintMoment) => at >= turn && at < back;
	const wasTainted = member.taints.some(
		(moment) => isWithin(moment) && moment.at < resumedAt && moment.taints.some(isOwn),
	);
	const before = member.taints.filter(({at}, index) => index === 0 || at < turn);
	const turned = {at: turn, taints: before.at(-1)?.taints ?? [], isExact: false};
	const after = member.taints.slice(before.length);
	// The pass that finds it ready removes the taint that it may have.
	const cleared = wasTainted || back === never ? [] : [{...turned, at: passFrom(back)}];
	const taints = [turned, ...[...cleared, ...after].toSorted(oldestFirst)];
	const taintedFrom = (from: Instant): NodeTrajectory => {
		const last = taints.findLast(({at}) => at <= from) ?? turned;
		const gained = from > turn && from < back ? [{...last, at: from, isExact: false}] : [];
		const moments = [...taints, ...gained].toSorted(oldestFirst);
		const raced = moments.map((moment) => {
			if (!isWithin(moment)) return moment;
			const others = moment.taints.filter((taint) => !isOwn(taint));
			return {...moment, taints: moment.at < from ? others : [...others, own]};
		});
		return {...member, taints: [...before, ...raced]};
	};
	if (!wasTainted) return [taintedFrom(turn)];
	const latest = lastTokenOf(resumed, zoneNodes());
	return [resumedAt, latest < back ? latest : never].map(taintedFrom);
}

/**
 * The latest time at which a node that waits when its zone evicts again is tainted: each other waiting node may get a token
 * before it. `never` if the zone may be slower by then.
 */
function lastTokenOf([first, ...later]: readonly ZoneMoment[], nodes: readonly NodeTrajectory[]): Instant {
	if (!first) return never;
	const {at, rate} = first;
	const others = nodes.map(({taints}) => {
		const isTainted = taints.map((moment) => moment.taints.some(isOwn));
		const gains = taints.filter(
			(moment, index) => moment.at > at && isTainted[index] && !isTainted[index - 1],
		);
		const isWaiting = !isTainted[taints.findLastIndex((moment) => moment.at <= at)];
		return Math.max(gains.length, isWaiting ? 1 : 0);
	});
	const tokens = 1 + others.reduce((sum, one) => sum + one, 0);
	const end = at + tokens * (second / rate + nodeEvictionPeriod);
	return later.some((moment) => moment.at <= end && moment.rate < rate) ? never : end;
}

/** By how much the instants of a trajectory may be off. */
type Uncertain = {
	readonly phaseSpacing: Duration;
	/** From the end of a pass to the next. */
	readonly period: Duration;
	readonly widen: Widen;
	/** The taint that a node gets when its eviction starts. */
	readonly own: Taint;
	/** The first pass at or after an instant. */
	readonly passFrom: (at: Instant) => Instant;
	/** All affected nodes of the zone. */
	readonly zoneNodes: () => readonly NodeTrajectory[];
};

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
 * Moves what adds taints, and what removes them. A moment that a later one overtakes does not happen. Exact moments stay, and
 * what follows them stays behind them.
 */
function shifted(
	moments: readonly TaintMoment[],
	added: (at: Instant) => Instant,
	removed: Duration,
): readonly TaintMoment[] {
	let fixed = beginningOfTime;
	const moved = moments.map((moment, index): TaintMoment => {
		const before = moments[index - 1]?.taints.length ?? 0;
		const change = moment.taints.length - before;
		if (index === 0 || moment.isExact) fixed = moment.at;
		if (index === 0 || moment.isExact || change === 0) return moment;
		return {...moment, at: Math.max(fixed, change > 0 ? added(moment.at) : moment.at + removed)};
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
	const sorted = members.toSorted((a, b) => firstAt(a) - firstAt(b));
	const lastTainted = sorted.findLast((member) => Number.isFinite(firstAt(member)));
	const unnoticed = members.find(({isUnnoticed}) => isUnnoticed);
	return [sorted[0], lastTainted, sorted.at(-1), unnoticed].flatMap((member) => member ?? []);
}
