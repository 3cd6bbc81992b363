import {ascending} from '../../core/collections/ascending.ts';
import {maxOf, minOf} from '../../core/collections/extremes.ts';
import {readyStatus} from '../../core/model/node.ts';
import {nameOf} from '../../core/model/objectName.ts';
import {formatTaint} from '../../core/model/taint.ts';
import {zoneKey} from '../../core/model/zone.ts';
import {noExecuteTaints} from '../../core/tainteviction/taintEvictionController.ts';
import {beginningOfTime, type Duration, type Instant, never} from '../../core/time/instant.ts';
import {hull, type Interval} from '../observe/interval.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {type Change, nodeOfChange} from './change.ts';
import {isSyntheticTaint, type NodeTrajectory, type Trajectory} from './trajectory.ts';

/** Nodes of one zone in equal states: what random order gives to one, it may give to any other. */
export type InterchangeableNodes = {
	readonly zone: string;
	readonly nodes: readonly string[];
	/** When they first come back by a change; undefined if they do not. */
	readonly backAt: Instant | undefined;
};

/**
 * Groups nodes by their states and by the changes to them. Nodes that fall silent belong together if the same pass may find
 * them.
 *
 * @param trajectories of one instant of the next pass, without a tie-break
 * @param queuedAfter without taints, the shortest time from a node's turn until it waits for its eviction: nodes that wait at
 * the same time may come in any order, whenever they fell silent
 */
export function interchangeableNodesOf(
	nodes: readonly NodeEvidence[],
	changes: readonly Change[],
	trajectories: readonly Trajectory[],
	queuedAfter?: Duration,
): readonly InterchangeableNodes[] {
	const ofNode = Map.groupBy(changes, nodeOfChange);
	const alike = Map.groupBy(nodes, ({node}) => {
		const done = (ofNode.get(node.name) ?? []).filter(({type}) => type !== 'nodeDown');
		const taints = noExecuteTaints(node).map(formatTaint).toSorted();
		const ready = readyStatus(node);
		return JSON.stringify([
			zoneKey(node),
			taints,
			ready,
			done.map(({node: _, ...rest}: Change & {node?: string}) => rest),
		]);
	});
	return [...alike.values()].flatMap((ones) => {
		const zone = ones[0] ? zoneKey(ones[0].node) : '';
		const done = ofNode.get(ones[0]?.node.name) ?? [];
		const backAt = done.find(({type}) => type === 'nodeBack')?.at;
		const turns = ones.map(({node}) => ({
			name: node.name,
			...(queuedAfter === undefined
				? turnOf(node.name, trajectories)
				: queueOf(node.name, trajectories, queuedAfter)),
		}));
		return overlapping(turns).map((nodes) => ({zone, backAt, nodes: nodes.map(nameOf)}));
	});
}

/**
 * When a node is first found not ready, over all trajectories. A pass that throttling makes long reaches its nodes in random
 * order: each may be found at any time of the pass.
 */
function turnOf(name: string, trajectories: readonly Trajectory[]): Interval {
	const turns = trajectories.map(({nodes, throttledFrom, isControlled}): Interval => {
		const {readiness, isUnnoticed = false} = nodes.get(name) ?? {};
		const at = readiness?.find(({isReady}) => !isReady)?.at ?? never;
		const isInThrottledPass =
			throttledFrom !== undefined &&
			((isControlled && isUnnoticed) || (at >= throttledFrom && Number.isFinite(at)));
		return isInThrottledPass ? {lo: throttledFrom, hi: at} : {lo: at, hi: at};
	});
	return hull(turns);
}

/** When a node may wait for its eviction, over all trajectories; without end if the eviction may never come. */
function queueOf(name: string, trajectories: readonly Trajectory[], queuedAfter: Duration): Interval {
	const waits = trajectories.map(({nodes}): Interval => {
		const trajectory = nodes.get(name);
		const turn = trajectory?.readiness.findLast(({isReady}) => !isReady)?.at ?? beginningOfTime;
		const evicted = trajectory?.taints.findLast(({taints}) => taints.some(isSyntheticTaint));
		return {lo: turn + queuedAfter, hi: Math.max(turn + queuedAfter, evicted?.at ?? never)};
	});
	return hull(waits);
}

