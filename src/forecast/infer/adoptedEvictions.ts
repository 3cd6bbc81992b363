import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {isUnknownNode, readyStatus} from '../../core/model/node.ts';
import {evictionDue} from '../../core/nodelifecycle/evictionByTimeout.ts';
import type {NodeHealth} from '../../core/nodelifecycle/nodeHealth.ts';
import type {NodeLifecycleController} from '../../core/nodelifecycle/nodeLifecycleController.ts';
import type {RateLimitedTimedQueue} from '../../core/nodelifecycle/zones/rateLimitedTimedQueue.ts';
import {beginningOfTime, type Instant, oldestFirst} from '../../core/time/instant.ts';
import type {Random} from '../../core/time/random.ts';
import type {AffectedNodes} from '../observe/affectedNodes.ts';
import {at as atQuantile, type Interval, isEarly} from '../observe/interval.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import type {Hypothesis} from './hypothesis.ts';
import {lastPass, type PassSchedule, passAtOrAfter} from './passSchedule.ts';
import {lastAllDown, lastMaybeAllDown, zonesAt} from './zonePast.ts';

/** What a zone's queue is derived from, for evictions without taints. */
export type ZoneEvictions = Readonly<{
	lifecycle: NodeLifecycleController;
	queue: RateLimitedTimedQueue;
	last: Instant;
	quantile: number;
	schedule: PassSchedule;
	affected: AffectedNodes;
	settings: ControllerSettings;
	random: Random;
	restart: TimeoutRestart | undefined;
}>;

/** The end of a time in which all zones were down, in the past or to come. */
type TimeoutRestart = {
	/** The pass that sees it: it restarts every node's timeout. Infinite while nothing ends that time. */
	readonly at: Instant;
	/** An instant in that time. */
	readonly allDownAt: Instant;
	/** The nodes whose timeout had ended by then, and since when each waits: they stay in the queue. */
	readonly overdue: ReadonlyMap<string, Instant>;
};

/**
 * Starts the eviction timeouts that the nodes had before they turned Unknown, and restarts every node's at the end of the
 * last time in which all zones were down, if there was one. Nodes that wait by then stay in their queue: their pods are
 * deleted with the zone's next tokens. Nodes that were evicted before that time wait again, and take a token without effect.
 *
 * @upstream kubernetes v1.16.15 pkg/controller/nodelifecycle/node_lifecycle_controller.go handleDisruption
 */
export function startAnew(
	lifecycle: NodeLifecycleController,
	hypothesis: Hypothesis,
	affected: AffectedNodes,
	settings: ControllerSettings,
): TimeoutRestart | undefined {
	const {schedule, quantile} = hypothesis;
	const last = lastPass(schedule);
	if (last === undefined) return undefined;
	const sinceUnknown = recallNotReady(lifecycle, hypothesis, affected, settings);
	const restart = ({node: {name}, readyChangedAt}: NodeEvidence, health: NodeHealth, at: Instant) => {
		// A timeout from before the node turned Unknown is dropped, unless it still ends before that.
		const isOver =
			readyChangedAt && at + settings.podEvictionTimeout < atQuantile(readyChangedAt, 1 - quantile);
		const counts = (isOver ? undefined : sinceUnknown.get(name)) ?? health;
		lifecycle.health.set(name, {
			...counts,
			probeTimestamp: Math.max(counts.probeTimestamp, at),
			readyTransitionTimestamp: Math.max(counts.readyTransitionTimestamp, at),
		});
	};
	const isEarlyEnd = isEarly(quantile);
	const unseen = isEarlyEnd ? undefined : startAnewUnseen(lifecycle, schedule, affected, settings, restart);
	const past = zonesAt(last, affected, settings);
	const untilAt = (edge: keyof Interval) => lastAllDown(past, affected, settings, edge, isEarlyEnd);
	const until = untilAt(isEarlyEnd ? 'lo' : 'hi');
	if (until === beginningOfTime) return unseen;
	const exit = past.allDown ? until : passAtOrAfter(schedule, until);
	const seenUntil = Math.min(exit, last);
	const overdue = new Map(unseen?.overdue);
	for (const one of affected.nodes) {
		const {name} = one.node;
		const [health, due] = [lifecycle.health.get(name), dueOf(one, lifecycle, settings)];
		if (!health) continue;
		const wasDown = (one.readyChangedAt?.lo ?? beginningOfTime) < seenUntil - schedule.period / 2;
		if (due !== undefined && due < seenUntil && wasDown)
			overdue.set(name, Math.min(seenUntil, passAtOrAfter(schedule, due)));
		if (exit <= last) restart(one, health, exit);
	}
	return {at: exit, allDownAt: Math.min(last, untilAt('lo') - 1), overdue};
}

/**
 * Restarts the timeouts as late as possible, if a time in which all zones were down may have ended unseen: earlier such ends
 * may have kept each timeout from ending by then. Nodes that were evicted by then wait again.
 */
