import {maxOf} from '../../core/collections/extremes.ts';
import {unique} from '../../core/collections/unique.ts';
import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {isReadyNode, isUnknownNode} from '../../core/model/node.ts';
import {zoneKey} from '../../core/model/zone.ts';
import {hidesStop} from '../../core/nodelifecycle/zones/zoneState.ts';
import {beginningOfTime, type Duration, type Instant, second} from '../../core/time/instant.ts';
import {type AffectedNodes, nodesIn} from '../observe/affectedNodes.ts';
import {at, type Interval} from '../observe/interval.ts';
import {passMayLast, waitInLine} from '../observe/latencies.ts';
import type {DeletedWaiting} from '../observe/nodes/deletedNodes.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {returnsMatterFor} from '../observe/nodes/nodeLiveness.ts';
import type {PassInProgress} from './passInProgress.ts';
import {endOfPass, type PassSchedule, passAtOrAfter, rounding, stretchedPassOf} from './passSchedule.ts';
import {isDownAgain, withReadyUntil, type ZonePast, zonesAt} from './zonePast.ts';

/** What the next tokens of the zones' buckets are derived from. */
type BucketsQuestion = Readonly<{
	/** The zones as they are now. */
	zones: ReadonlyMap<string, ZonePast>;
	affected: AffectedNodes;
	settings: ControllerSettings;
	/** The passes, as far as known. */
	schedule: PassSchedule;
	/** The next pass of the schedule, if it is known to be at work; it may wait for the controllers' client. */
	passAtWork?: Pick<PassInProgress, 'isThrottled'> | undefined;
	now: Instant;
}>;

/** The same for one zone. */
type BucketQuestion = BucketsQuestion &
	Readonly<{
		zone: string;
		past: ZonePast;
		/** The latest possible time since which each waiting node is queued. */
		waitingSince: readonly Instant[];
		found: ReturnType<typeof foundByZone>;
		swaps: ReadonlyMap<string, Swap>;
	}>;

/** The queue is processed every 100 ms, and a watch takes time to deliver the taint. */
const taintDelivery: Duration = 300;
/** How many passes are searched for a change of the rate, the latest first. */
const mostPasses = 50;

/** The time from one token to the next. */
export const refillOf = (rate: number): Duration => second / Math.fround(rate);

/** Finds the next token of each zone. What is looked for among all nodes is found once for all zones, as there may be as many. */
export function tokenFinder(question: BucketsQuestion) {
	let found: Pick<BucketQuestion, 'found' | 'swaps'> | undefined;
	/** @param waitingSince the latest possible time since which each waiting node is queued */
	return (zone: string, waitingSince: readonly Instant[]): Interval | undefined => {
		const past = question.zones.get(zone);
		if (!past || past.rate <= 0) return undefined;
		found ??= {found: foundByZone(question), swaps: lastSwaps(question)};
		return nextToken({...question, ...found, zone, past, waitingSince});
	};
}

/**
 * When a zone's bucket next holds a token: at once if nothing took one recently. What takes one can be seen: a NoExecute
 * taint in the zone, a node that came back while it waited, and a change of the zone's rate, whose new bucket is empty if the
 * old one was.
 *
 * @returns undefined if the zone is stopped
 */
