import {protectionOf} from '../../core/nodepressure/criticalPod.ts';
import type {NodePod} from '../../core/nodepressure/nodePod.ts';
import {
	addQuantities,
	compareQuantities,
	newQuantity,
	type Quantity,
	subtractQuantities,
} from '../../core/nodepressure/quantities/quantity.ts';
import {podUsage} from '../../core/nodepressure/ranking.ts';
import {statsByUid} from '../../core/nodepressure/summary.ts';
import {availableQuantity, type SignalObservation} from '../../core/nodepressure/thresholds/observations.ts';
import {formatOf, resourceOf, type Signal, signals} from '../../core/nodepressure/thresholds/signal.ts';
import {isHard, type Threshold, thresholdQuantity} from '../../core/nodepressure/thresholds/threshold.ts';
import type {Instant} from '../../core/time/instant.ts';
import {Range} from '../range.ts';
import {whenMeasured} from './observe/series.ts';
import type {SignalForecast, ThresholdForecast} from './pressureForecast.ts';
import {type Crossing, crossing, type Distance} from './simulate/crossing.ts';
import type {PressureSituation} from './situation.ts';
import {type Victim, victims} from './victims.ts';

/** The course of each signal that is observed or has a threshold. */
export function signalForecasts(situation: PressureSituation): readonly SignalForecast[] {
	const {thresholds, observations} = situation;
	return signals.flatMap((signal) => {
		const own = thresholds.filter((threshold) => threshold.signal === signal);
		return own.length > 0 || observations.has(signal) ? signalForecast(situation, signal, own) : [];
	});
}

function signalForecast(
	situation: PressureSituation,
	signal: Signal,
	own: readonly Threshold[],
): SignalForecast {
	const {observations, newest, pods, fileSystems, trends, settings} = situation;
	const observed = observations.get(signal);
	const order = own.length > 0 ? victims(pods, newest.summary, signal, fileSystems) : [];
	const isNotified = settings.kernelMemcgNotification && resourceOf(signal) === 'memory';
	return {
		signal,
		available: observed?.available ?? null,
		capacity: observed?.capacity ?? null,
		measuredAt: observed?.time ?? null,
		trend: trends.signals.get(signal) ?? null,
		thresholds: observed
			? own.map((threshold) => thresholdForecast(situation, threshold, observed, order))
			: [],
		victims: order,
		kernelNotification: isNotified ? 'possible' : 'no',
	};
}

function thresholdForecast(
	situation: PressureSituation,
	threshold: Threshold,
	observed: SignalObservation,
	order: readonly Victim[],
): ThresholdForecast {
	const {metSince, now, nextPass, settings} = situation;
	const {minReclaim, value, gracePeriod} = threshold;
	const quantity = thresholdQuantity(value, observed.capacity);
	const resolvedAt = minReclaim && addQuantities(quantity, thresholdQuantity(minReclaim, observed.capacity));
	const since = metSince.get(threshold);
	const left = (from: number) => Math.max(0, from + gracePeriod - now);
	return {
		threshold,
		isHard: isHard(threshold),
		quantity,
		...(resolvedAt && {resolvedAt}),
		distance: distanceTo(quantity, threshold, observed),
		crossing: crossingOf(situation, threshold),
		graceLeft: since && !isHard(threshold) ? {least: left(since.lo), most: left(since.hi)} : null,
		evictsBy: since
			? Math.max(nextPass.end, isHard(threshold) ? now : since.hi + gracePeriod + settings.monitoringInterval)
			: null,
		isBoundByLook: since !== undefined && !isHard(threshold) && situation.evidence.samples.length === 1,
		...(since ? resolution(situation, threshold, resolvedAt ?? quantity, order) : notNeeded),
	};
}

const notNeeded = {toResolve: [], isBeyondPods: false};

/** When a threshold is crossed, by its signal's trend; any moment if a pod has just started, as it may take any amount. */
export function crossingOf(situation: PressureSituation, threshold: Threshold): Crossing {
	const {now, hasYoungPods} = situation;
	const found = measuredOf(situation, threshold);
	if (!found) return {type: 'unknown'};
	const crossed = crossing(found, now);
	if (!hasYoungPods || !crossed.at) return crossed;
	return {...crossed, at: Range.estimate(now, crossed.at.expected, crossed.at.latest)};
}

/**
 * When a threshold is crossed by its signal's trend alone, never before `since`. If it is met within the noise of
 * measurements, this is when every pass finds it met.
 */
export function sureCrossingOf(situation: PressureSituation, threshold: Threshold, since: Instant): Crossing {
	const found = measuredOf(situation, threshold);
	if (!found) return {type: 'unknown'};
	const {distance, trend} = found;
	const noise = (trend?.noise ?? 0) + distance;
	const isWithinNoise = trend && distance < 0 && noise > 0;
	return crossing(isWithinNoise ? {...found, distance: 0, trend: {...trend, noise}} : found, since);
}

function measuredOf(
	{observations, trends, newest}: PressureSituation,
	threshold: Threshold,
): Distance | undefined {
	const observed = observations.get(threshold.signal);
	return (
		observed && {
			distance: distanceTo(thresholdQuantity(threshold.value, observed.capacity), threshold, observed),
			trend: trends.signals.get(threshold.signal),
			measuredAt: whenMeasured(observed.time, newest.seenAt),
		}
	);
}

function distanceTo(quantity: Quantity, {signal}: Threshold, observed: SignalObservation): number {
	const {unscaled, exponent} = subtractQuantities(availableQuantity(signal, observed), quantity);
	return Number(unscaled) * 10 ** exponent;
}

/** The pods that are needed until enough is free, each freeing what it uses by the newest statistics. */
function resolution(
	{observations, newest, fileSystems}: PressureSituation,
	{signal}: Threshold,
	wanted: Quantity,
	order: readonly Victim[],
): {readonly toResolve: readonly NodePod[]; readonly isBeyondPods: boolean} {
	const stats = statsByUid(newest.summary);
	let free = observations.get(signal)?.available ?? 0n;
	const isEnough = () => compareQuantities(newQuantity(free, formatOf(signal)), wanted) >= 0;
	const toResolve: NodePod[] = [];
	for (const {pod} of order) {
		if (isEnough()) break;
		if (protectionOf(pod)) continue;
		const ofPod = stats.get(pod.uid);
		free += ofPod ? podUsage(pod, ofPod, signal, fileSystems) : 0n;
		toResolve.push(pod);
	}
	return {toResolve, isBeyondPods: !isEnough()};
}
