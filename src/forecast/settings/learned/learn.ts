import type {ControllerSettings} from '../../../core/model/controllerSettings.ts';
import {isUnknownNode, type Node} from '../../../core/model/node.ts';
import {computeZoneState} from '../../../core/nodelifecycle/zones/zoneState.ts';
import {type Duration, second} from '../../../core/time/instant.ts';
import {readsTake} from '../../infer/leaseReads.ts';
import {passDuration} from '../../infer/passPhase.ts';
import type {Behaviour, ZoneVerdict} from './behaviour.ts';
import {learnGrace} from './learnedGrace.ts';
import {learnPeriod} from './learnedPeriod.ts';
import {learnQps} from './learnedQps.ts';
import {learnRate} from './learnedRate.ts';
import {isPossible, type LearnedSetting, type LearnedSettings, type SettingDoubt} from './learnedSetting.ts';
import {learnThreshold, verdictWords} from './learnedThreshold.ts';

/** What other settings are learned from. */
export type LearningBase = {
	/** The longest that the period may be. */
	readonly longestPeriod: Duration;
	/** The share of nodes from which on zones are assumed to slow down or to stop. */
	readonly unhealthyThreshold: number;
	/** Up to which size zones are assumed to be small. */
	readonly largeThreshold: number;
	/** Whether that is known, and not only assumed. */
	readonly isLargeThresholdGiven: boolean;
	/** The least that the eviction rate may be; zero where a zone may stand still for other reasons. */
	readonly slowestRate: number;
	readonly nodes: number;
	/** How much longer a pass takes at most since it reads silent nodes' leases, in milliseconds (`readsTake`). */
	readonly leaseReads: Duration;
};

/** What a pass may write without being seen. */
const unseenWork: Duration = second / 2;

/** What behaviour shows of the settings. */
export type Learned = {
	readonly learned: LearnedSettings;
	readonly doubts: readonly SettingDoubt[];
};

/** How long passes may have read leases: of the nodes that fell silent while they were watched, and of those that are Unknown. */
export const readsSeen = (
	{silences}: Behaviour,
	nodes: Iterable<Node>,
	settings: ControllerSettings,
): Duration => readsTake(() => silences.length + [...nodes].filter(isUnknownNode).length, settings);

/** Learns settings from behaviour. */
export function learnSettings(behaviour: Behaviour, base: LearningBase): Learned {
	// A zone that is large goes on whatever its threshold is.
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

/** Whether a zone went on that the settings in use stop: it is large, or the threshold is higher. */
const shouldHaveStopped = (
	{evicts, notReady, size, largestSize}: ZoneVerdict,
	{unhealthyThreshold, largeThreshold}: LearningBase,
): boolean =>
	evicts &&
	largestSize <= largeThreshold &&
	computeZoneState({size, notReady}, unhealthyThreshold) === 'PartialDisruption';

/** The longest period that is considered, where the assumed one does not explain the passes. */
const longestOfAll: Duration = 60 * second;

/**
 * The possible periods, the likeliest first: the assumed one, unless the passes rule it out; what the passes allow; anything.
 */
function longestPeriods(period: LearnedSetting | undefined, assumed: Duration): readonly Duration[] {
	const isRuledOut = period !== undefined && !isPossible('nodeMonitorPeriod', assumed, period);
	const allowed = (period?.parts ?? []).flatMap(([, hi]) => (hi !== null && hi > assumed ? hi : []));
	const longest = period?.range[1] ?? longestOfAll;
	return isRuledOut ? [longest, longestOfAll] : [assumed, ...allowed, longestOfAll];
}

// A zone that is free gets a token each 1/rate; a pass or two may go by until it is free.
const patienceFor = (rate: number): Duration =>
	rate > 0 ? (3 / rate) * second + 30 * second : Number.POSITIVE_INFINITY;
