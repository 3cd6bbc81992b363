import {zoneKey} from '../../core/model/zone.ts';
import {nodeEvictionPeriod} from '../../core/nodelifecycle/rateLimitedTimedQueue.ts';
import {type Duration, type Instant, minute, second} from '../../core/time/instant.ts';
import {hasEvictionStarted, isWaiting} from '../observe/evictionStart.ts';
import type {Interval} from '../observe/interval.ts';
import type {NodeEvidence} from '../observe/nodeEvidence.ts';
import {isSilentAndReady} from '../observe/nodeLiveness.ts';
import type {Range} from '../podForecast.ts';
import type {Run} from '../simulate/ensemble.ts';
import {nodesToCome} from '../simulate/longPass.ts';
import type {Simulated} from '../simulate/simulated.ts';
import {throughLongPass} from '../simulate/slowedZone.ts';
import {merge} from './merge.ts';

/** Taints that can only begin later than this are not listed: a long queue would have hundreds. */
const listedFor: Duration = 15 * minute;

/**
 * When the next NoExecute taints of a zone are given, in order: the first, the second, and so on. Which node gets which
 * is chance, but the tokens come at their own times whoever takes them.
 *
 * A range without an end belongs to a taint that may never come.
 */
export function zoneTaints(zone: string, situation: Simulated): readonly Range[] {
	const {passes, runs, affected, settings, leader, now} = situation;
	const nodes = affected.nodes.filter(({node}) => zoneKey(node) === zone);
	if (nodes.length === 0 || !settings.nodeLifecycle || leader.type === 'absent') return [];
	if (!settings.taintBasedEvictions && isHidden(nodes, situation)) return [];
	const taintsOfRuns = runs.map((run) => taintsOfRun(run, zone, nodes, situation));
	const gap = affected.nodes.some((one) => isSilentAndReady(one, now)) ? passes.gap : 0;
	const ranges: Range[] = [];
	for (let k = 0; taintsOfRuns.some((taints) => k < taints.length); k += 1) {
		const {range} = merge(
			taintsOfRuns.map((taints) => taints[k]),
			gap,
		);
		if (!range || range.earliest > now + listedFor) break;
		const {earliest, expected, latest} = range;
		ranges.push({earliest: Math.max(earliest, now), expected: Math.max(expected, now), latest});
	}
	return ranges;
}

/**
 * Without taints a node that has no pods takes a token unseen, and one that comes back leaves it to others: what is left
 * to tell is told node by node.
 */
const isHidden = (nodes: readonly NodeEvidence[], {runs, affected}: Simulated): boolean =>
	nodes.some(({node}) => affected.traceless.has(node.name)) ||
	runs.some(({outcome}) => outcome.ready.size > 0);

/** The taints of a zone in one run, each with the range that chance leaves in it. */
function taintsOfRun(
	run: Run,
	zone: string,
	nodes: readonly NodeEvidence[],
	situation: Simulated,
): readonly Interval[] {
	const taints = [...taintsIn(run, nodes, situation), ...taintsAfter(run, zone, nodes)];
	if (!situation.settings.taintBasedEvictions) return taints;
	const {nodeEvictionRate, secondaryNodeEvictionRate} = situation.settings;
	// No more of them can begin in time.
	const most = 1 + Math.ceil((listedFor / second) * Math.max(nodeEvictionRate, secondaryNodeEvictionRate));
	const near = taints.slice(0, most);
	const toCome = nodesToCome(run, nodes);
	return withLeavers(throughLongPass(near, {run, zone, nodes, toCome, situation}), run, nodes, situation);
}

function taintsIn(
	{outcome}: Run,
	nodes: readonly NodeEvidence[],
	{now, affected, settings}: Simulated,
): readonly Interval[] {
	return nodes
		.flatMap((one) => {
			// A forecast may be a moment old: what it foretold for before now and did not come yet is due.
			const isOver = hasEvictionStarted(one, affected.evictionStarts, settings);
			const from = isOver ? now : Number.MIN_SAFE_INTEGER;
			return (outcome.spells.get(one.node.name) ?? []).filter((spell) => spell.from >= from);
		})
		.map(({from}) => from)
		.toSorted((a, b) => a - b)
		.map((at) => ({lo: at, hi: at}));
}

/** The queue is looked at every so often only: each token after the run may come that much later than the one before. */
function taintsAfter(
	{outcome, left}: Run,
	zone: string,
	nodes: readonly NodeEvidence[],
): readonly Interval[] {
	const tokens = outcome.tokens.get(zone);
	if (!tokens) return [];
	const isLeft = new Set(left);
	const waiting = outcome.waiting.get(zone)?.length ?? 0;
	const taints = waiting + nodes.filter(({node}) => isLeft.has(node.name)).length;
	return Array.from({length: taints}, (_, n) => {
		const lo = tokens.first + n * tokens.every;
		return {lo, hi: lo + (n + 1) * nodeEvictionPeriod};
	});
}

/**
 * Nodes that come back while others wait beside them take a token with them, or leave it to the others: how many taints
 * there are after that is chance.
 */
function withLeavers(
	taints: readonly Interval[],
	run: Run,
	nodes: readonly NodeEvidence[],
	{settings}: Simulated,
): readonly Interval[] {
	const since = firstLeave(run, nodes);
	const every = second / Math.max(settings.nodeEvictionRate, settings.secondaryNodeEvictionRate);
	let previous = Number.NEGATIVE_INFINITY;
	return taints.map((taint) => {
		if (taint.hi < since) return taint;
		previous = Math.min(taint.lo, Math.max(since, previous + every));
		return {lo: previous, hi: Number.POSITIVE_INFINITY};
	});
}

/** When a node first leaves the queue, or loses its taint, that others might have had instead. */
function firstLeave({outcome, brief}: Run, nodes: readonly NodeEvidence[]): Instant {
	const leaves = nodes.flatMap((one) => {
		const {name} = one.node;
		const taken = (brief.get(name) ?? []).flatMap(({isChance, to}) => (isChance ? [to] : []));
		const back = outcome.ready.get(name);
		const wasQueued = isWaiting(one) || (outcome.unknown.get(name) ?? Number.POSITIVE_INFINITY) < (back ?? 0);
		const wasTainted = outcome.spells.get(name)?.some(({from}) => from < (back ?? 0)) ?? false;
		return back !== undefined && wasQueued && !wasTainted ? [...taken, back] : taken;
	});
	const contenders = nodes.filter((one) => isWaiting(one) || outcome.unknown.has(one.node.name));
	return contenders.length > 1 ? Math.min(Number.POSITIVE_INFINITY, ...leaves) : Number.POSITIVE_INFINITY;
}
