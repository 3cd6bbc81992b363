import {NeverLimiter, TokenBucket} from '../../core/client/tokenBucket.ts';
import {maxOf} from '../../core/collections/extremes.ts';
import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {isReadyNode, isUnknownNode, readyStatus} from '../../core/model/node.ts';
import type {NodeLifecycleController} from '../../core/nodelifecycle/nodeLifecycleController.ts';
import {nodeEvictionPeriod} from '../../core/nodelifecycle/zones/rateLimitedTimedQueue.ts';
import {beginningOfTime, type Instant, never, second} from '../../core/time/instant.ts';
import {Random} from '../../core/time/random.ts';
import {type AffectedNodes, nodesIn} from '../observe/affectedNodes.ts';
import {hasEvictionStarted} from '../observe/countdowns/evictionStart.ts';
import {at, type Interval, isEarly, middle, width} from '../observe/interval.ts';
import {lifecycleTaint} from '../observe/nodes/lifecycleTaint.ts';
import {type NodeEvidence, namesOf} from '../observe/nodes/nodeEvidence.ts';
import type {Pausable} from '../pausable.ts';
import {adoptEvictions, adoptUnseen, startAnew, type ZoneEvictions} from './adoptedEvictions.ts';
import {datedByPasses, deletedIn, tokenFinder} from './bucket.ts';
import {anySeed, type Hypothesis, noExecutePassAt} from './hypothesis.ts';
import {endOfPass, lastPass, type PassSchedule, passAtOrAfter} from './passSchedule.ts';
import {lastAllDown, type ZonesPast, zonesAt} from './zonePast.ts';

/** Puts the zones of a machine into a hidden state: their states, their queues and their buckets. */
export function* adoptZones(
	lifecycle: NodeLifecycleController,
	hypothesis: Hypothesis,
	affected: AffectedNodes,
	settings: ControllerSettings,
	now: Instant,
): Pausable<void> {
	const {schedule, quantile, tokenQuantile = quantile, rankOf, passInProgress} = hypothesis;
	const last = lastPass(schedule);
	if (last === undefined) return;
	const restart = settings.taintBasedEvictions
		? undefined
		: startAnew(lifecycle, hypothesis, affected, settings);
	const random = new Random(anySeed, rankOf);
	const judgedAt = restart && restart.at > last ? restart.allDownAt : last;
	const judged = hypothesis.isLastPassOver ? datedByPasses(affected, schedule) : affected;
	const past = zonesAt(judgedAt, judged, settings);
	const isAboutToStop = past.allDown && isEarly(quantile) && keepsOldTaint(affected);
	const isPresent = namesOf(affected.nodes);
	const freedUntil = isEarly(quantile) ? beginningOfTime : freedBy(past, affected, settings, schedule);
	const joinsLast = joiningLast(hypothesis, now);
	const zones = new Map(
		[...past.zones].map(([zone, one]) => [
			zone,
			isEarly(quantile) ? {...one, rate: Math.max(one.rate, one.otherRate ?? 0)} : one,
		]),
	);
	const nextToken = tokenFinder({zones, affected, settings, schedule, passAtWork: passInProgress, now});
	for (const [zone, one] of zones) {
		yield;
		lifecycle.zones.setState(zone, isAboutToStop ? 'Normal' : one.state);
		const queue = lifecycle.zones.queue(zone);
		if (!queue) continue;
		const down = nodesIn(zone, affected).filter((node) =>
			wasDownAt(node, last, quantile, lifecycle, settings),
		);
		const deleted = settings.taintBasedEvictions && !isEarly(tokenQuantile) ? deletedIn(zone, affected) : [];
		for (const {name, since} of deleted)
			if (!isPresent.has(name)) queue.add(name, Math.min(last - 1, since), random);
		const evictions = {lifecycle, queue, last, quantile, schedule, affected, settings, random, restart};
		const waitingSince = settings.taintBasedEvictions
			? adoptTaints(down, {
					...evictions,
					freedUntil,
					joinsLast,
					swappedUntil: firstSwapsUntil(down.length, one.rate, hypothesis, last),
				})
			: adoptEvictions(down, evictions);
		for (const {name} of deleted) queue.add(name, last, random);
		const token = nextToken(zone, waitingSince);
		if (!settings.taintBasedEvictions && isEarly(quantile))
			adoptUnseen(down, evictions, !(token && token.hi <= now));
		const bucket = new TokenBucket(one.rate, 1);
		// At a rate of zero the bucket keeps its first token until a node takes it.
		const isUnused = one.rate <= 0 && settings.nodeEvictionRate <= 0 && isEarly(quantile);
		queue.setLimiter(
			token
				? bucket.withTokens(
						1 - ((tokenAt(zone, token, hypothesis, bucket.qps) - now) / second) * bucket.qps,
						now,
					)
				: isUnused
					? bucket
					: new NeverLimiter(),
		);
	}
}

