import type {ControllerSettings} from '../../../core/model/controllerSettings.ts';
import {isUnknownNode, type Node} from '../../../core/model/node.ts';
import {computeZoneState} from '../../../core/nodelifecycle/zones/zoneState.ts';
import {type Duration, second} from '../../../core/time/instant.ts';
import {readsTake} from '../../infer/leaseReads.ts';
import {passDuration} from '../../infer/passPhase.ts';
import type {Interval} from '../../observe/interval.ts';
import {formatLearnedRange, type LearnedRange} from '../setting.ts';
import type {Behaviour, Burst, Silence, ZoneVerdict} from './behaviour.ts';
import {learnPeriod} from './learnedPeriod.ts';
import {
	intersectLearned,
	isPossible,
	type LearnedSetting,
	type LearnedSettings,
	mergeSetting,
	type SettingDoubt,
} from './learnedSetting.ts';
import {learnRate, learnThreshold, verdictWords} from './learnedZones.ts';
import {writing} from './writeTrack.ts';

/** What is assumed of the other settings while one is learned. */
export type LearningBase = {
	readonly longestPeriod: Duration;
	/** The share of nodes not ready from which zones are assumed to slow down or to stop. */
	readonly unhealthyThreshold: number;
	/** Zones up to this size are assumed to be small. */
	readonly largeThreshold: number;
	/** Whether that is known, not only assumed. */
	readonly isLargeThresholdGiven: boolean;
	/** The lowest possible eviction rate; zero if a zone may stand still for other reasons. */
	readonly slowestRate: number;
	readonly nodes: number;
	/** The longest time that a pass reads silent nodes' leases, in milliseconds (`readsTake`). */
	readonly leaseReads: Duration;
};

/** How long unseen writes may extend a pass. */
const unseenWork: Duration = second / 2;

/** What behaviour shows of the settings. */
export type Learned = {
	readonly learned: LearnedSettings;
	readonly doubts: readonly SettingDoubt[];
};

/** The base if the settings in use count as known, with the present nodes. */
export const baseOf = (
	{silences}: Behaviour,
	nodes: ReadonlyMap<string, Node>,
	settings: ControllerSettings,
): LearningBase => ({
	longestPeriod: settings.nodeMonitorPeriod,
	unhealthyThreshold: settings.unhealthyZoneThreshold,
	largeThreshold: settings.largeClusterSizeThreshold,
	isLargeThresholdGiven: true,
	// At a rate of 1 a zone may stand still forever, whatever its share.
	slowestRate: Math.fround(settings.nodeEvictionRate) === 1 ? 0 : settings.nodeEvictionRate,
	nodes: nodes.size,
	// Counts the nodes that fell silent while they were watched, and those that are Unknown.
	leaseReads: readsTake(() => silences.length + [...nodes.values()].filter(isUnknownNode).length, settings),
});

export function learnSettings(behaviour: Behaviour, base: LearningBase): Learned {
	// A large zone continues, whatever its threshold.
	const largeThreshold = base.isLargeThresholdGiven ? base.largeThreshold : 0;
	const idle = passDuration(base.nodes);
	const pass = {lo: idle.lo, hi: idle.hi + base.leaseReads};
	const period = learnPeriod(behaviour.passes, behaviour.recoveries, pass.hi);
	const apartIn = (period: Duration) => ({lo: pass.lo, hi: period + pass.hi + unseenWork});
	const found = {
		nodeMonitorPeriod: period,
		nodeMonitorGracePeriod: longestPeriods(period, base.longestPeriod)
			.map((longest) => learnGrace(behaviour.silences, apartIn(longest)))
			.find((one) => one?.contradictions === 0)?.learned,
		nodeEvictionRate: learnRate(behaviour.taintPairs, largeThreshold),
		unhealthyZoneThreshold: learnThreshold(
			behaviour.zoneVerdicts,
			largeThreshold,
			patienceFor(base.slowestRate),
		),
		kubeApiQps: learnQps(behaviour.bursts),
	};
	return {
		learned: Object.fromEntries(Object.entries(found).filter(([, one]) => one !== undefined)),
		doubts: behaviour.zoneVerdicts
			.filter((one) => shouldHaveStopped(one, base))
			.map((one) => ({
				about: ['unhealthyZoneThreshold', 'largeClusterSizeThreshold'],
				seen: verdictWords(one),
			})),
	};
}