function startAnewUnseen(
	lifecycle: NodeLifecycleController,
	schedule: PassSchedule,
	affected: AffectedNodes,
	settings: ControllerSettings,
	restart: (one: NodeEvidence, health: NodeHealth, at: Instant) => void,
): TimeoutRestart | undefined {
	const last = lastPass(schedule) ?? beginningOfTime;
	const until = lastMaybeAllDown(affected, settings);
	if (until === beginningOfTime) return undefined;
	const exit = Math.min(last, passAtOrAfter(schedule, until));
	const overdue = new Map<string, Instant>();
	for (const one of affected.nodes) {
		const {name} = one.node;
		const [health, due] = [lifecycle.health.get(name), dueOf(one, lifecycle, settings)];
		if (!health || due === undefined) continue;
		if (affected.evictionStarts.has(name)) {
			if (due < exit) overdue.set(name, exit);
			continue;
		}
		restart(one, health, exit);
	}
	return {at: exit, allDownAt: exit - 1, overdue};
}

/**
 * Puts a zone's queue into the state that the last pass left, for evictions without taints. Nodes whose timeout had ended
 * wait in the order in which it ended, unless their pods are deleted already.
 *
 * @param down the zone's nodes that the last pass knew to be not ready
 * @returns since when each node waits whose pods show that it waits
 */
export function adoptEvictions(down: readonly NodeEvidence[], zone: ZoneEvictions): readonly Instant[] {
	const {lifecycle, last, quantile, schedule, affected, settings, restart} = zone;
	const joined = down
		.flatMap((one) => {
			const since = restart?.overdue.get(one.node.name);
			if (since !== undefined) return [{one, at: since}];
			const due = dueOf(one, lifecycle, settings);
			return due !== undefined && due < last ? [{one, at: Math.min(last, passAtOrAfter(schedule, due))}] : [];
		})
		.toSorted(oldestFirst);
	const waitingSince: Instant[] = [];
	for (const {one, at} of joined) {
		// An eviction without a trace may be over, or still to come.
		const isTraceless = affected.traceless.has(one.node.name);
		const isOver = hadTurn(one, zone) || (isTraceless && isEarly(quantile));
		enqueue(one.node.name, at, isOver, zone);
		if (!isOver && !isTraceless) waitingSince.push(at);
	}
	for (const one of down) if (hadTurn(one, zone)) enqueue(one.node.name, last, true, zone);
	return waitingSince;
}

/** Queues a node. One whose eviction is over has had its turn. */
function enqueue(name: string, at: Instant, isOver: boolean, {lifecycle, queue, random}: ZoneEvictions) {
	lifecycle.evictions.register(name);
	lifecycle.evictions.set(name, isOver ? 'evicted' : 'toBeEvicted');
	if (queue.add(name, at, random) && isOver) queue.processed({value: name});
}

/** Whether a node was evicted. An eviction from before all zones were down no longer counts, and may be repeated. */
function hadTurn({node: {name}}: NodeEvidence, {affected, restart, quantile}: ZoneEvictions): boolean {
	const start = affected.evictionStarts.get(name);
	if (!start || !restart || isEarly(quantile)) return start !== undefined;
	return start.hi >= restart.at || !restart.overdue.has(name);
}

/** When a node's eviction timeout ends, by what the controller remembers of it; undefined if it is ready. */
const dueOf = (
	{node}: NodeEvidence,
	{health}: NodeLifecycleController,
	settings: ControllerSettings,
): Instant | undefined => evictionDue(readyStatus(node), health.get(node.name), settings);

/**
 * Starts the timeouts of nodes that were not ready before they turned Unknown, if these ended before that: such nodes stay in
 * the queue.
 *
 * @returns the memory of each of them without that timeout
 */
function recallNotReady(
	{health}: NodeLifecycleController,
	{schedule, quantile}: Hypothesis,
	{nodes}: AffectedNodes,
	{podEvictionTimeout}: ControllerSettings,
): ReadonlyMap<string, NodeHealth> {
	const sinceUnknown = new Map<string, NodeHealth>();
	for (const {node, readyChangedAt, notReadySince} of nodes) {
		const remembered = health.get(node.name);
		if (!notReadySince || !readyChangedAt || !remembered) continue;
		const since = passAtOrAfter(schedule, atQuantile(notReadySince, quantile));
		const probeTimestamp = Math.min(remembered.probeTimestamp, since);
		if (since + podEvictionTimeout >= atQuantile(readyChangedAt, 1 - quantile)) continue;
		health.set(node.name, {...remembered, probeTimestamp});
		sinceUnknown.set(node.name, remembered);
	}
	return sinceUnknown;
}

/**
 * Queues the nodes that may wait though nothing shows it: before they turned Unknown they were, or may have been, not ready
 * for an unknown time. A node whose eviction leaves no trace may have been evicted by then.
 *
 * @param mayWait whether any node may wait; none does if the zone's bucket is full
 */
export function adoptUnseen(down: readonly NodeEvidence[], zone: ZoneEvictions, mayWait: boolean) {
	const {lifecycle, affected} = zone;
	for (const one of down) {
		const {name, createdAt} = one.node;
		const remembered = lifecycle.health.get(name);
		const isDated = one.wasReady === true || one.notReadySince !== undefined;
		const isOver = affected.traceless.has(name);
		if (!remembered || isDated || !isUnknownNode(one.node) || hadTurn(one, zone)) continue;
		if (!isOver && !mayWait) continue;
		lifecycle.health.set(name, {...remembered, probeTimestamp: createdAt});
		enqueue(name, createdAt, isOver, zone);
	}
}
