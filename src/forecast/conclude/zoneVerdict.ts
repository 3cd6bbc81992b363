import {zoneKey, zoneLabel} from '../../core/model/zone.ts';
import {isExcludedFromDisruptionChecks} from '../../core/nodelifecycle/nodeLabels.ts';
import {
	beginningOfTime,
	type Duration,
	type Instant,
	minute,
	never,
	second,
} from '../../core/time/instant.ts';
import type {Stop} from '../infer/evictionStop.ts';
import type {ZonePast} from '../infer/zonePast.ts';
import {zoneWith} from '../infer/zoneRelease.ts';
import type {Interval} from '../observe/interval.ts';
import {waitsForTaint} from '../observe/nodes/lifecycleTaint.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {isOnlyLate, isSilentAndReady} from '../observe/nodes/nodeLiveness.ts';
import type {Range} from '../range.ts';
import type {Run} from '../simulate/run.ts';
import {widenedByPass} from '../simulate/slowedZone.ts';
import {taintsOfZone} from '../simulate/taintUncertainty.ts';
import {nodesAheadOf} from '../simulate/throttledOrder.ts';
import type {StateStep, ZoneForecast, ZoneStop, ZoneStory} from '../zoneForecast.ts';
import type {Concluded} from './concluded.ts';
import {merge} from './merge.ts';
import {storyAhead} from './zoneStory.ts';

/** The state of a zone, and how far it is from others; without the reasons. */
export function judgeZone(zone: string, past: ZonePast, situation: Concluded): ZoneForecast {
	const stop = situation.stops.shown(zone);
	const silent = countIn(zone, isSilentAndReady, situation);
	const taints = zoneTaints(zone, situation);
	return {
		zone: zoneLabel(zone),
		state: past.state,
		size: past.count.size,
		notReady: past.count.notReady,
		silent,
		late: countIn(zone, isOnlyLate, situation),
		rate: stop ? 0 : past.rate,
		nextTaint: nextTaint(zone, taints, situation),
		taints,
		queue: situation.queues.namesIn(zone),
		coming: silent > 0 ? comingStory(zone, situation) : stays,
		toNextState: stepsToOtherStates(zone, situation),
		because: [],
		...(stop ? {stopped: shownStop(stop)} : {}),
	};
}

/**
 * When a zone may taint one more node: once its bucket holds a token. Where nodes wait, the first of them is tainted then, or in
 * the state that comes before. Null if evictions are stopped.
 */
function nextTaint(zone: string, [first]: readonly Range[], {queues}: Concluded): Range | null {
	const token = queues.nextTokenOf(zone);
	const isAwaited = first !== undefined && queues.namesIn(zone).length > 0;
	return token && isAwaited ? token.joinedWith(first) : token;
}

/** When a zone's next node may be tainted. */
export const nextTaintOf = (zone: string, situation: Concluded): Range | null =>
	nextTaint(zone, zoneTaints(zone, situation), situation);

const countIn = (
	zone: string,
	isCounted: (one: NodeEvidence, now: Instant) => boolean,
	{affected, settings, now}: Concluded,
): number =>
	affected.nodes.filter(
		(one) =>
			zoneKey(one.node) === zone &&
			isCounted(one, now) &&
			!isExcludedFromDisruptionChecks(one.node, settings),
	).length;

const stays: ZoneStory = {steps: [], isSure: true};

/** Without a controller manager, the runs suppose that one takes over now. */
const comingStory = (zone: string, situation: Concluded): ZoneStory =>
	situation.leader.type === 'absent' ? stays : storyAhead(zone, situation);

const shownStop = ({firstAfter: _, ...stop}: Stop): ZoneStop => stop;

/**
 * The fewest nodes that must go down, and the fewest that must come back, to change the state that the zone has once its
 * silent nodes are found; if it does not evict then, also how many until it does.
 */
function stepsToOtherStates(zone: string, {zonesToCome, settings, leader}: Concluded): readonly StateStep[] {
	const {zones} = zonesToCome.found;
	const {size = 0, notReady = 0} = zones.get(zone)?.count ?? {};
	const isControlled = leader.type !== 'absent';
	const stepWith = (back: number) => {
		const {state, rate} = zoneWith(zone, back, zones, settings);
		return {state, rate: isControlled ? rate : 0};
	};
	const before = stepWith(0);
	const stepsOf = (most: number, toStep: (nodes: number) => StateStep) => {
		const steps: StateStep[] = [];
		for (let nodes = 1; nodes <= most; nodes += 1) {
			const step = toStep(nodes);
			const last = steps.at(-1) ?? before;
			if (step.state !== last.state) steps.push(step);
			if (steps.length > 0 && (before.rate > 0 || step.rate > 0 || !isControlled)) break;
		}
		return steps.filter(({rate}, index) => index === 0 || rate > 0);
	};
	return [
		...stepsOf(size - notReady, (nodesDown) => ({...stepWith(-nodesDown), nodesDown})),
		...stepsOf(notReady, (nodesBack) => ({...stepWith(nodesBack), nodesBack})),
	];
}

