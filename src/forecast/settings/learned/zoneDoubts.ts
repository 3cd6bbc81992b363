import {kept} from '../../../core/collections/kept.ts';
import type {ControllerSettings} from '../../../core/model/controllerSettings.ts';
import {zoneKey, zoneLabel} from '../../../core/model/zone.ts';
import {computeZoneState, evictionRate} from '../../../core/nodelifecycle/zones/zoneState.ts';
import {beginningOfTime, type Duration, type Instant, minute, second} from '../../../core/time/instant.ts';
import {type ZonesPast, zonesAt} from '../../infer/zonePast.ts';
import {type Interval, width} from '../../observe/interval.ts';
import {lifecycleTaint, waitsForTaint} from '../../observe/nodes/lifecycleTaint.ts';
import type {NodeEvidence} from '../../observe/nodes/nodeEvidence.ts';
import type {Observed} from '../../observe/observed.ts';
import {goDuration} from '../../words.ts';
import {isWithin, type LearnedSetting, type SettingDoubt} from './learnedSetting.ts';
import {writeWait} from './learnedZones.ts';

/** Observations of zones that the settings in use do not explain. */
type ZoneDoubts = {readonly rate?: LearnedSetting; readonly doubts: readonly SettingDoubt[]};

const rates = ['nodeEvictionRate', 'secondaryNodeEvictionRate'] as const;
const thresholds = ['unhealthyZoneThreshold', 'largeClusterSizeThreshold'] as const;

/** How many of a zone's latest taints are used for its rate, and how many for whether it was stopped. */
const mostTaints = 50;
const mostStopped = 3;
/** A rate is a float32, and a token may be used a moment late. */
const rateTolerance = 1.03;
/** Passes and caches may delay a change this long. */
const changeDelay: Duration = 3 * second;
/** The queue is processed every 100 ms, and a taint is dated when it is made. */
const polling: Duration = second / 5;
/** From one pass to the next, with the longest period that people set. */
export const longestPass: Duration = 10 * second;
/** A pass that began before this time wrote as much during it as its client allows. */
const busy: Duration = minute;
/** The state of a zone is not known farther back. */
const remembered: Duration = 10 * minute;
/** Deleted nodes are known for this long, if they were watched. */
const deletionsKnown: Duration = 2 * minute;
/** How much larger a zone may have been. */
const shrunk = 1.5;

/** When a node got its taint, as observed, and by the taint's own time if that is of the same taint. */
type ZoneTaint = {
	readonly at: Interval;
	readonly own: Interval | undefined;
	/** The latest time at which a pass had queued the node for it. */
	readonly queuedBy: Instant;
};

/** The zones at past instants, cached: many taints need the same ones. */
class Past {
	readonly observed: Observed;
	/** When the currently healthy nodes of each zone last changed, and when its youngest node was created. */
	readonly changedAt = new Map<string, Instant>();
	readonly youngest = new Map<string, Instant>();
	readonly #zones = new Map<string, ZonesPast>();

	constructor(observed: Observed) {
		this.observed = observed;
		const affected = new Set(observed.affected.nodes.map(({node}) => node.name));
		for (const {node, readyChangedAt} of observed.evidence.nodes.values()) {
			const zone = zoneKey(node);
			raise(this.youngest, zone, node.createdAt);
			raise(this.changedAt, zone, node.createdAt);
			if (!affected.has(node.name) && readyChangedAt) raise(this.changedAt, zone, readyChangedAt.hi);
		}
	}

