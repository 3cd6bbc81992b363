import {maxOf, minOf} from '../../../core/collections/extremes.ts';
import type {SettingsSpan} from '../../../core/model/settingsSpan.ts';
import {zoneKey} from '../../../core/model/zone.ts';
import {computeZoneState, evictionRate, type ZoneCount} from '../../../core/nodelifecycle/zones/zoneState.ts';
import {type Duration, type Instant, minute, second} from '../../../core/time/instant.ts';
import {type Interval, width} from '../../observe/interval.ts';
import {lifecycleTaint} from '../../observe/nodes/lifecycleTaint.ts';
import type {NodeEvidence} from '../../observe/nodes/nodeEvidence.ts';
import type {Observed} from '../../observe/observed.ts';
import {goDuration} from '../../words.ts';
import type {SeenOfControllers, SettingRanges} from '../settingsEvidence.ts';
import {type LearnedSettings, mergeLearned, type SettingDoubt} from './learnedSetting.ts';
import {busy, longestPass, type PastZone, pastZones, timeToWrite, writeWait} from './pastZones.ts';
import {isSeenStopped, waitingTooLong} from './waitingNodes.ts';
import {learnPace, polling, type ZoneTaint} from './zonePace.ts';

const rates = ['nodeEvictionRate', 'secondaryNodeEvictionRate'] as const;
const thresholds = ['unhealthyZoneThreshold', 'largeClusterSizeThreshold'] as const;

/** How many of a zone's latest taints are used for its rate, and how many for whether it was stopped. */
const mostTaints = 50;
const mostStopped = 3;
/** A rate is a float32, and a token may be used a moment late. */
const rateTolerance = 1.03;
/** The state of a zone is not known farther back. */
const remembered: Duration = 10 * minute;
/** Deleted nodes are known for this long, if they were watched. */
const deletionsKnown: Duration = 2 * minute;
/** How much larger a zone may have been. */
const shrunk = 1.5;

/** Finds zones that taint faster than they should, though they should not, or not though they should, or that stand still. */
export function zoneDoubts(
	observed: Observed,
	{lateEnd}: SettingsSpan,
): Pick<SeenOfControllers, 'learned' | 'doubts' | 'ifDefaults'> {
	const {affected, settings, leader} = observed;
	// If no controllers are seen at work, others may have started.
	if (!settings.taintBasedEvictions || !settings.nodeLifecycle || leader.type !== 'running')
		return {learned: {}, doubts: [], ifDefaults: {}};
	const doubts: SettingDoubt[] = [];
	let learned: LearnedSettings = {};
	const stopped: ZoneCount[] = [];
	const slowest = Math.min(lateEnd.nodeEvictionRate, lateEnd.secondaryNodeEvictionRate);
	const pastOf = pastZones(observed);
	for (const [zone, nodes] of Map.groupBy(affected.nodes, ({node}) => zoneKey(node))) {
		const past = pastOf(zone);
		const {label} = past;
		const taints = taintsOf(nodes, past);
		const pace = paceOf(taints);
		if (
			pace &&
			pace.rate > rateTolerance * Math.max(settings.nodeEvictionRate, settings.secondaryNodeEvictionRate)
		) {
			const sentence = `zone ${label} tainted ${pace.taints.length} nodes in ${goDuration(pace.within)}`;
			doubts.push({about: rates, seen: sentence});
			// At least one of the two rates is that high; the state of the zone decides which.
			if (isSurelyFull(pace.taints, past))
				learned = mergeLearned(learned, {
					nodeEvictionRate: {range: [pace.rate, null], observations: [sentence]},
				});
		}
		const against = taints.slice(-mostStopped).some((one) => wasStopped(one, past));
		if (against)
			doubts.push({about: thresholds, seen: `zone ${label} went on though it should have stopped`});
		learned = mergeLearned(learned, learnPace(taints, past));
		const waits = waitingTooLong(nodes, past);
		if (waits) doubts.push({about: [...rates, ...thresholds], seen: waits});
		const count = past.at(observed.now)?.count;
		if (count && isSeenStopped(nodes, past, slowest)) stopped.push(count);
	}
	return {learned, doubts, ifDefaults: thresholdsOf(stopped)};
}

