import {maxOf, minOf} from '../../core/collections/extremes.ts';
import {mapBy} from '../../core/collections/mapBy.ts';
import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {isReadyNode} from '../../core/model/node.ts';
import {zoneKey} from '../../core/model/zone.ts';
import {isExcludedFromDisruptionChecks} from '../../core/nodelifecycle/nodeLabels.ts';
import {
	computeZoneState,
	countNode,
	evictionRate,
	type ZoneCount,
	type ZoneState,
} from '../../core/nodelifecycle/zones/zoneState.ts';
import {beginningOfTime, type Instant, never} from '../../core/time/instant.ts';
import {type AffectedNodes, nodesIn} from '../observe/affectedNodes.ts';
import {type Interval, wholeSecond} from '../observe/interval.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {isSilentAndReady} from '../observe/nodes/nodeLiveness.ts';
import type {Observed} from '../observe/observed.ts';

/** A zone as a pass judged it. */
export type ZonePast = Readonly<{
	state: Exclude<ZoneState, 'Initial'>;
	count: ZoneCount;
	/** Nodes per second; zero if evictions are stopped. */
	rate: number;
	/**
	 * The highest other rate that it may have: a zone keeps the rate of its size when it entered its state, and settings that
	 * are ranges may allow another.
	 */
	otherRate?: number;
}>;

/** The zones as a pass left them, and whether every zone was down then. */
export type ZonesPast = {readonly zones: ReadonlyMap<string, ZonePast>; readonly allDown: boolean};

/**
 * Judges the zones by the nodes' conditions at a pass; later changes are ignored.
 *
 * @param edge whether a change that may have come before or after the pass counts as before (lo) or after (hi)
 */
export function zonesAt(
	pass: Instant,
	affected: AffectedNodes,
	settings: ControllerSettings,
	edge: keyof Interval = 'lo',
): ZonesPast {
	const counts = new Map(affected.others);
	for (const evidence of nodesAt(pass, affected, edge)) {
		if (isExcludedFromDisruptionChecks(evidence.node, settings)) continue;
		countNode(counts, zoneKey(evidence.node), wasReadyAt(evidence, pass, edge));
	}
	const states = [...counts].map(([zone, count]) => {
		const state = computeZoneState(count, settings.unhealthyZoneThreshold);
		return {zone, count, state};
	});
	const allDown = states.length > 0 && states.every(({state}) => state === 'FullDisruption');
	const zones = states.map(({zone, count, state}): [string, ZonePast] => {
		const rate = allDown ? 0 : evictionRate(state, count.size, settings);
		const ifShrunk = allDown ? rate : rateIfShrunk(zone, {state, count}, pass, affected, settings);
		return [zone, {state, count, rate, ...(ifShrunk === rate ? {} : {otherRate: ifShrunk})}];
	});
	return {zones: new Map(zones), allDown};
}

/**
 * Until when every zone was down, as far as the nodes show: nodes leave their queues when that begins. `never` if all are
 * still down, `beginningOfTime` if they never were.
 *
 * @param edge of the interval in which the node that ended it was seen to return
 * @param isSure whether only certain times count: nodes that returned later may have been ready by then
 */
export function lastAllDown(
	past: ZonesPast,
	affected: AffectedNodes,
	settings: ControllerSettings,
	edge: keyof Interval = 'lo',
	isSure = false,
): Instant {
	if (past.allDown) return never;
	const exits = returnsWhere(affected, ({lo, hi}) => {
		const then = (isSure && withReadyUntil(hi, affected)) || affected;
		return zonesAt(lo - 1, then, settings).allDown;
	});
	return maxOf(exits.map((at) => at[edge]));
}

/** The returns before which all may have been down. Many nodes return together; while others are well, not all are down. */
function returnsWhere(
	{others, returned}: AffectedNodes,
	wereAllDown: (at: Interval) => boolean,
	hidden: readonly Interval[] = [],
): readonly Interval[] {
	if (others.size > 0) return [];
	const all = [...hidden, ...returned.map(({at}) => at)];
	return [...mapBy(all, ({lo, hi}) => `${lo} ${hi}`).values()].filter(wereAllDown);
}

/** Whether a node is down that may have been ready shortly before: nothing shows that it was not. */
export const isDownAgain = ({node, wasReady}: NodeEvidence) => !isReadyNode(node) && wasReady !== false;

/**
 * Until when every zone may have been down without a sign: of a node that is down again only the last transition is known,
 * neither its status before it was ready, nor when it returned.
 */
export function lastMaybeAllDown(affected: AffectedNodes, settings: ControllerSettings): Instant {
	const hidden = affected.nodes.flatMap((one) =>
		isDownAgain(one) ? (one.renewedAt ?? one.heartbeatAt ?? []) : [],
	);
	const wereAllDown = ({lo}: Interval) => {
		const wereDown = affected.nodes.map((one) =>
			isDownAgain(one) && one.readyChangedAt && one.readyChangedAt.lo >= lo ? {...one, wasReady: false} : one,
		);
		const isSure = zonesAt(lo - 1, affected, settings).allDown;
		return !isSure && zonesAt(lo - 1, {...affected, nodes: wereDown}, settings).allDown;
	};
	const exits = returnsWhere(affected, wereAllDown, hidden);
	return maxOf(exits.map(({hi}) => hi));
}