	zonesAt(at: Instant, edge: keyof Interval): ZonesPast {
		const key = `${edge} ${at}`;
		const {affected, settings} = this.observed;
		return kept(this.#zones, key, () => zonesAt(at, affected, settings, edge));
	}
}

function raise(latest: Map<string, Instant>, zone: string, at: Instant): void {
	latest.set(zone, Math.max(at, latest.get(zone) ?? beginningOfTime));
}

/** How long before a taint a zone must have had its state, for the pass to have seen it. */
const beforeOf = ({nodeMonitorPeriod}: ControllerSettings): Duration => 2 * nodeMonitorPeriod + changeDelay;

/** Finds zones that taint faster than they should, or though they should not, or do not though they should. */
export function zoneDoubts(observed: Observed): ZoneDoubts {
	const {affected, settings, leader} = observed;
	// If no controllers are seen at work, others may have started.
	if (!settings.taintBasedEvictions || !settings.nodeLifecycle || leader.type !== 'running')
		return {doubts: []};
	const doubts: SettingDoubt[] = [];
	let rate: LearnedSetting | undefined;
	const past = new Past(observed);
	for (const [zone, nodes] of Map.groupBy(affected.nodes, ({node}) => zoneKey(node))) {
		const taints = taintsOf(nodes, observed);
		const pace = paceOf(taints);
		if (
			pace &&
			pace.rate > rateTolerance * Math.max(settings.nodeEvictionRate, settings.secondaryNodeEvictionRate)
		) {
			const sentence = `zone ${zoneLabel(zone)} tainted ${pace.taints.length} nodes in ${goDuration(pace.within)}`;
			doubts.push({about: rates, seen: sentence});
			// At least one of the two rates is that high; the state of the zone decides which.
			if (isSurelyFull(zone, pace.taints, past)) rate = {range: [pace.rate, null], observations: [sentence]};
		}
		const against = taints.slice(-mostStopped).some((one) => wasStopped(zone, one, past));
		if (against)
			doubts.push({about: thresholds, seen: `zone ${zoneLabel(zone)} went on though it should have stopped`});
		rate ??= usualPace(zone, taints, past);
		const waits = waitingTooLong(zone, nodes, past);
		if (waits) doubts.push({about: [...rates, ...thresholds], seen: waits});
	}
	return {...(rate && {rate}), doubts};
}

/**
 * When nodes of a zone took a token for their taint, as far as certain, in order. Controllers do not know the zones yet in
 * their first passes.
 */
function taintsOf(nodes: readonly NodeEvidence[], {evidence, settings}: Observed): readonly ZoneTaint[] {
	const known = evidence.controllersStarted.hi + beforeOf(settings) + longestPass;
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
const mayBeSwapped = ({taintedAt, wasReady}: NodeEvidence): boolean =>
	wasReady !== true && !(taintedAt && wasWatched(taintedAt));

/** Only changes that were seen live are dated within a second. */
const wasWatched = (at: Interval): boolean => width(at) < second;

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

/**
 * The eviction rate, if two taints of a zone confirm the one in use: the second node was queued when the first was tainted,
 * so their distance is that of tokens. Taints farther apart show nothing: a node that is back may have taken a token between.
 */
function usualPace(zone: string, taints: readonly ZoneTaint[], past: Past): LearnedSetting | undefined {
	const {settings} = past.observed;
	for (const [index, {own: to, queuedBy}] of taints.entries()) {
		const from = taints[index - 1]?.own;
		if (!from || !to || queuedBy > to.lo - polling) continue;
		const apart = {lo: to.lo - from.hi - polling, hi: to.hi - from.lo + polling};
		const range = [second / apart.hi, apart.lo > 0 ? second / apart.lo : null] as const;
		const isUsual = range[1] !== null && isWithin(settings.nodeEvictionRate, range);
		if (!isUsual || !isAtFullRate(zone, {lo: from.lo, hi: to.hi}, past)) continue;
		const sentence = `zone ${zoneLabel(zone)} tainted waiting nodes ${goDuration(to.lo - from.lo)} apart`;
		return {range, observations: [sentence]};
	}
	return undefined;
}

/** Whether a zone had the eviction rate of a healthy zone during all of some time, by the settings in use. */
const isAtFullRate = (zone: string, {lo, hi}: Interval, past: Past): boolean => {
	const {settings} = past.observed;
	return hadRate(zone, settings.nodeEvictionRate, [lo - beforeOf(settings), lo, hi], past);
};

/** Whether a zone had a rate at some instants, by the settings in use. */
const hadRate = (zone: string, rate: number, instants: readonly Instant[], past: Past): boolean =>
	instants.every((at) =>
		(['lo', 'hi'] as const).every((edge) => {
			const {zones, allDown} = past.zonesAt(at, edge);
			return !allDown && zones.get(zone)?.rate === rate;
		}),
	);

/**
 * Whether a zone was evicted at the full rate during all of some taints, whatever the threshold: at most two nodes, or all of
 * them, were down.
 */
function isSurelyFull(zone: string, taints: readonly Interval[], past: Past): boolean {
	const before = beforeOf(past.observed.settings);
	return taints.every(({lo, hi}) =>
		[lo - before, lo - before / 2, lo, hi].every((at) =>
			(['lo', 'hi'] as const).every((edge) => {
				const count = past.zonesAt(at, edge).zones.get(zone)?.count;
				return count !== undefined && (count.notReady <= 2 || count.notReady === count.size);
			}),
		),
	);
}

/** Whether a zone should have been stopped for longer than a pass when a taint came, and no pass was long. */
function wasStopped(zone: string, {at: taint, own}: ZoneTaint, past: Past): boolean {
	const {settings, now} = past.observed;
	const before = beforeOf(settings);
	const [lo, hi] = [Math.min(taint.lo, own?.lo ?? taint.lo), taint.hi];
	if (lo < now - remembered || isChanged(past.changedAt, zone, lo - before - longestPass)) return false;
	if (timeToWrite({lo: lo - before - busy, hi}, past.observed) + writeWait > before) return false;
	const growth = wasWatched(taint) && lo > now - deletionsKnown ? 1 : shrunk;
	return [lo - before, lo - before / 2, lo, hi].every((at) =>
		(['lo', 'hi'] as const).every((edge) => {
			const {zones, allDown} = past.zonesAt(at, edge);
			const one = zones.get(zone);
			if (allDown || !one || one.rate > 0 || (one.otherRate ?? 0) > 0) return false;
			// Healthy nodes of the zone may have been deleted since.
			const count = {...one.count, size: Math.ceil(one.count.size * growth)};
			const state = computeZoneState(count, settings.unhealthyZoneThreshold);
			return evictionRate(state, count.size, settings) <= 0;
		}),
	);
}

const isChanged = (latest: ReadonlyMap<string, Instant>, zone: string, since: Instant): boolean =>
	(latest.get(zone) ?? beginningOfTime) > since;

/** How long the controllers took for their writes in a time, to the nodes of all zones and their pods. */
function timeToWrite({lo, hi}: Interval, {affected, evidence, settings}: Observed): Duration {
	if (settings.kubeApiQps <= 0) return 0;
	const isIn = (at: Interval | undefined) => at !== undefined && at.hi >= lo && at.lo <= hi;
	const writes = affected.nodes.reduce((sum, {node, readyChangedAt, taintedAt}) => {
		const ofReady = isIn(readyChangedAt) ? 1 + evidence.pods.mapOfNode(node.name).size : 0;
		return sum + ofReady + (isIn(taintedAt) ? 2 : 0);
	}, 0);
	return (writes / settings.kubeApiQps) * second;
}

/** Reports a node that waits for its taint longer than the zone's rate explains, though nothing changed in any zone. */
function waitingTooLong(zone: string, nodes: readonly NodeEvidence[], past: Past): string | undefined {
	const {affected, settings, evidence, now} = past.observed;
	const [one, ...others] = nodes.filter(waitsForTaint);
	if (!one) return undefined;
	const {zones, allDown} = past.zonesAt(now, 'lo');
	const {rate = 0, state} = zones.get(zone) ?? {};
	if (allDown || rate <= 0 || Math.fround(rate) === 1) return undefined;
	// A zone that grows while it is partly down keeps the rate of its size before.
	const downSince = Math.min(...[one, ...others].map(({readyChangedAt}) => readyChangedAt?.lo ?? now));
	if (state === 'PartialDisruption' && isChanged(past.youngest, zone, downSince)) return undefined;
	const before = beforeOf(settings);
	const spent = [
		evidence.controllersStarted.hi,
		...affected.nodes.map(({taintedAt}) => taintedAt?.hi ?? 0),
		...[...affected.returned, ...affected.deleted].map(({at}) => at.hi),
	].reduce((latest, at) => Math.max(latest, at));
	const free = affected.nodes.reduce(
		(latest, {readyChangedAt}) => Math.max(latest, readyChangedAt?.hi ?? now),
		spent,
	);
	// Everything written until then may have waited for the client, including the pods of each node.
	const written = timeToWrite({lo: free - busy, hi: now}, past.observed);
	if (written + writeWait > before) return undefined;
	// A full bucket lets a node through in the pass that queues it.
	const isFull =
		settings.queuesInPassOfTransition &&
		spent < downSince - second / rate - longestPass &&
		hadRate(zone, rate, [downSince - before, downSince, now], past);
	const ofQueue = isFull ? writeWait : second / rate + settings.nodeMonitorPeriod + longestPass;
	const patience = before + ofQueue + 2 * written;
	if (now - free <= patience) return undefined;
	const waited = goDuration(Math.floor((now - free) / second) * second);
	return `node ${one.node.name} of zone ${zoneLabel(zone)} has waited ${waited} for its taint`;
}