/** The thresholds with which zones of these counts stand still. */
function thresholdsOf(stopped: readonly ZoneCount[]): SettingRanges {
	if (stopped.length === 0) return {};
	return {
		unhealthyZoneThreshold: [0, minOf(stopped.map(({notReady, size}) => notReady / size))],
		largeClusterSizeThreshold: [maxOf(stopped.map(({size}) => size)), null],
	};
}

/** When nodes of a zone certainly took a token for their taint, in order; not in new controllers' first passes. */
function taintsOf(
	nodes: readonly NodeEvidence[],
	{before, observed: {evidence, settings}}: PastZone,
): readonly ZoneTaint[] {
	const known = evidence.controllersStarted.hi + before + longestPass;
	return nodes
		.filter((one) => !mayBeSwapped(one))
		.flatMap(({node, taintedAt: at, readyChangedAt}) => {
			const taint = lifecycleTaint(node);
			if (!taint || !at || at.lo <= known) return [];
			const queuedBy = (readyChangedAt?.hi ?? at.hi) + settings.nodeMonitorPeriod;
			return {at, own: ownTime(taint.timeAdded, at), queuedBy};
		})
		.toSorted((a, b) => (a.own ?? a.at).lo - (b.own ?? b.at).lo)
		.slice(-mostTaints);
}

/** The time that a taint carries, unless that is of a later taint that replaced the first. */
const ownTime = (added: Instant | undefined, at: Interval): Interval | undefined =>
	added === undefined || added > at.hi + second ? undefined : {lo: added, hi: added + second};

/** Whether the taint may have replaced its opposite, which takes no token: neither its arrival nor a ready node was seen. */
const mayBeSwapped = ({taintedAt, wasReady}: NodeEvidence) =>
	wasReady !== true && !(taintedAt && wasWatched(taintedAt));

/** Only changes that were seen live are dated within a second. */
const wasWatched = (at: Interval) => width(at) < second;

/** The highest rate that a series of taints proves. */
function paceOf(taints: readonly ZoneTaint[]) {
	let best: {rate: number; taints: readonly Interval[]; within: Duration} | undefined;
	for (const [index, from] of taints.entries())
		for (const [further, to] of taints.slice(index + 1).entries()) {
			// By arrival, the client may have delayed the first.
			const within = from.own && to.own ? to.own.hi - from.own.lo : to.at.hi - from.at.lo + writeWait;
			const rate = (further + 1) / ((within + polling) / second);
			if (!best || rate > best.rate)
				best = {rate, taints: taints.slice(index, index + further + 2).map(({at}) => at), within};
		}
	return best;
}

/** Whether a zone was at the full rate during all of some taints by any threshold: at most two nodes, or all, were down. */
const isSurelyFull = (taints: readonly Interval[], {before, wasSo}: PastZone) =>
	taints.every(({lo, hi}) =>
		wasSo([lo - before, lo - before / 2, lo, hi], (past) => {
			if (!past) return false;
			const {notReady, size} = past.count;
			return notReady <= 2 || notReady === size;
		}),
	);

/** Whether a zone should have been stopped for longer than a pass when a taint came, and no pass was long. */
function wasStopped({at: taint, own}: ZoneTaint, {observed, before, changedAt, wasSo}: PastZone) {
	const {settings, now} = observed;
	const [lo, hi] = [Math.min(taint.lo, own?.lo ?? taint.lo), taint.hi];
	if (lo < now - remembered || changedAt > lo - before - longestPass) return false;
	if (timeToWrite({lo: lo - before - busy, hi}, observed) + writeWait > before) return false;
	const growth = wasWatched(taint) && lo > now - deletionsKnown ? 1 : shrunk;
	return wasSo([lo - before, lo - before / 2, lo, hi], (past, allDown) => {
		if (allDown || !past || past.rate > 0 || (past.otherRate ?? 0) > 0) return false;
		// Healthy nodes of the zone may have been deleted since.
		const count = {...past.count, size: Math.ceil(past.count.size * growth)};
		const state = computeZoneState(count, settings.unhealthyZoneThreshold);
		return evictionRate(state, count.size, settings) <= 0;
	});
}
