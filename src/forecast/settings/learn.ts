import {type Duration, second} from '../../core/time/instant.ts';
import {passDuration} from '../passPhase.ts';
import type {Behaviour} from './behaviour.ts';
import {learnGrace} from './learnedGrace.ts';
import {learnPeriod} from './learnedPeriod.ts';
import {learnQps} from './learnedQps.ts';
import {learnRate} from './learnedRate.ts';
import {isWithin, type LearnedSettings} from './learnedSetting.ts';
import {learnThreshold} from './learnedThreshold.ts';

/** What must be known to learn more. */
export type LearningBase = {
	/** The longest that the period may be. */
	readonly longestPeriod: Duration;
	/** The least that the threshold for large zones may be. */
	readonly largeThreshold: number;
	/** The least that the eviction rate may be; zero where a zone may stand still for other reasons. */
	readonly slowestRate: number;
	readonly nodes: number;
};

/** What a pass may write without being seen. */
const unseenWork: Duration = second / 2;

/** All that behaviour shows of the settings. */
export function learnSettings(behaviour: Behaviour, base: LearningBase): LearnedSettings {
	const pass = passDuration(base.nodes);
	const period = learnPeriod(behaviour.passes, behaviour.recoveries, pass.hi);
	const isContradicted = period !== undefined && !isWithin(base.longestPeriod, period.range);
	const longest = isContradicted ? (period.range[1] ?? base.longestPeriod) : base.longestPeriod;
	const apart = {lo: pass.lo, hi: longest + pass.hi + unseenWork};
	const found = {
		nodeMonitorPeriod: period,
		nodeMonitorGracePeriod: learnGrace(behaviour.silences, apart),
		nodeEvictionRate: learnRate(behaviour.taintPairs, base.largeThreshold),
		unhealthyZoneThreshold: learnThreshold(
			behaviour.zoneVerdicts,
			base.largeThreshold,
			patienceFor(base.slowestRate),
		),
		kubeApiQps: learnQps(behaviour.bursts),
	};
	return Object.fromEntries(Object.entries(found).filter(([, one]) => one !== undefined));
}

// A zone that is free gets a token each 1/rate; a pass or two may go by until it is free.
const patienceFor = (rate: number): Duration =>
	rate > 0 ? (3 / rate) * second + 30 * second : Number.POSITIVE_INFINITY;