/** Groups those whose ranges overlap, directly or through others. */
function overlapping<One extends Interval>(ones: readonly One[]): readonly (readonly One[])[] {
	const groups: One[][] = [];
	let end = beginningOfTime;
	for (const one of ones.toSorted(ascending(({lo}) => lo))) {
		const last = groups.at(-1);
		if (last && one.lo <= end) last.push(one);
		else groups.push([one]);
		end = Math.max(end, one.hi);
	}
	return groups;
}

/** At most this many groups of a zone are tried one by one. */
const mostGroups = 6;

/**
 * Tie-breaks to try: each group that waits beside another goes once before and once behind all others.
 *
 * @param focus a node of which only the earliest taint is asked for: it goes before all others
 * @returns a ranking of nodes for each way to try; none if no two groups wait at the same time
 */
export function tieBreaks(
	groups: readonly InterchangeableNodes[],
	trajectories: readonly Trajectory[],
	focus?: string,
): readonly ((node: string) => number)[] {
	const contending = [...Map.groupBy(groups, ({zone}) => zone).values()]
		.map((ofZone) =>
			ofZone.filter((group) => ofZone.some((other) => other !== group && meet(group, other, trajectories))),
		)
		.filter(({length}) => length > 1);
	const isContending = (name: string) => contending.flat().some(({nodes}) => nodes.includes(name));
	if (focus !== undefined) return isContending(focus) ? [(node) => (node === focus ? 0 : 1)] : [];
	const most = Math.min(
		mostGroups,
		maxOf(
			contending.map(({length}) => length),
			0,
		),
	);
	return Array.from({length: most}, (_, turn) => {
		const ranks = new Map(
			contending.flatMap((ofZone) =>
				ofZone.flatMap(({nodes}, index) => {
					const rank = (index + turn) % ofZone.length;
					return nodes.map((node) => [node, rank] as const);
				}),
			),
		);
		return (node) => ranks.get(node) ?? 0;
	});
}

function meet(
	a: InterchangeableNodes,
	b: InterchangeableNodes,
	trajectories: readonly Trajectory[],
): boolean {
	const waits = ({nodes}: InterchangeableNodes, trajectory: Trajectory) =>
		nodes.flatMap((name) => waitsOf(trajectory.nodes.get(name)));
	return trajectories.some((trajectory) => {
		const others = waits(b, trajectory);
		return waits(a, trajectory).some(({lo, hi}) => others.some((other) => other.lo <= hi && lo <= other.hi));
	});
}

/** The times from when a node is found not ready, or from the beginning, to its next taint or return. */
export function waitsOf(trajectory: NodeTrajectory | undefined): readonly Interval[] {
	if (!trajectory) return [];
	const changes = trajectory.taints.slice(1).map(({at, taints}, index) => ({
		at,
		isGain: taints.length > (trajectory.taints[index]?.taints.length ?? 0),
	}));
	const gained = changes.flatMap(({at, isGain}) => (isGain ? [at] : []));
	const leaves = [...gained, ...trajectory.readiness.flatMap(({at, isReady}) => (isReady ? [at] : []))];
	// A node whose taint is removed waits again, unless it is ready.
	const lost = changes.flatMap(({at, isGain}) => (isGain ? [] : [at]));
	const joins = [...trajectory.readiness.flatMap(({at, isReady}) => (isReady ? [] : [at])), ...lost];
	// A node that becomes ready, or is tainted, without having turned before was not ready at the beginning.
	const wasWaiting = leaves.length > 0 && minOf(leaves) < minOf(joins);
	return [...(wasWaiting ? [beginningOfTime] : []), ...joins].map((lo) => ({
		lo,
		hi: minOf(leaves.filter((at) => at > lo)),
	}));
}