/** Until when every zone was down, as the passes found it: the end of that is judged at the end of the pass after a node returned. */
function freedBy(
	past: ZonesPast,
	affected: AffectedNodes,
	settings: ControllerSettings,
	schedule: PassSchedule,
): Instant {
	const returned = lastAllDown(past, datedByPasses(affected, schedule), settings);
	return Number.isFinite(returned) ? endOfPass(schedule, passAtOrAfter(schedule, returned)) : returned;
}

/**
 * Whether a node still has a taint that is older than when the last node went down. The pass that finds all zones down takes such
 * taints off: it is still to come, as a ready node was deleted, or counts no longer.
 */
function keepsOldTaint({nodes}: AffectedNodes): boolean {
	const wentDown = nodes.flatMap(({node, readyChangedAt}) =>
		isReadyNode(node) ? [] : (readyChangedAt?.lo ?? []),
	);
	const last = maxOf(wentDown);
	return nodes.some(({node, taintedAt}) => lifecycleTaint(node) && taintedAt && taintedAt.hi < last);
}

/** When a zone's next token comes. If the hypothesis asks for it and the range allows it, a token comes just before a pass. */
function tokenAt(
	zone: string,
	range: Interval,
	{quantile, tokenQuantile = quantile, tokensBefore}: Hypothesis,
	qps: number,
): Instant {
	const by = (tokensBefore?.get(zone) ?? never) - nodeEvictionPeriod / 2;
	const every = second / qps;
	const latest = by - Math.max(0, Math.ceil((by - range.hi) / every)) * every;
	return Number.isFinite(latest) && latest >= range.lo ? latest : at(range, tokenQuantile);
}

/** Whether the last pass knew that a node is not ready. */
function wasDownAt(
	{node, readyChangedAt, wasReady, taintedAt}: NodeEvidence,
	last: Instant,
	quantile: number,
	lifecycle: NodeLifecycleController,
	settings: ControllerSettings,
) {
	const status = readyStatus(node);
	if (status === 'True' || status === undefined || !lifecycle.knownNodes.has(node.name)) return false;
	// The next pass notices a kubelet that reports itself not ready.
	if (status === 'False' && readyChangedAt && at(readyChangedAt, quantile) > last) return false;
	// A node that was not ready before was queued for that, and stays queued.
	const wasQueued = wasReady === false || taintedAt !== undefined;
	return wasQueued || !(status === 'Unknown' && isQueuedLater(readyChangedAt, last, quantile, settings));
}

/**
 * Whether the last pass found a node silent and queues it for its taint only in the next pass: until 1.33 a pass queues nodes
 * by their state at its beginning.
 */
function isQueuedLater(
	unknownSince: Interval | undefined,
	last: Instant,
	quantile: number,
	{queuesInPassOfTransition, taintBasedEvictions, nodeMonitorPeriod}: ControllerSettings,
) {
	if (queuesInPassOfTransition || !taintBasedEvictions || !unknownSince) return false;
	const isPlain = width(unknownSince) < nodeMonitorPeriod / 2;
	if (!isPlain) return at(unknownSince, quantile) >= last;
	// A truncated time begins before the pass that it dates: the pass nearest to it is the latest that can have written it.
	return at(unknownSince, middle) >= last - (isEarly(quantile) ? 0 : nodeMonitorPeriod / 2);
}

