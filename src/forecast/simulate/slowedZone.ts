import {maxOf, minOf} from '../../core/collections/extremes.ts';
import {zoneKey} from '../../core/model/zone.ts';
import {nodeEvictionPeriod} from '../../core/nodelifecycle/zones/rateLimitedTimedQueue.ts';
import {computeZoneState, evictionRate} from '../../core/nodelifecycle/zones/zoneState.ts';
import {beginningOfTime, type Duration, type Instant, never} from '../../core/time/instant.ts';
import {refillOf, tokenFinder} from '../infer/bucket.ts';
import type {Inferred} from '../infer/inferred.ts';
import type {ThrottledPass} from '../infer/throttledPasses.ts';
import type {Interval} from '../observe/interval.ts';
import {waitsForTaint} from '../observe/nodes/lifecycleTaint.ts';
import {isSilent, isSilentAndReady} from '../observe/nodes/nodeLiveness.ts';
import {readsWait} from '../observe/passes/leaseReads.ts';
import {firstAtOrAfter} from './chance.ts';
import type {PassRun} from './passRun.ts';
import {arrivalOf, hasThrottledPass, inAnyOrder} from './throttledOrder.ts';
import {taintsOf, type ZoneInRun, zoneInRun} from './zoneInRun.ts';

/** Widens the range of a node that may get any taint of its zone from the first to the last of that range. */
export type Widen = (range: Interval) => Interval;

/** Where no pass is throttled. */
export const asIs: Widen = (range) => range;

/** How far a throttled pass may move the taints of a zone from their times in one run, whichever nodes get them. */
export function widenerOf(zone: string, run: PassRun): Widen {
	const inRun = zoneInRun(zone, run, run.state);
	const taints = taintsOf(inRun);
	const instants = taints.map(({lo}) => lo);
	const ranges = widenedByPass(taints, inRun);
	return ({lo, hi}) => {
		const first = ranges[firstAtOrAfter(instants, lo)];
		const last = ranges[firstAtOrAfter(instants, hi + 1) - 1];
		return {lo: Math.min(lo, first?.lo ?? lo), hi: Math.max(hi, last?.hi ?? hi)};
	};
}

/** A time in which a zone may be slowed down, because a pass judged it by only a part of its nodes. */
type SlowTime = {readonly from: Instant; readonly until: Instant};

/**
 * The ranges of a zone's taints, as wide as a throttled pass makes them. The pass judges the zones at its end, by the nodes that it
 * reached. Which nodes it leaves to the next pass is random, so a zone that loses all its nodes may count as partially
 * disrupted until the next pass has ended too.
 *
 * @param taints of the zone in a run, in order
 */
export function widenedByPass(taints: readonly Interval[], inRun: ZoneInRun): readonly Interval[] {
	const written = widenedByWrites(taints, inRun);
	return readsDelayPasses(inRun.run, inRun.situation) ? widenedByReads(written, inRun) : written;
}

function widenedByWrites(taints: readonly Interval[], inRun: ZoneInRun): readonly Interval[] {
	const {run, zone, situation} = inRun;
	const {throttled, settings, now} = situation;
	if (hasThrottledPass(run)) {
		const every = refillOf(settings.nodeEvictionRate);
		const slow = {from: slowFrom(inRun), until: judgedBy(inRun)};
		return widenedWhileSlow(inAnyOrder(taints, inRun, every), slow, inRun);
	}
	const forNothing = throttled.queuedForNothing(zone);
	const delay = forNothing === 0 ? 0 : forNothing * longestInterval(inRun);
	const delayed = taints.map(({lo, hi}) => ({lo, hi: hi + delay}));
	const pass = throttled.latest;
	if (!pass || !maySlow(pass, inRun)) return delayed;
	return widenedWhileSlow(delayed, {from: now, until: pass.endsBy}, inRun);
}

/** Whether a throttled pass may move the taints of a zone in a run. */
export const isWidenedByPass = (zone: string, run: PassRun) =>
	hasThrottledPass(run) ||
	run.state.throttled.latest !== undefined ||
	run.state.throttled.queuedForNothing(zone) > 0 ||
	readsDelayPasses(run, run.state);

/** Whether every pass waits for the client's throttle, because it reads the lease of each silent node. */
function readsDelayPasses({outcome, unreached}: PassRun, {affected, settings, now}: Inferred): boolean {
	if (!settings.confirmsSilence) return false;
	const isUnreached = new Set(unreached);
	const silent = affected.nodes.filter(
		(one) => isSilent(one, now) || outcome.unknown.has(one.node.name) || isUnreached.has(one.node.name),
	);
	return readsWait(silent.length, settings) > 0;
}

/**
 * A pass that reads leases for long checks nodes as they were when it began: a node that is tainted meanwhile may be
 * queued again, and takes a token without effect. That happens at most once for each taint.
 */
function widenedByReads(taints: readonly Interval[], inRun: ZoneInRun): readonly Interval[] {
	const every = refillOf(inRun.situation.settings.nodeEvictionRate);
	const first = taints[0]?.lo ?? 0;
	return taints.map(({lo, hi}, n) => ({
		lo: Math.min(lo, first + n * every),
		hi: hi + (n + 1) * longestInterval(inRun),
	}));
}

