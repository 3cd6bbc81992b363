import {minOf} from '../../../core/collections/extremes.ts';
import {kept} from '../../../core/collections/kept.ts';
import {
	beginningOfTime,
	type Duration,
	type Instant,
	minute,
	never,
	second,
} from '../../../core/time/instant.ts';
import {nodesIn} from '../../observe/affectedNodes.ts';
import type {Interval} from '../../observe/interval.ts';
import {waitsForTaint} from '../../observe/nodes/lifecycleTaint.ts';
import type {NodeEvidence} from '../../observe/nodes/nodeEvidence.ts';
import {isSilentAndReady} from '../../observe/nodes/nodeLiveness.ts';
import type {Range} from '../../range.ts';
import type {Run} from '../../simulate/run.ts';
import type {Simulated} from '../../simulate/simulated.ts';
import {widenedByPass} from '../../simulate/slowedZone.ts';
import {taintsOf, zoneInRun} from '../../simulate/zoneInRun.ts';
import {merge} from '../merge.ts';

/** Taints that can only begin later than this are not listed: a long queue would give hundreds. */
const listedFor: Duration = 15 * minute;

/**
 * When the next NoExecute taints of each zone are added, in order: the first, the second, and so on. Which node gets which is
 * random, but the tokens come at their own times. A range without an end belongs to a taint that may never come.
 */
export class ZoneTaints {
	readonly #simulated: Simulated;
	readonly #found = new Map<string, readonly Range[]>();

	constructor(simulated: Simulated) {
		this.#simulated = simulated;
	}

	of(zone: string): readonly Range[] {
		return kept(this.#found, zone, () => rangesOf(zone, this.#simulated));
	}
}

function rangesOf(zone: string, situation: Simulated): readonly Range[] {
	const {passes, runs, affected, settings, leader, now} = situation;
	const nodes = nodesIn(zone, affected);
	if (nodes.length === 0 || !settings.nodeLifecycle || leader.type === 'absent') return [];
	if (!settings.taintBasedEvictions && isHidden(nodes, situation)) return [];
	const taintsOfRuns = runs.map((run) => taintsOfRun(run, zone, nodes, situation));
	const slack = affected.nodes.some((one) => isSilentAndReady(one, now)) ? passes.phaseSpacing : 0;
	const ranges: Range[] = [];
	for (let k = 0; taintsOfRuns.some((taints) => k < taints.length); k += 1) {
		const {range} = merge(
			taintsOfRuns.map((taints) => taints[k]),
			slack,
			runs,
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
const isHidden = (nodes: readonly NodeEvidence[], {runs, affected}: Simulated) =>
	nodes.some(({node}) => affected.traceless.has(node.name)) ||
	runs.some(({outcome}) => outcome.ready.size > 0);

/** The taints of a zone in one run, each with the range that random order leaves open. */
function taintsOfRun(
	run: Run,
	zone: string,
	nodes: readonly NodeEvidence[],
	situation: Simulated,
): readonly Interval[] {
	const {taintBasedEvictions, nodeEvictionRate, secondaryNodeEvictionRate} = situation.settings;
	const inRun = zoneInRun(zone, run, situation);
	if (!taintBasedEvictions) return taintsOf(inRun);
	// No more of them can begin within that time.
	const most = 1 + Math.ceil((listedFor / second) * Math.max(nodeEvictionRate, secondaryNodeEvictionRate));
	return withLeavers(widenedByPass(taintsOf(inRun, most), inRun), run, nodes, situation);
}

/**
 * Nodes that come back while others wait beside them take a token with them, or leave it to the others: how many taints
 * follow is random.
 */
function withLeavers(
	taints: readonly Interval[],
	run: Run,
	nodes: readonly NodeEvidence[],
	{settings}: Simulated,
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
	return contenders.length > 1 ? minOf(leaves, never) : never;
}
