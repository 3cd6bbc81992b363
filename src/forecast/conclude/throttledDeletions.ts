import {zoneKey} from '../../core/model/zone.ts';
import {type Duration, type Instant, never} from '../../core/time/instant.ts';
import {throttleDelayFor, throttledEnds} from '../observe/countdowns/deletionThrottleDelay.ts';
import {type ClientLimits, callDuration, throttleWait} from '../observe/latencies.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import type {PodForecast} from '../podForecast.ts';
import {Range} from '../range.ts';
import type {Simulated} from '../simulate/simulated.ts';
import type {PodCollection} from './collector.ts';

/** The client calls of a deletion without taints: the pod's status, an event, the delete. */
const callsPerPod = 3;

/** Widens the ranges of pods whose timers end together by how long their deletions wait for each other, and for deletions again. */
export function withThrottleDelays(
	forecasts: readonly PodForecast[],
	{settings, deletionsAgain}: Pick<Simulated, 'settings' | 'deletionsAgain'>,
): readonly PodForecast[] {
	const queue = deletionsAgain.map((at) => Range.over(at));
	// A loop: most pods of a large cluster are safe.
	for (const {verdict, eviction} of forecasts) if (verdict === 'Scheduled' && eviction) queue.push(eviction);
	const latestOf = throttledLatest(queue, settings);
	if (!latestOf) return forecasts;
	return forecasts.map((pod) => {
		const {verdict, eviction} = pod;
		const latest = verdict === 'Scheduled' && eviction ? latestOf(eviction) : null;
		return !eviction || latest === eviction.latest || latest === null
			? pod
			: {...pod, eviction: eviction.until(latest)};
	});
}

/** A pod's end, as far as throttling changes it. */
type Throttled = {
	readonly isTimed: boolean;
	readonly range: Range | null;
	readonly deletedAt: Range | null;
	readonly collection: PodCollection | undefined;
};

/** The same for the outcomes of pods. */
export function throttled<One extends Throttled>(
	outcomes: readonly One[],
	limits: ClientLimits,
): readonly One[] {
	const latestOf = throttledLatest(
		outcomes.flatMap(({isTimed, deletedAt}) => (isTimed && deletedAt ? [deletedAt] : [])),
		limits,
	);
	if (!latestOf) return outcomes;
	return outcomes.map((one) => {
		const {isTimed, deletedAt, range, collection} = one;
		const latest = isTimed && deletedAt ? latestOf(deletedAt) : null;
		if (!deletedAt || !range || latest === null) return one;
		const collected = collection?.isSure ? collection.range.hi : never;
		const end = range.latest === deletedAt.latest ? Math.min(latest, collected) : range.latest;
		return {...one, deletedAt: deletedAt.until(latest), range: range.until(end)};
	});
}

/**
 * The latest time of each deletion in a queue.
 *
 * @param ranges of all deletions in the queue
 * @returns undefined if none has to wait
 */
function throttledLatest(
	ranges: readonly Range[],
	limits: ClientLimits,
): ((range: Range) => Instant | null) | undefined {
	const queue = ranges.filter(({latest}) => latest !== null);
	if (throttleDelayFor(queue.length, limits) === 0) return undefined;
	const endsBy = (bound: 'earliest' | 'latest'): ReadonlyMap<Instant, Instant> => {
		const dueAt = [...Float64Array.from(queue, (range) => range[bound] ?? 0).sort()];
		const ends = throttledEnds(dueAt, limits);
		// Deletions that are due at one instant join one queue.
		return new Map(dueAt.map((at, index) => [at, ends[index] ?? at]));
	};
	const [byEarliest, byLatest] = [endsBy('earliest'), endsBy('latest')];
	return ({earliest, latest}) =>
		latest === null ? null : Math.max(byEarliest.get(earliest) ?? 0, byLatest.get(latest) ?? 0, latest);
}

/** How long the pods of nodes that are evicted together delay each other: one goroutine deletes all of them. */
export function throttleDelayWithoutTaints(
	{node}: NodeEvidence,
	{evidence, affected, settings}: Simulated,
): Duration {
	const ofZones = new Map<string, number>();
	for (const one of affected.nodes) {
		const pods = evidence.pods.mapOfNode(one.node.name).size;
		const zone = zoneKey(one.node);
		ofZones.set(zone, Math.max(ofZones.get(zone) ?? 0, pods));
	}
	// The largest node of each zone may be evicted just before.
	const others = [...ofZones.values()].reduce((sum, pods) => sum + pods, 0);
	const calls = callsPerPod * (others + evidence.pods.mapOfNode(node.name).size);
	return Math.max(throttleWait(calls, settings), calls * callDuration.hi);
}