/** While a zone may be slow, taints may come as before, or not at all. After that they come at the final rate. */
function widenedWhileSlow(
	taints: readonly Interval[],
	{from, until}: SlowTime,
	inRun: ZoneInRun,
): readonly Interval[] {
	const {throttled, settings} = inRun.situation;
	const every = refillOf(settings.nodeEvictionRate);
	const before = taints.filter(({hi}) => hi < from);
	const sure = before.length;
	const queuedAgainFrom = queuesAgainFrom(inRun);
	const forNothing =
		throttled.queuedForNothing(inRun.zone) + before.filter(({hi}) => hi >= queuedAgainFrom).length;
	const everyThen = longestInterval(inRun);
	const leastThen = finalInterval(inRun) - nodeEvictionPeriod;
	const results = taints.slice(0, sure);
	const soonest = sure > 0 ? from : Math.max(from, tokenFrom(inRun));
	for (const [n, taint] of taints.slice(sure).entries()) {
		const previous = results.at(-1)?.lo ?? beginningOfTime;
		results.push({
			// A token that waits when the rate changes is taken at once; those after it come at the final rate.
			lo:
				previous >= until
					? Math.min(previous + leastThen, taint.hi)
					: Math.min(taint.lo, Math.max(soonest, previous + every)),
			hi: Math.max(taint.hi, until + (n + 1 + forNothing) * everyThen),
		});
	}
	return results;
}

/**
 * From when a long pass of the run may queue nodes again that are tainted while it lasts: it checks them as they were before. The
 * pass that turned a node Unknown does not.
 */
function queuesAgainFrom({run, nodes, situation}: ZoneInRun): Instant {
	const {throttledPass} = situation.passes;
	if (throttledPass && throttledPass.passedBy.size > 0) return beginningOfTime;
	const [secondPass = never] = run.trajectory.passStarts;
	return nodes.some(waitsForTaint) ? Math.min(secondPass, run.schedule.nextPass) : secondPass;
}

/** The earliest time of a token in a zone's bucket: that its rate is not known does not bring the first one sooner. */
function tokenFrom({zone, situation}: ZoneInRun): Instant {
	const {affected, settings, passes, now} = situation;
	const {schedule} = passes;
	const past = situation.zones.zones.get(zone);
	const zones = new Map(past && [[zone, past]]);
	return tokenFinder({zones, affected, settings, schedule, now})(zone, [])?.lo ?? beginningOfTime;
}

/** The earliest end of a pass that finds enough of the zone's nodes down to slow the zone. */
function slowFrom(inRun: ZoneInRun): Instant {
	const {zone, nodes, situation} = inRun;
	const silent = nodes.filter((one) => isSilentAndReady(one, situation.now)).length;
	for (let more = 0; more <= silent; more += 1) {
		if (isSlowWith(more, zone, situation)) {
			return more === 0 ? situation.now : arrivalOf(more - 1, inRun).lo;
		}
	}
	return situation.zonesToCome.found.allDown ? arrivalOf(silent - 1, inRun).lo : never;
}

/** Whether a zone is slowed down with this many more of its nodes down than now. */
function isSlowWith(more: number, zone: string, {settings, zones}: Inferred) {
	const past = zones.zones.get(zone);
	if (!past) return false;
	const count = {size: past.count.size, notReady: past.count.notReady + more};
	const state = computeZoneState(count, settings.unhealthyZoneThreshold);
	return evictionRate(state, count.size, settings) < settings.nodeEvictionRate;
}

/** Whether the pass that judges a zone may not have ended yet, and may slow the zone down. */
function maySlow({marked}: ThrottledPass, {zone, situation}: ZoneInRun) {
	const found = marked.filter(({node}) => zoneKey(node) === zone).length;
	return Array.from({length: found + 1}, (_, back) => isSlowWith(-back, zone, situation)).includes(true);
}

/** The latest end of the pass that finds the last node, including the marking of its pods. */
function judgedBy({run, situation}: ZoneInRun): Instant {
	const last = run.outcome.unknown.size + run.unreached.length - 1;
	const found = run.unknownAt(last, situation.now)?.hi ?? situation.now;
	// Two passes may share the nodes: that adds the pause between them, and a last round of each in which workers run
	// idle.
	const {monitorWorkers, nodeMonitorPeriod} = situation.settings;
	return found + 2 * monitorWorkers * paceOf(run) + 2 * nodeMonitorPeriod;
}

/** The average time that a pass takes for a node. */
function paceOf({outcome}: PassRun): Duration {
	const times = [...outcome.unknown.values()];
	if (times.length < 2) return 0;
	return (maxOf(times) - minOf(times)) / (times.length - 1);
}

/** The time between two tokens of a zone once all silent nodes are Unknown; infinite if it is stopped then. */
const finalInterval = (inRun: ZoneInRun): Duration => refillOf(finalRate(inRun)) + nodeEvictionPeriod;

/** The same by the lowest rate that is possible. */
function longestInterval(inRun: ZoneInRun): Duration {
	const {settings, span} = inRun.situation;
	const rate = finalRate(inRun);
	const key = rate === settings.nodeEvictionRate ? 'nodeEvictionRate' : 'secondaryNodeEvictionRate';
	return refillOf(rate > 0 ? Math.min(rate, span.lateEnd[key]) : 0) + nodeEvictionPeriod;
}

const finalRate = ({zone, situation}: ZoneInRun): number =>
	situation.zonesToCome.found.zones.get(zone)?.rate ?? 0;
