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
import type {PressureEviction, SignalForecast} from './pressureForecast.ts';
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
	const late = maxOf(
		found.map(({kill: {signal}}) => (isSignal(signal) && situation.lateness.get(signal)) || 0),
		0,
	);
	const isCertain =
		place.last === 1 &&
		found.length === runs.length &&
		!mayKillUnseen(situation) &&
		situation.newest.seenAt > situation.freedUntil &&
		Number.isFinite(late);
	const needsTrend = place.last > 1 || !isDue(one.kill, situation, forecasts);
	const isBlind = needsTrend && found.some(({kill}) => hasNoTrend(kill.signal, forecasts));
	// The phases of passes after an eviction are not tried, and none are for a pod's own limit.
	const isAnyPhase =
		place.last > 1 || situation.isAfterEviction || found.some(({kill}) => !isSignal(kill.signal));
	const early = isAnyPhase ? situation.settings.monitoringInterval : 0;
	const first = minOf([...own, ...shared, notified(found, situation, forecasts)]) - early;
	const mayBegin = isBlind || (situation.hasYoungPods && found.some(({kill}) => isSignal(kill.signal)));
	const earliest = mayBegin ? situation.now : Math.max(situation.now, first - crossingSpacing);
	const latest = isCertain && !isBlind ? maxOf([...own, ...shared]) + late + early + crossingSpacing : null;
	const expected = median(own) ?? one.at;
	// A pod that only the steepest trend evicts is unlikely to be evicted at that time; without a trend the runs do not show it.
	const isLikely = !isBlind && places.some((at, index) => at >= 0 && isMiddling[index]);
	return {
		pod: one.kill.pod,
		when: new Range(earliest, Math.max(earliest, expected), latest, isLikely ? 'about' : 'beginning'),
		signals: unique(found.map(({kill}) => kill.signal)),
		graceSeconds: unique([
			...(isBlind && mayCrossHard(found, forecasts) ? [immediateGraceSeconds] : []),
			...found.map(({kill}) => kill.graceSeconds),
		]),
		isCertain: isCertain && !isBlind,
		place,
		message: one.kill.message,
	};
}

/** Whether there are too few measurements for a trend: the signal, and the storage of pods, may change at any pace. */
const hasNoTrend = (of: Kill['signal'], forecasts: readonly SignalForecast[]): boolean =>
	forecasts.some(
		({signal, trend}) =>
			(isSignal(of) ? signal === of : resourceOf(signal) === 'ephemeral-storage') &&
			(trend?.points ?? 0) < firmPoints,
	);

/** Whether a hard threshold of the signal may be crossed before a soft one evicts: that leaves pods no time. */
const mayCrossHard = (found: readonly TimedKill[], forecasts: readonly SignalForecast[]): boolean =>
	forecasts
		.filter(({signal}) => found.some(({kill}) => kill.signal === signal))
		.flatMap(({thresholds}) => thresholds)
		.some(({isHard, crossing: {type}}) => isHard && type !== 'met' && type !== 'notOnThisTrend');

/** Whether a pass evicts for it at once, whatever the trend: a hard threshold is met, or the pod exceeds its own limit. */
function isDue(
	{pod, signal: of}: Kill,
	{newest, fileSystems}: PressureSituation,
	forecasts: readonly SignalForecast[],
): boolean {
	if (isSignal(of))
		return forecasts.some(
			({signal, thresholds}) =>
				signal === of && thresholds.some(({isHard, crossing}) => isHard && crossing.type === 'met'),
		);
	const stats = statsByUid(newest.summary).get(pod.uid);
	return stats !== undefined && exceededLimits(pod, stats, fileSystems).length > 0;
}

/** The earliest time at which the kernel may trigger a pass because memory falls below a threshold. */
function notified(
	found: readonly TimedKill[],
	{now}: PressureSituation,
	forecasts: readonly SignalForecast[],
): Instant {
	const ofMemory = new Set(found.map(({kill}) => kill.signal));
	const calls = forecasts
		.filter(({signal, kernelNotification}) => kernelNotification !== 'no' && ofMemory.has(signal))
		.flatMap(({thresholds}) => thresholds)
		.filter(({isHard}) => isHard)
		.map(({crossing}) => crossing.at?.earliest ?? now);
	return minOf(calls);
}