function nextToken(question: BucketQuestion): Interval | undefined {
	const {zone, past, settings, waitingSince, found, now} = question;
	const swapped = question.swaps.get(zone);
	const refill = refillOf(past.rate);
	const taints = found.taken.get(zone) ?? [];
	const taken = taints[0]?.at;
	if (staysStopped(question, swapped, taken)) return undefined;
	const surelyTaken = taints.flatMap(({at, isSure}) => (isSure ? at : []));
	const spent = lastReturn(question);
	const lastOfDeleted = lastTokenOfDeleted(question, refill);
	// Queued nodes show that there is no token yet: otherwise one of them would be tainted.
	const isEmpty = waitingSince.some((since) => since < now - taintDelivery);
	// A new bucket has a token if the old one had. A node that waits takes it at once, so the next one comes a refill after the swap.
	const emptied =
		swapped?.isDrained || (swapped?.isSure && isEmpty && settings.taintBasedEvictions) ? swapped : undefined;
	// If the rate was different meanwhile, the bucket may have filled at that rate.
	const fastest = swapped && !emptied ? refillOf(Math.max(past.rate, settings.nodeEvictionRate)) : refill;
	// At one rate each later taint took a token of its own, so that one which did not wait for the client dates those that did.
	const rateSince = Math.max(now - fillsIn(question, refill), swapped?.hi ?? 0, question.schedule.firstPass);
	const bySpent = surelyTaken
		.filter(({lo}, index) => index === 0 || lo > rateSince)
		.map((taint, later) => tokenOf(taint, question) + (later + 1) * fastest);
	const earliest = maxOf([...bySpent, ...(emptied ? [emptied.lo + refill] : [])], beginningOfTime);
	// Unseen changes took no token while there was none.
	const unseen = [lastOfDeleted, spent + settings.nodeMonitorPeriod].filter((time) => time >= earliest);
	// The next pass may change the rate.
	const drains = [taken?.hi, swapped?.hi, ...unseen.map((time) => Math.min(time, now))];
	const latest = maxOf(drains.map((time) => time ?? beginningOfTime)) + refill;
	// If there should have been a token, the controller spent it on a node that it saw as ready, or a change of the rate emptied
	// the bucket.
	const hi = Math.max(now, latest, isEmpty && latest < now - taintDelivery ? now + refill : now);
	return {lo: Math.min(Math.max(now, earliest), hi), hi};
}

/** How many calls taint a node: one reads it, one patches it, and both once more if it has changed meanwhile. */
const callsToTaint = 4;

/** The earliest that the token of a taint was taken: the calls that follow wait for a client that a pass throttles. */
function tokenOf({lo, hi}: Interval, {schedule, passAtWork, settings}: BucketQuestion): Instant {
	const wait = waitInLine(callsToTaint, settings);
	const isInPass = passAtWork?.isThrottled && hi >= schedule.nextPass;
	const stretched = schedule.stretchedPasses?.some(({at, until}) => at <= hi && lo <= until + wait);
	return isInPass || stretched ? lo - wait : lo;
}

/** A taint of a node, as what took a token of a zone. */
type TakenToken = {
	readonly zone: string;
	readonly at: Interval;
	/** Whether it certainly took a token of this zone: it replaced no other taint, and no other zone's queue may have made it. */
	readonly isSure: boolean;
};

/** What nodes show of the tokens of their zones. */
function foundByZone({affected, settings}: BucketsQuestion) {
	const taintOf = (one: NodeEvidence, at: Interval | undefined): readonly TakenToken[] => {
		if (!at) return [];
		const others = affected.zonesLeft.get(one.node.name) ?? [];
		// Without taints there is no swap: every eviction start takes a token.
		const maySwap = settings.taintBasedEvictions && mayBeSwapped(one, settings.nodeMonitorPeriod);
		const isSure = others.length === 0 && !maySwap;
		return unique([zoneKey(one.node), ...others]).map((zone) => ({zone, at, isSure}));
	};
	const taken = [
		...affected.nodes.flatMap((one) => taintOf(one, affected.evictionStarts.get(one.node.name))),
		...affected.deleted.flatMap(({one, evictionStart}) => taintOf(one, evictionStart)),
	].toSorted((a, b) => b.at.hi - a.at.hi);
	return {
		/** When nodes were tainted, the last one first. */
		taken: Map.groupBy(taken, ({zone}) => zone),
		returned: Map.groupBy(affected.returned, ({zone}) => zone),
	};
}

/** How long a bucket takes to fill: what was before that does not matter, and is not searched for changes of the rate. */
const fillsIn = ({settings}: BucketsQuestion, refill: Duration): Duration =>
	refill + 2 * settings.nodeMonitorPeriod;

/** Whether a taint may have replaced its opposite in the pass that changed the condition. That takes no token. */
function mayBeSwapped({taintedAt, readyChangedAt, wasReady}: NodeEvidence, nodeMonitorPeriod: Duration) {
	if (!taintedAt || !readyChangedAt || wasReady) return false;
	return Math.abs(taintedAt.lo - readyChangedAt.lo) < nodeMonitorPeriod + second;
}

/**
 * When a node of the zone last became ready; minus infinity if none did. It may have waited, and taken a token. A node that
 * is down again, and whose eviction leaves no trace, may have returned until its last sign of life.
 */
