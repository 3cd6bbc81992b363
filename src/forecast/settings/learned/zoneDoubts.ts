import {isReadyNode} from '../../../core/model/node.ts';
import {zoneKey, zoneLabel} from '../../../core/model/zone.ts';
import {type Duration, type Instant, second} from '../../../core/time/instant.ts';
import {zonesAt} from '../../infer/zonePast.ts';
import type {Interval} from '../../observe/interval.ts';
import {lifecycleTaint} from '../../observe/nodes/lifecycleTaint.ts';
import type {NodeEvidence} from '../../observe/nodes/nodeEvidence.ts';
import type {Observed} from '../../observe/observed.ts';
import {goDuration} from '../../words.ts';
import type {LearnedSetting, SettingDoubt} from './learnedSetting.ts';

/** What the zones show that the settings in use do not explain. */
type ZoneDoubts = {readonly rate?: LearnedSetting; readonly doubts: readonly SettingDoubt[]};

const rates = ['nodeEvictionRate', 'secondaryNodeEvictionRate'] as const;
const thresholds = ['unhealthyZoneThreshold', 'largeClusterSizeThreshold'] as const;

/** So many taints of a zone are looked at, the latest. */
const mostTaints = 50;
/** A rate is a float32, and a token may be used a moment late. */
const tolerance = 1.03;
/** Passes and caches keep a change waiting so long. */
const slack: Duration = 3 * second;

/** Finds zones that taint faster than they should, or at all, or that do not taint though they should. */
export function zoneDoubts(observed: Observed): ZoneDoubts {
	const {affected, settings} = observed;
	if (!settings.taintBasedEvictions || !settings.nodeLifecycle) return {doubts: []};
	const doubts: SettingDoubt[] = [];
	let rate: LearnedSetting | undefined;
	for (const [zone, nodes] of Map.groupBy(affected.nodes, ({node}) => zoneKey(node))) {
		const taints = taintsOf(nodes, observed);
		const pace = paceOf(taints);
		if (
			pace &&
			pace.rate > tolerance * Math.max(settings.nodeEvictionRate, settings.secondaryNodeEvictionRate)
		) {
			const told = `zone ${zoneLabel(zone)} tainted ${pace.count} nodes in ${goDuration(pace.within)}`;
			doubts.push({about: rates, seen: told});
			// At least one of the two rates is that high: which one, the state of the zone decides.
			if (isSurelyFull(zone, taints, observed)) rate = {range: [pace.rate, null], observations: [told]};
		}
		const against = taints.find((one) => wasStopped(zone, one, observed));
		if (against)
			doubts.push({about: thresholds, seen: `zone ${zoneLabel(zone)} went on though it should have stopped`});
		const waits = waitingTooLong(zone, nodes, observed);
		if (waits) doubts.push({about: [...rates, ...thresholds], seen: waits});
	}
	return {...(rate && {rate}), doubts};
}

/** When nodes of a zone took a token for their taint, as far as that is certain, in order. */
function taintsOf(nodes: readonly NodeEvidence[], {evidence, settings}: Observed): readonly Interval[] {
	const started = evidence.controllersStarted.hi;
	return nodes
		.filter(({node, taintedAt}) => lifecycleTaint(node) && taintedAt && taintedAt.lo > started)
		.filter((one) => !mayBeSwapped(one, settings.nodeMonitorPeriod))
		.flatMap(({taintedAt}) => taintedAt ?? [])
		.toSorted((a, b) => a.lo - b.lo)
		.slice(-mostTaints);
}

/** Whether the taint may have replaced its opposite, which takes no token. */
const mayBeSwapped = ({taintedAt, readyChangedAt, wasReady}: NodeEvidence, period: Duration): boolean =>
	wasReady !== true &&
	taintedAt !== undefined &&
	readyChangedAt !== undefined &&
	Math.abs(taintedAt.lo - readyChangedAt.lo) < period + second;

/** The highest rate that taints prove: so many followed one within so long. */
function paceOf(taints: readonly Interval[]) {
	let best: {rate: number; count: number; within: Duration} | undefined;
	for (const [index, from] of taints.entries())
		for (const [further, to] of taints.slice(index + 1).entries()) {
			const within = to.hi - from.lo;
			const rate = (further + 1) / ((within + second / 5) / second);
			if (!best || rate > best.rate) best = {rate, count: further + 2, within};
		}
	return best;
}

/**
 * Whether a zone was evicted at the full rate for all of some taints, whatever the threshold is: two nodes or fewer, or all of
 * them, were down.
 */
function isSurelyFull(zone: string, taints: readonly Interval[], {affected, settings}: Observed): boolean {
	const before = 2 * settings.nodeMonitorPeriod + slack;
	return taints.every(({lo, hi}) =>
		[lo - before, lo - before / 2, lo, hi].every((at) =>
			(['lo', 'hi'] as const).every((edge) => {
				const count = zonesAt(at, affected, settings, edge).zones.get(zone)?.count;
				return count !== undefined && (count.notReady <= 2 || count.notReady === count.size);
			}),
		),
	);
}

/** Whether a zone should have been stopped for more than a pass when a taint came. */
function wasStopped(zone: string, taint: Interval, {affected, settings}: Observed): boolean {
	const before = 2 * settings.nodeMonitorPeriod + slack;
	const instants = [taint.lo - before, taint.lo - before / 2, taint.lo, taint.hi];
	return instants.every((at) =>
		(['lo', 'hi'] as const).every((edge) => {
			const {zones, allDown} = zonesAt(at, affected, settings, edge);
			const past = zones.get(zone);
			return !allDown && past !== undefined && past.rate <= 0 && (past.otherRate ?? 0) <= 0;
		}),
	);
}

/** Says that a node waits for its taint longer than the zone's rate explains. */
function waitingTooLong(
	zone: string,
	nodes: readonly NodeEvidence[],
	observed: Observed,
): string | undefined {
	const {affected, settings, evidence, leader, now} = observed;
	const {zones, allDown} = zonesAt(now, affected, settings);
	const rate = zones.get(zone)?.rate ?? 0;
	if (leader.type !== 'running' || allDown || rate <= 0 || Math.fround(rate) === 1) return undefined;
	const waiting = nodes.filter(({node}) => !isReadyNode(node) && !lifecycleTaint(node));
	const [one] = waiting;
	if (!one) return undefined;
	const free = Math.max(
		evidence.controllersStarted.hi,
		...nodes.flatMap(({readyChangedAt, taintedAt}) => [readyChangedAt?.hi ?? now, taintedAt?.hi ?? 0]),
		...affected.returned.map(({at}) => at.hi),
		...affected.deleted.map(({at}) => at.hi),
	);
	// All that was written since may have waited for the client, with the pods of each node.
	const writes = nodes.reduce((sum, {node}) => sum + 1 + evidence.pods.mapOfNode(node.name).size, 0);
	const patience: Instant = second / rate + 3 * settings.nodeMonitorPeriod + slack + (writes / 10) * second;
	if (now - free <= patience) return undefined;
	const waited = goDuration(Math.floor((now - free) / second) * second);
	return `node ${one.node.name} of zone ${zoneLabel(zone)} has waited ${waited} for its taint`;
}