/** Nodes that join their queue at a later instant, behind others. */
type LateJoin = {readonly names: ReadonlySet<string>; readonly at: Instant};

/**
 * The workers of a pass write concurrently: the first node to be seen Unknown may not be the first in the queue. Between the
 * extremes of a pass that may be in progress, the nodes that it has turned are queued last.
 */
function joiningLast({passInProgress, quantile, ...rest}: Hypothesis, now: Instant): LateJoin {
	const isBetween = passInProgress && !passInProgress.isThrottled && quantile > 0 && quantile < 1;
	const marked = isBetween ? passInProgress.marked : [];
	const at = noExecutePassAt({passInProgress, quantile, ...rest}, now);
	return {names: namesOf(marked), at};
}

type QueueState = ZoneEvictions & {
	/** Until when every zone was down, as far as known: the nodes left their queues when that began. */
	readonly freedUntil: Instant;
	/** Until when the swap of a taint does not queue its node. */
	readonly swappedUntil: Instant;
	readonly joinsLast: LateJoin;
};

/** Queues the nodes that wait for their taint; returns since when each waits. */
function adoptTaints(down: readonly NodeEvidence[], zone: QueueState): readonly Instant[] {
	const {queue, last, quantile, freedUntil, swappedUntil, affected, settings, random, joinsLast} = zone;
	const waitingSince: Instant[] = [];
	for (const one of down) {
		const {node, taintedAt, untaintedAt} = one;
		// The next pass queues it.
		if (untaintedAt && at(untaintedAt, quantile) > last) continue;
		const isTainted = hasEvictionStarted(one, affected.evictionStarts, settings);
		// A node that kept its taint when all evictions stopped left the queue then. It takes another token: before others at this
		// extreme, behind them at the other. So does a node whose taint new controllers swapped, or the zone that it left added.
		const isForgotten =
			taintedAt !== undefined &&
			(taintedAt.lo < (mayHaveHadOpposite(one) ? Math.max(freedUntil, swappedUntil) : freedUntil) ||
				(!isEarly(quantile) && affected.zonesLeft.has(node.name)));
		const joinedAt = isTainted && isForgotten ? last - 1 : last;
		queue.add(node.name, joinsLast.names.has(node.name) ? joinsLast.at : joinedAt, random);
		if (isTainted && !isForgotten) queue.processed({value: node.name});
		else if (!isTainted) waitingSince.push(queuedBy(one, last, settings));
	}
	return waitingSince;
}

/** Whether a node may have had the opposite of its present taint: it is or was not ready without being Unknown. */
const mayHaveHadOpposite = ({node, wasReady}: NodeEvidence) =>
	readyStatus(node) === 'False' || wasReady === false;

/**
 * Until when the first pass of new controllers may have swapped taints. It does not queue these nodes; a later pass does, for
 * a token without effect. All have had theirs once as many tokens have come as there are nodes.
 */
function firstSwapsUntil(
	nodes: number,
	rate: number,
	{schedule: {firstPass}, quantile}: Hypothesis,
	last: Instant,
): Instant {
	const isRecent = rate > 0 && last - firstPass <= ((nodes + 1) / rate) * second;
	return !isEarly(quantile) && isRecent ? firstPass + second : beginningOfTime;
}

/**
 * The latest time at which a node that waits for its taint was queued: in the pass that turned it Unknown, or the next; or in the
 * one after its taint was taken off.
 */
export const queuedBy = (
	{node, readyChangedAt, untaintedAt}: NodeEvidence,
	last: Instant,
	{queuesInPassOfTransition, nodeMonitorPeriod}: ControllerSettings,
): Instant =>
	untaintedAt
		? Math.min(last, untaintedAt.hi + nodeMonitorPeriod)
		: (readyChangedAt?.hi ?? last) +
			(isUnknownNode(node) && queuesInPassOfTransition ? 0 : nodeMonitorPeriod);