function lastReturn({zone, affected, found}: BucketQuestion): Instant {
	const seen = found.returned.get(zone) ?? [];
	const hidden = nodesIn(zone, affected).filter(
		(one) => affected.traceless.has(one.node.name) && isDownAgain(one),
	);
	return maxOf([
		...seen.map(({at}) => at.hi),
		...hidden.flatMap(({renewedAt, heartbeatAt}) => (renewedAt ?? heartbeatAt)?.hi ?? []),
	]);
}

/**
 * Until when a node that was deleted while it waited, or may have been, may take a token; minus infinity if there is none.
 *
 * @quirk a node that is deleted while it waits costs a token and nothing else
 */
function lastTokenOfDeleted({zone, affected, waitingSince}: BucketQuestion, refill: Duration): Instant {
	const deleted = deletedIn(zone, affected);
	const turns = (deleted.length + waitingSince.length) * refill;
	return maxOf(deleted.map(({at}) => at.hi)) + turns;
}

/** The nodes that were deleted while they may have waited in a zone. They may still hold their places in its queue. */
export const deletedIn = (zone: string, {deletedWaiting}: AffectedNodes): readonly DeletedWaiting[] =>
	deletedWaiting.filter((one) => one.zone === undefined || one.zone === zone);

/** A change of the zone's rate, at the end of the pass that swapped its limiter. */
type Swap = Interval & {
	/** Whether the rate certainly changed then or later. */
	readonly isSure: boolean;
	/** Whether the new bucket certainly started without a token. */
	readonly isDrained: boolean;
};

/**
 * The last change of each zone's rate within the time that a bucket takes to fill, as far as nodes show it. At a rate of
 * exactly 1 it counts for as long as a node's return matters.
 */
function lastSwaps(question: BucketsQuestion): ReadonlyMap<string, Swap> {
	const {zones, affected, settings, schedule, now} = question;
	const sinceOf = (past: ZonePast) => {
		const fills = fillsIn(question, refillOf(past.rate));
		return now - (hidesStop(past.rate) ? Math.max(fills, returnsMatterFor(settings)) : fills);
	};
	const moving = [...zones].filter(([, {rate}]) => rate > 0);
	const dated = datedByPasses(affected, schedule);
	const swaps = new Map<string, Swap>();
	for (const [since, ones] of Map.groupBy(moving, ([, past]) => sinceOf(past))) {
		const left = new Map(ones);
		for (const pass of passesOfChanges(question, since)) {
			if (left.size === 0) break;
			const before = pass - schedule.period + rounding;
			const upStill = withReadyUntil(pass, dated);
			const downBefore = withNotReadyBefore(before, dated);
			const judged = [
				zonesAt(before, dated, settings, 'lo'),
				zonesAt(before, dated, settings, 'hi'),
				...(upStill ? [zonesAt(before, upStill, settings, 'hi')] : []),
				...(downBefore ? [zonesAt(before, downBefore, settings, 'hi')] : []),
			];
			for (const [zone, past] of left) {
				const rates = judged.map((then) => {
					const found = then.zones.get(zone);
					return found === undefined || found.otherRate === past.rate ? past.rate : found.rate;
				});
				const hasChanged = rates.filter((rate) => rate !== past.rate);
				if (hasChanged.length === 0) continue;
				const isSure = hasChanged.length === rates.length;
				const isDrained = isSure && rates.every((rate) => rate <= 0);
				swaps.set(zone, {lo: pass, hi: endOfPass(schedule, pass), isSure, isDrained});
				left.delete(zone);
			}
		}
	}
	return swaps;
}