/** Whether a zone continued that the settings in use stop: it is large, or the threshold is higher. */
const shouldHaveStopped = (
	{evicts, notReady, size, largestSize}: ZoneVerdict,
	{unhealthyThreshold, largeThreshold}: LearningBase,
): boolean =>
	evicts &&
	largestSize <= largeThreshold &&
	computeZoneState({size, notReady}, unhealthyThreshold) === 'PartialDisruption';

/** The longest period that is considered if the assumed one does not explain the passes. */
const longestOfAll: Duration = 60 * second;

/** The possible periods, the likeliest first: the assumed one, unless the passes rule it out; those that they allow; any. */
function longestPeriods(period: LearnedSetting | undefined, assumed: Duration): readonly Duration[] {
	const isRuledOut = period !== undefined && !isPossible('nodeMonitorPeriod', assumed, period);
	const allowed = (period?.parts ?? []).flatMap(([, hi]) => (hi !== null && hi > assumed ? hi : []));
	const longest = period?.range[1] ?? longestOfAll;
	return isRuledOut ? [longest, longestOfAll] : [assumed, ...allowed, longestOfAll];
}

// A zone that evicts gets a token every 1/rate seconds; it may take a pass or two until it evicts.
const patienceFor = (rate: number): Duration =>
	rate > 0 ? (3 / rate) * second + 30 * second : Number.POSITIVE_INFINITY;

/**
 * Learns the grace period from nodes that turned Unknown. A pass notices a renewal up to one period after it, and the silence
 * up to one period after the grace period. So the time in between is always at least the grace period, and at most two
 * periods longer if nothing delayed the controller.
 *
 * @param pass from one pass to the next
 * @returns also how many silences contradict the others: then the passes are farther apart
 */
function learnGrace(silences: readonly Silence[], pass: Interval) {
	const found = silences.flatMap((silence) => learnFromSilence(silence, pass) ?? []);
	const [first, ...others] = found;
	if (!first) return undefined;
	let learned = first;
	let contradictions = 0;
	for (const one of others) {
		if (!intersectLearned(learned.range, one.range)) contradictions += 1;
		learned = mergeSetting(learned, one);
	}
	return {learned, contradictions};
}

function learnFromSilence(
	{node, lastSign, lastPost, unknown, quietSince}: Silence,
	pass: Interval,
): LearnedSetting | undefined {
	const longest = unknown.hi - lastSign.lo;
	// A status makes the controller forget the lease, and see it as a new one a pass later.
	const passes = lastPost !== undefined && lastPost >= lastSign.lo - 2 * pass.hi ? 3 : 2;
	const isQuiet = quietSince <= lastSign.lo - pass.hi;
	const shortest = isQuiet ? unknown.lo - writing - lastSign.hi - passes * pass.hi : 0;
	if (longest <= 0) return undefined;
	const range: LearnedRange = [Math.max(0, shortest), longest];
	const silent = formatLearnedRange([unknown.lo - lastSign.hi, longest], 'duration');
	return {range, observations: [`node ${node} turned Unknown ${silent} after its last sign of life`]};
}

/** A shorter burst may have used saved tokens. */
const fewest = 150;
const largestBurst = 200;
/** At a higher rate the API server may be the bottleneck. */
const plainlyThrottled = 50;
/** The most calls for each write that was seen: an event, and a read before it. */
const callsPerWrite = 3;

/** Learns a controller's kube-api-qps from the pace of long bursts of writes. */
function learnQps(bursts: readonly Burst[]): LearnedSetting | undefined {
	const learned = bursts.flatMap((burst) => learnFromBurst(burst) ?? []);
	return learned.length === 0 ? undefined : learned.reduce(mergeSetting);
}

function learnFromBurst({of, count, from, to}: Burst): LearnedSetting | undefined {
	const seconds = (to - from) / second;
	if (count < fewest || seconds < 3) return undefined;
	const pace = count / seconds;
	const lo = Math.max(0, count - largestBurst) / seconds;
	const range: LearnedRange = [lo, pace > plainlyThrottled ? null : (count / (seconds - 1)) * callsPerWrite];
	const shown = `${count} writes in ${Math.round(seconds)}s`;
	return {range, observations: [`the ${of} made ${shown}`]};
}
