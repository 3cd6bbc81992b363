import {maxOf, minOf} from '../../core/collections/extremes.ts';
import {unique} from '../../core/collections/unique.ts';
import type {Kill} from '../../core/nodepressure/evictionEffect.ts';
import {exceededLimits} from '../../core/nodepressure/localStorageLimits.ts';
import {immediateGraceSeconds} from '../../core/nodepressure/reclaim.ts';
import {statsByUid} from '../../core/nodepressure/summary.ts';
import {isSignal, resourceOf} from '../../core/nodepressure/thresholds/signal.ts';
import {type Duration, type Instant, median} from '../../core/time/instant.ts';
import {Range} from '../range.ts';
import {firmPoints} from './observe/trend.ts';
import type {PressureEviction, SignalForecast, ThresholdForecast} from './pressureForecast.ts';
import {mayKillUnseen, type PressureSituation} from './situation.ts';

/** Passes are tried some milliseconds before and after each crossing; ranges allow for that. */
const crossingSpacing: Duration = 5;

export type TimedKill = {readonly at: Instant; readonly kill: Kill};

/** The kills of each hypothesis, and whether it uses the median trend. */
type TriedRuns = {
	readonly runs: readonly (readonly TimedKill[])[];
	readonly isMiddling: readonly boolean[];
};

/** The eviction of one pod, over all hypotheses; undefined if none evicts it. */
export function mergedEviction(
	uid: string,
	{runs, isMiddling}: TriedRuns,
	situation: PressureSituation,
	forecasts: readonly SignalForecast[],
): PressureEviction | undefined {
	const places = runs.map((kills) => kills.findIndex(({kill}) => kill.pod.uid === uid));
	const found = runs.flatMap((kills, index) => kills[places[index] ?? -1] ?? []);
	const [one] = found;
	if (!one) return undefined;
	const taken = places.filter((place) => place >= 0);
	const place = {first: minOf(taken) + 1, last: maxOf(taken) + 1};
	const own = found.map(({at}) => at);
	// A pod that ties with others may be evicted whenever one of them is. How long those before it take to end is not tried.
	const shared = runs.flatMap((kills) => kills.slice(0, place.last)).map(({at}) => at);
	const signals = unique(found.map(({kill}) => kill.signal));
	const short = forecasts.filter(({signal}) => signals.includes(signal));
	const late = maxOf(
		short.map(({signal}) => situation.lateness.get(signal) ?? 0),
		0,
	);
	const isCertain =
		place.last === 1 &&
		found.length === runs.length &&
		!mayKillUnseen(situation) &&
		situation.newest.seenAt > situation.freedUntil &&
		Number.isFinite(late);
	const needsTrend = place.last > 1 || !isDue(one.kill, situation, forecasts);
	const isBlind = needsTrend && signals.some((signal) => hasNoTrend(signal, forecasts));
	// The phases of passes after an eviction are not tried, and none are for a pod's own limit.
	const isAnyPhase = place.last > 1 || situation.isAfterEviction || !signals.every(isSignal);
	const early = isAnyPhase ? situation.settings.monitoringInterval : 0;
	const first = minOf([...own, ...shared, notified(short, situation.now)]) - early;
	const mayBegin = isBlind || (situation.hasYoungPods && short.length > 0);
	// Where the runs differ by more than a pass, the trend is uneven, and the pace may be higher than in any of them.
	const spread = maxOf(own) - first - situation.settings.monitoringInterval;
	const isHard = found.every(({kill}) => kill.graceSeconds === immediateGraceSeconds);
	const slack = crossingSpacing + (isHard ? paceError * Math.max(0, spread) : 0);
	const earliest = mayBegin ? situation.now : Math.max(situation.now, first - slack);
	const latest = isCertain && !isBlind ? maxOf([...own, ...shared]) + late + early + crossingSpacing : null;
	const expected = median(own) ?? one.at;
	// A pod that only the steepest trend evicts is unlikely to be evicted at that time; without a trend the runs do not show it.
	const isLikely = !isBlind && places.some((at, index) => at >= 0 && isMiddling[index]);
	return {
		pod: one.kill.pod,
		when: new Range(earliest, Math.max(earliest, expected), latest, {
			shownEnd: isLikely ? 'about' : 'beginning',
		}),
		signals,
		graceSeconds: unique([
			...(isBlind && mayCrossHard(short) ? [immediateGraceSeconds] : []),
			...found.map(({kill}) => kill.graceSeconds),
		]),
		isCertain: isCertain && !isBlind,
		place,
		message: one.kill.message,
	};
}

/** How much sooner than in any run an uneven trend may come, as a share of what the runs differ by. */
const paceError = 0.1;

/** Whether there are too few measurements for a trend: the signal, and the storage of pods, may change at any pace. */
const hasNoTrend = (of: Kill['signal'], forecasts: readonly SignalForecast[]) =>
	forecasts.some(
		({signal, trend}) =>
			(isSignal(of) ? signal === of : resourceOf(signal) === 'ephemeral-storage') &&
			(trend?.points ?? 0) < firmPoints,
	);

const hardOf = (short: readonly SignalForecast[]): readonly ThresholdForecast[] =>
	short.flatMap(({thresholds}) => thresholds.filter(({isHard}) => isHard));

/** Whether a hard threshold of a signal may be crossed before a soft one evicts: that leaves pods no time. */
const mayCrossHard = (short: readonly SignalForecast[]) =>
	hardOf(short).some(({crossing: {type}}) => type !== 'met' && type !== 'notOnThisTrend');

/** Whether a pass evicts for it at once, whatever the trend: a hard threshold is met, or the pod exceeds its own limit. */
function isDue(
	{pod, signal: of}: Kill,
	{newest, fileSystems}: PressureSituation,
	forecasts: readonly SignalForecast[],
) {
	if (isSignal(of))
		return forecasts.some(
			({signal, thresholds}) =>
				signal === of && thresholds.some(({isHard, crossing}) => isHard && crossing.type === 'met'),
		);
	const stats = statsByUid(newest.summary).get(pod.uid);
	return stats !== undefined && exceededLimits(pod, stats, fileSystems).length > 0;
}

/** The earliest time at which the kernel may trigger a pass because memory falls below a threshold. */
const notified = (short: readonly SignalForecast[], now: Instant): Instant =>
	minOf(
		hardOf(short.filter(({kernelNotification}) => kernelNotification !== 'no')).map(
			({crossing}) => crossing.at?.earliest ?? now,
		),
	);