/** The passes since an instant that may have changed rates, the latest first. */
function passesOfChanges(
	{affected, schedule, passAtWork}: BucketsQuestion,
	since: Instant,
): readonly Instant[] {
	const isRecent = ({hi}: Interval) => hi >= since;
	const noticed = [
		...affected.nodes.flatMap((one) => (isUnknownNode(one.node) ? [] : (one.readyChangedAt ?? []))),
		...affected.returned.map(({at}) => at),
		...affected.deleted.map(({at}) => at),
		...affected.nodes.flatMap(({downSince}) => (downSince && !downSince.isUnknown ? downSince.at : [])),
	].filter(isRecent);
	const written = affected.nodes
		.flatMap(({node, readyChangedAt, downSince}) => [
			...(isUnknownNode(node) && readyChangedAt ? [readyChangedAt] : []),
			...(downSince?.isUnknown ? [downSince.at] : []),
		])
		.filter(isRecent);
	// The returned nodes went down in the pass before the one that saw them return, or earlier.
	const wentDown = affected.returned
		.flatMap(({at}) => passesThatNotice(at, schedule))
		.map((pass) => pass - schedule.period);
	const passes = new Set([
		...wentDown.filter((pass) => pass >= since),
		...noticed.flatMap((change) => passesThatNotice(change, schedule)),
		...written.flatMap((change) => passesThatWrote(change, schedule)),
	]);
	// While a pass is at work, no later one has changed anything.
	const possible = [...passes].filter((pass) => !passAtWork || pass < schedule.nextPass);
	return possible.toSorted((a, b) => b - a).slice(0, mostPasses);
}

/**
 * The nodes as if each was not ready at a pass whose status by then is unknown: that of before its present one, or of before
 * it was last ready.
 *
 * @returns undefined if the status of each is known
 */
function withNotReadyBefore(pass: Instant, affected: AffectedNodes): AffectedNodes | undefined {
	const mayHaveBeen = ({node, wasReady, upSince}: NodeEvidence) =>
		!isReadyNode(node) && (wasReady === undefined || (upSince !== undefined && upSince.hi > pass));
	if (!affected.nodes.some(mayHaveBeen)) return undefined;
	return {
		...affected,
		nodes: affected.nodes.map((one) => (mayHaveBeen(one) ? {...one, wasReady: false} : one)),
	};
}

/** The nodes, with each turn to Unknown dated by the pass that wrote it, if known: that pass judged the zones by it. */
export function datedByPasses(affected: AffectedNodes, schedule: PassSchedule): AffectedNodes {
	const dated = (change: Interval): Interval => {
		const [pass, ...others] = passesThatWrote(change, schedule);
		if (pass === undefined || others.length > 0) return change;
		return {lo: stretchedPassOf(schedule, pass)?.mayBegin?.lo ?? pass, hi: pass};
	};
	const nodes = affected.nodes.map((one): NodeEvidence => {
		const {node, readyChangedAt, downSince} = one;
		return {
			...one,
			readyChangedAt: readyChangedAt && isUnknownNode(node) ? dated(readyChangedAt) : readyChangedAt,
			downSince: downSince?.isUnknown ? {...downSince, at: dated(downSince.at)} : downSince,
		};
	});
	return {...affected, nodes};
}

/** The passes that may have been the first to see a change. */
const passesThatNotice = ({lo, hi}: Interval, schedule: PassSchedule): readonly Instant[] => [
	passAtOrAfter(schedule, lo),
	passAtOrAfter(schedule, hi),
];

/**
 * The passes that may have judged the zones by a change that a pass wrote: the same one, unless throttling made it long without
 * being seen to.
 */
function passesThatWrote(change: Interval, schedule: PassSchedule): readonly Instant[] {
	const own = schedule.stretchedPasses?.find(({at, until}) => at <= change.lo && change.hi <= until);
	if (own) return [own.at];
	const nearest = passAtOrAfter(schedule, at(change, 0.5) - schedule.period / 2);
	const isNear = nearest >= change.lo - passMayLast && nearest <= change.hi + passMayLast;
	return isNear ? [nearest] : passesThatNotice(change, schedule);
}

/**
 * Whether a zone with a rate of exactly 1 stays stopped. A change from a stop shows that, and nodes that wait longer than
 * their tokens would take, since the controllers started and the last taint came.
 *
 * @param taken when the last taint came
 */
function staysStopped(
	{past, waitingSince, settings, schedule, now}: BucketQuestion,
	swapped: Swap | undefined,
	taken: Interval | undefined,
): boolean {
	if (!hidesStop(past.rate)) return false;
	// New controllers start with a full bucket.
	if (swapped?.isDrained && swapped.lo - schedule.period >= schedule.firstPass) return true;
	if (waitingSince.length === 0) return false;
	const since = maxOf([...waitingSince, schedule.firstPass, taken?.hi ?? beginningOfTime]);
	const longestWait = waitingSince.length * second + settings.nodeMonitorPeriod + 2 * second;
	return now - since > longestWait;
}