/** Taints that can only begin later than this are not listed: a long queue would give hundreds. */
const listedFor: Duration = 15 * minute;

/**
 * When the next NoExecute taints of a zone are added, in order: the first, the second, and so on. Which node gets which is
 * random, but the tokens come at their own times.
 *
 * A range without an end belongs to a taint that may never come.
 */
function zoneTaints(zone: string, situation: Concluded): readonly Range[] {
	const {passes, runs, affected, settings, leader, now} = situation;
	const nodes = affected.nodes.filter(({node}) => zoneKey(node) === zone);
	if (nodes.length === 0 || !settings.nodeLifecycle || leader.type === 'absent') return [];
	if (!settings.taintBasedEvictions && isHidden(nodes, situation)) return [];
	const taintsOfRuns = runs.map((run) => taintsOfRun(run, zone, nodes, situation));
	const slack = affected.nodes.some((one) => isSilentAndReady(one, now)) ? passes.phaseSpacing : 0;
	const ranges: Range[] = [];
	for (let k = 0; taintsOfRuns.some((taints) => k < taints.length); k += 1) {
		const {range} = merge(
			taintsOfRuns.map((taints) => taints[k]),
			slack,
		);
		if (!range || range.earliest > now + listedFor) break;
		ranges.push(range.notBefore(now));
	}
	return ranges;
}

/**
 * Without taints, a node without pods takes a token unseen, and one that comes back leaves it to others: then evictions are
 * only shown by node.
 */
const isHidden = (nodes: readonly NodeEvidence[], {runs, affected}: Concluded): boolean =>
	nodes.some(({node}) => affected.traceless.has(node.name)) ||
	runs.some(({outcome}) => outcome.ready.size > 0);

/** The taints of a zone in one run, each with the range that random order leaves open. */
function taintsOfRun(
	run: Run,
	zone: string,
	nodes: readonly NodeEvidence[],
	situation: Concluded,
): readonly Interval[] {
	const {taintBasedEvictions, nodeEvictionRate, secondaryNodeEvictionRate} = situation.settings;
	if (!taintBasedEvictions) return taintsOfZone(zone, run, nodes, situation);
	// No more of them can begin within that time.
	const most = 1 + Math.ceil((listedFor / second) * Math.max(nodeEvictionRate, secondaryNodeEvictionRate));
	const near = taintsOfZone(zone, run, nodes, situation, most);
	const nodesAhead = nodesAheadOf(run, nodes);
	return withLeavers(widenedByPass(near, {run, zone, nodes, nodesAhead, situation}), run, nodes, situation);
}

/**
 * Nodes that come back while others wait beside them take a token with them, or leave it to the others: how many taints
 * follow is random.
 */
function withLeavers(
	taints: readonly Interval[],
	run: Run,
	nodes: readonly NodeEvidence[],
	{settings}: Concluded,
): readonly Interval[] {
	const since = firstLeave(run, nodes);
	const every = second / Math.max(settings.nodeEvictionRate, settings.secondaryNodeEvictionRate);
	let previous = beginningOfTime;
	return taints.map((taint) => {
		if (taint.hi < since) return taint;
		previous = Math.min(taint.lo, Math.max(since, previous + every));
		return {lo: previous, hi: never};
	});
}

/** When a node first leaves the queue, or loses its taint, which others might have had instead. */
function firstLeave({outcome, brief}: Run, nodes: readonly NodeEvidence[]): Instant {
	if (outcome.ready.size === 0 && brief.size === 0) return never;
	const leaves = nodes.flatMap((one) => {
		const {name} = one.node;
		const taken = (brief.get(name) ?? []).flatMap(({isChance, to}) => (isChance ? [to] : []));
		const back = outcome.ready.get(name);
		const wasQueued = waitsForTaint(one) || (outcome.unknown.get(name) ?? never) < (back ?? 0);
		const wasTainted = outcome.spells.get(name)?.some(({from}) => from < (back ?? 0)) ?? false;
		return back !== undefined && wasQueued && !wasTainted ? [...taken, back] : taken;
	});
	const contenders = nodes.filter((one) => waitsForTaint(one) || outcome.unknown.has(one.node.name));
	return contenders.length > 1 ? Math.min(never, ...leaves) : never;
}
