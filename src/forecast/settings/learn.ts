import {type Duration, second} from '../../core/time/instant.ts';
import {passDuration} from '../passPhase.ts';
import type {Behaviour} from './behaviour.ts';
import {learnGrace} from './learnedGrace.ts';
import {learnPeriod} from './learnedPeriod.ts';
import {learnQps} from './learnedQps.ts';
import {learnRate} from './learnedRate.ts';
import type {LearnedSettings} from './learnedSetting.ts';
import {learnThreshold} from './learnedThreshold.ts';
import type {LearnedRange} from './setting.ts';

/** What must be known to learn more. */
export type LearningBase = {
	/** The longest that the period may be. */
	readonly longestPeriod: Duration;
	/** The least that the threshold for large zones may be. */
	readonly largeThreshold: number;
	readonly nodes: number;
};

/** What a pass may write without being seen. */
const unseenWork: Duration = second / 2;

/** All that behaviour shows of the settings. */
export function learnSettings(behaviour: Behaviour, base: LearningBase): LearnedSettings {
	const pass = passDuration(base.nodes);
	const period = learnPeriod(behaviour.passes, behaviour.recoveries, pass.hi);
	const longest = Math.max(base.longestPeriod, upper(period?.range) ?? 0);
	const apart = {lo: pass.lo, hi: longest + pass.hi + unseenWork};
	const found = {
		nodeMonitorPeriod: period,
		nodeMonitorGracePeriod: learnGrace(behaviour.silences, apart),
		nodeEvictionRate: learnRate(behaviour.taintPairs),
		unhealthyZoneThreshold: learnThreshold(behaviour.zoneVerdicts, base.largeThreshold),
		kubeApiQps: learnQps(behaviour.bursts),
	};
	return Object.fromEntries(Object.entries(found).filter(([, one]) => one !== undefined));
}

const upper = (range: LearnedRange | undefined): number | undefined => range?.[1] ?? undefined;