/** The zones by the settings in use. The other rate of each includes those by the settings that make evictions come early. */
export function zonesWithin(
	now: Instant,
	affected: AffectedNodes,
	settings: ControllerSettings,
	early: ControllerSettings,
): ZonesPast {
	const past = zonesAt(now, affected, settings);
	if (early === settings) return past;
	const atEarly = zonesAt(now, affected, early).zones;
	const zones = [...past.zones].map(([zone, one]): [string, ZonePast] => {
		const highest = Math.max(
			one.otherRate ?? 0,
			atEarly.get(zone)?.rate ?? 0,
			atEarly.get(zone)?.otherRate ?? 0,
		);
		return [zone, highest > one.rate ? {...one, otherRate: highest} : one];
	});
	return {zones: new Map(zones), allDown: past.allDown};
}

/**
 * The rate of a zone by its size before nodes were deleted, if it may have been in its state by then: a zone that shrinks in
 * a state keeps its rate.
 */
function rateIfShrunk(
	zone: string,
	{state, count}: Pick<ZonePast, 'state' | 'count'>,
	pass: Instant,
	affected: AffectedNodes,
	settings: ControllerSettings,
): number {
	const rate = evictionRate(state, count.size, settings);
	if (state !== 'PartialDisruption' || affected.mayHaveCounted.length === 0) return rate;
	const downSince = nodesIn(zone, affected)
		.filter(({node}) => !isReadyNode(node))
		.map(({readyChangedAt}) => readyChangedAt?.lo ?? beginningOfTime);
	// Nodes that are ready again, or gone, may have been down too.
	const since = minOf(downSince);
	const before = affected.mayHaveCounted.filter(
		(one) => (one.zone ?? zone) === zone && one.at.hi >= since && one.at.lo <= pass,
	);
	return evictionRate(state, count.size + before.length, settings);
}

/** The nodes as a pass saw them: a node that was later deleted, or changed how it counts, is as it was before. */
function nodesAt(
	pass: Instant,
	{nodes, deleted}: AffectedNodes,
	edge: keyof Interval,
): Iterable<NodeEvidence> {
	const there = nodes.filter(({node}) => wholeSecond(node.createdAt)[edge] <= pass);
	if (deleted.length === 0) return there;
	const then = deleted.flatMap(({one, at}) => (at[edge] > pass ? one : []));
	// Of several versions of one name, the first that ended after the pass counts.
	return new Map([...there, ...then.toReversed()].map((one) => [one.node.name, one])).values();
}

/** Whether a pass saw a node ready. If its status changed after the pass, the status before counts. */
function wasReadyAt(
	{node, readyChangedAt, wasReady, downSince}: NodeEvidence,
	pass: Instant,
	edge: keyof Interval,
) {
	const isReady = isReadyNode(node);
	if (!readyChangedAt || readyChangedAt[edge] <= pass) return isReady;
	if (wasReady === false && downSince) return downSince.at[edge] > pass;
	return wasReady ?? !isReady;
}

/**
 * The nodes as if all that returned after a pass went down in it: nothing shows since when they were down.
 *
 * @returns undefined if none returned
 */
export function withReadyUntil(pass: Instant, affected: AffectedNodes): AffectedNodes | undefined {
	const wentDown = ({node, readyChangedAt, downSince}: NodeEvidence) =>
		isReadyNode(node) && readyChangedAt !== undefined && readyChangedAt.hi > pass && !downSince;
	if (!affected.nodes.some(wentDown)) return undefined;
	return {...affected, nodes: affected.nodes.map((one) => (wentDown(one) ? {...one, wasReady: true} : one))};
}

/** The zones as passes will judge them once they have found all nodes that are silent now. */
export class ZonesToCome {
	readonly #observed: Observed;
	#found: ZonesPast | undefined;

	constructor(observed: Observed) {
		this.#observed = observed;
	}

	get found(): ZonesPast {
		this.#found ??= this.#find();
		return this.#found;
	}

	/** Whether passes have found none of the nodes that are down: all are still silent. */
	get areNoneFound() {
		return this.#observed.affected.nodes.every(({node}) => isReadyNode(node));
	}

	#find(): ZonesPast {
		const {affected, settings, now} = this.#observed;
		const nodes = affected.nodes.map((one) => (isSilentAndReady(one, now) ? found(one) : one));
		return zonesAt(now, {...affected, nodes}, settings);
	}
}

const found = (one: NodeEvidence): NodeEvidence => ({
	...one,
	node: {...one.node, conditions: one.node.conditions.filter(({type}) => type !== 'Ready')},
	readyChangedAt: undefined,
});
