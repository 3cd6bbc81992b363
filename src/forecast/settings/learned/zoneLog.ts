import {kept} from '../../../core/collections/kept.ts';
import {isReadyNode} from '../../../core/model/node.ts';
import {zoneKey} from '../../../core/model/zone.ts';
import {type ExclusionRules, isExcludedFromDisruptionChecks} from '../../../core/nodelifecycle/nodeLabels.ts';
import {countNode, type ZoneCount} from '../../../core/nodelifecycle/zones/zoneState.ts';
import {
	beginningOfTime,
	type Duration,
	type Instant,
	minute,
	never,
	second,
} from '../../../core/time/instant.ts';
import type {Interval} from '../../observe/interval.ts';
import {keep, type TaintPair, type ZoneVerdict} from './behaviour.ts';
import type {NodeTrack} from './nodeTrack.ts';
import type {Steadiness} from './steadiness.ts';
import {ZoneTrack} from './zoneTrack.ts';

/** The longest time between passes that have little to write. */
export const longestQuietPeriod: Duration = 30 * second;
/** How long a pass with much to write may keep a zone's old rate. */
const longestAtOldRate: Duration = 5 * minute;
/** This long after its last write, a pass no longer delays others. */
const aWhile: Duration = 10 * second;

/** What decides whether an observation in a zone counts. */
export type ZoneWatch = {
	readonly startedAt: Instant;
	/** The last write that a monitor pass made. */
	readonly lastPassWrite: Instant;
	readonly steadiness: Steadiness;
};

/** Collects what a watch shows of the zones: how fast their nodes are tainted, and when evictions stop. */
export class ZoneLog {
	readonly #tracks = new Map<string, ZoneTrack>();
	#pairs: readonly TaintPair[] = [];
	#verdicts: readonly ZoneVerdict[] = [];
	#wereAllDown = false;
	/** Until when all zones were last down, plus a margin. */
	lastAllDown: Instant = beginningOfTime;

	/** Taints of one zone that followed each other. */
	get taintPairs(): readonly TaintPair[] {
		return this.#pairs;
	}

	/** Zones that were seen to evict, or not to evict, with a given share of nodes down. */
	verdictsAt(now: Instant, nodes: Iterable<NodeTrack>, watched: ZoneWatch): readonly ZoneVerdict[] {
		return [...this.#verdicts, ...this.#stopped(now, [...nodes], watched)];
	}

	/** Takes in that a zone lost a node that may have waited: the next token goes to another node. */
	lost(zone: string, at: Instant): void {
		const track = this.#tracks.get(zone);
		if (track) track.lastLoss = at;
	}

	/** Takes in a NoExecute taint: its distance from the one before shows the rate if its node waited, and else the lowest. */
	tainted(track: NodeTrack, second: Interval, watched: ZoneWatch): void {
		const name = zoneKey(track.node);
		const zone = this.#tracks.get(name);
		if (!zone) return;
		const first = zone.lastTaint;
		const isQuiet = zone.wasQuiet && watched.lastPassWrite < second.lo - aWhile;
		zone.lastTaint = second;
		zone.wasQuiet = watched.lastPassWrite < second.lo - aWhile;
		this.#judgeEvicting(name, zone, second, watched);
		const isSteady = watched.steadiness.sinceAt(second.hi);
		const start = (first?.lo ?? 0) - longestQuietPeriod;
		if (!first || isSteady > start || watched.startedAt > start) return;
		// Otherwise the zone's queue may have been empty since, or a node without a taint may have taken a token.
		const hasWaited =
			(track.waitingSince ?? never) < first.lo - longestQuietPeriod / 3 && zone.lastLoss <= start;
		const isAtFullRate = zone.isAtFullRateSince(first.lo - longestAtOldRate);
		if (!isAtFullRate && !zone.isUnchangedSince(start)) return;
		const {largestSize} = zone;
		this.#pairs = keep(this.#pairs, {
			zone: name,
			first,
			second,
			hasWaited,
			isQuiet,
			isAtFullRate,
			largestSize,
		});
	}

	#judgeEvicting(zone: string, track: ZoneTrack, taint: Interval, watched: ZoneWatch): void {
		const from = taint.lo - longestQuietPeriod;
		const partial = track.partialSince(from);
		if (!partial || watched.lastPassWrite > from || watched.startedAt > from) return;
		if (watched.steadiness.sinceAt(taint.hi) > from) return;
		const least = partial.reduce((a, b) => (b.notReady / b.size < a.notReady / a.size ? b : a));
		const {largestSize} = track;
		const {notReady, size} = least;
		this.#verdicts = keep(this.#verdicts, {
			zone,
			evicts: true,
			notReady,
			size,
			largestSize,
			watched: 0,
		});
	}

	#stopped(now: Instant, nodes: readonly NodeTrack[], watched: ZoneWatch): readonly ZoneVerdict[] {
		return [...this.#tracks].flatMap(([zone, track]) => {
			const partialFrom = track.partialFrom;
			const waiting = waitingSince(zone, nodes);
			if (partialFrom === undefined || waiting === undefined) return [];
			const from = Math.max(
				partialFrom,
				waiting,
				track.lastTaint?.hi ?? watched.startedAt,
				track.lastLoss,
				watched.lastPassWrite,
				watched.steadiness.sinceAt(now),
			);
			if (from >= now) return [];
			const most = (track.partialSince(from) ?? []).toSorted(
				(a, b) => b.notReady / b.size - a.notReady / a.size,
			)[0];
			if (!most) return [];
			const {notReady, size} = most;
			const {largestSize} = track;
			return [{zone, evicts: false, notReady, size, largestSize, watched: now - from}];
		});
	}

	/** Counts the nodes of each zone; called if these may have changed. */
	count(
		nodes: Iterable<NodeTrack>,
		since: Instant,
		reason: 'unknown' | 'other',
		rules: ExclusionRules,
	): void {
		const counts = new Map<string, ZoneCount>();
		for (const {node} of nodes)
			if (!isExcludedFromDisruptionChecks(node, rules)) countNode(counts, zoneKey(node), isReadyNode(node));
		const anyReady = [...counts.values()].some(({size, notReady}) => notReady < size);
		// When a time without ready nodes ends, the controller restarts the grace periods of all nodes.
		if (!anyReady || this.#wereAllDown) this.lastAllDown = since + longestQuietPeriod;
		this.#wereAllDown = !anyReady;
		for (const [zone, count] of counts) {
			kept(this.#tracks, zone, () => new ZoneTrack()).count({...count, since, anyReady, reason});
		}
	}
}

/** Since when some node of a zone has been waiting for its taint. */
function waitingSince(zone: string, nodes: readonly NodeTrack[]): Instant | undefined {
	const waiting = nodes
		.filter(({node}) => zoneKey(node) === zone)
		.flatMap(({waitingSince}) => waitingSince ?? []);
	return waiting.length === 0 ? undefined : Math.min(...waiting);
}
