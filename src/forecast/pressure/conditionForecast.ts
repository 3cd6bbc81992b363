import {maxOf, minOf} from '../../core/collections/extremes.ts';
import type {EvictionSettings} from '../../core/nodepressure/thresholds/evictionSettings.ts';
import {observeSignals} from '../../core/nodepressure/thresholds/observations.ts';
import {
	conditionOf,
	isSignal,
	type PressureCondition,
	pressureConditions,
} from '../../core/nodepressure/thresholds/signal.ts';
import type {Threshold} from '../../core/nodepressure/thresholds/threshold.ts';
import {thresholdsMet} from '../../core/nodepressure/thresholds/thresholdsMet.ts';
import {beginningOfTime, type Instant, never, second} from '../../core/time/instant.ts';
import {Range} from '../range.ts';
import {cleanup, longestKill} from './nextPass.ts';
import {lastEvictionAt, lastPassFor} from './observe/happenings.ts';
import type {PressureEvidence} from './observe/pressureEvidence.ts';
import type {PressureConditionForecast, PressureEviction, SignalForecast} from './pressureForecast.ts';
import {crossingOf, sureCrossingOf} from './signalForecast.ts';
import {conditionSince, mayKillUnseen, type PressureSituation, statusSync, turnsTrueBy} from './situation.ts';

/**
 * Forecasts a node's pressure conditions.
 *
 * @param signals show which evictions are needed until enough is free
 * @param evictions that the kubelet makes meanwhile: what these free of other resources may delay a condition
 */
export function conditionForecasts(
	situation: PressureSituation,
	signals: readonly SignalForecast[],
	evictions: readonly PressureEviction[],
): readonly PressureConditionForecast[] {
	return pressureConditions.map((condition) => {
		const known = unmeasuredCondition(situation.evidence, situation.settings, condition);
		const thresholds = situation.thresholds.filter(({signal}) => conditionOf(signal) === condition);
		const met = thresholds.filter((threshold) => situation.metSince.has(threshold));
		const isMet = met.length > 0;
		if (!known.isTrue) {
			const range = isMet ? raisedByMet(situation, met) : raised(situation, condition, thresholds);
			return {...known, isMet, raised: putOff(range, condition, evictions)};
		}
		const ended = isMet
			? heldWhileMet(situation, known, met, clearAbout(signals, condition, evictions))
			: held(situation, known, thresholds);
		return {...known, isMet, held: ended};
	});
}

/** What the API alone shows of a condition. */
export function unmeasuredCondition(
	evidence: PressureEvidence,
	{pressureTransitionPeriod: transitionPeriod}: EvictionSettings,
	condition: PressureCondition,
): (PressureConditionForecast & {readonly isTrue: false}) | TrueCondition {
	const since = conditionSince(evidence, condition);
	const known = {condition, isMet: false, raised: null, held: null, transitionPeriod};
	return since === undefined ? {...known, isTrue: false, since: null} : {...known, isTrue: true, since};
}

type TrueCondition = PressureConditionForecast & {readonly isTrue: true; readonly since: Instant};

function putOff(
	range: Range | null,
	condition: PressureCondition,
	evictions: readonly PressureEviction[],
): Range | null {
	const mayBeLater = evictions.some(
		({when, signals}) =>
			signals.some((signal) => !isSignal(signal) || conditionOf(signal) !== condition) &&
			when.earliest <= (range?.latest ?? when.earliest),
	);
	return range && mayBeLater ? range.until(null) : range;
}

/** When a condition becomes True whose thresholds are met: in the first pass that finds one met, hard or soft. */
function raisedByMet(situation: PressureSituation, met: readonly Threshold[]): Range {
	const {nextPass, settings, now} = situation;
	const sync = statusSync(settings);
	// An amount within the noise below a threshold may be above it again.
	const foundBy = met.map((threshold) => {
		const {type, at} = sureCrossingOf(situation, threshold, now);
		if (type === 'met') return nextPass.end;
		return at ? at.end + settings.monitoringInterval : never;
	});
	return new Range(nextPass.earliest, nextPass.expected + sync / 2, minOf(foundBy) + sync);
}

/** When a condition becomes True once one of its thresholds is crossed. */
function raised(
	situation: PressureSituation,
	condition: PressureCondition,
	thresholds: readonly Threshold[],
): Range | null {
	const {settings, lateness, now} = situation;
	const sync = statusSync(settings);
	const by = turnsTrueBy(situation, condition);
	if (by !== undefined) return Range.over({lo: now, hi: by});
	const crossings = thresholds.flatMap((threshold) => {
		const {at} = crossingOf(situation, threshold);
		return at ? {at, late: lateness.get(threshold.signal) ?? 0} : [];
	});
	if (crossings.length === 0) return null;
	const latest = minOf(crossings.map(({at, late}) => at.end + late));
	// A pass may have found it met before pods ended that freed enough: that status may not be posted yet.
	const mayBeFound = situation.freedUntil >= now - sync;
	return new Range(
		mayBeFound ? now : minOf(crossings.map(({at}) => at.earliest)),
		minOf(crossings.map(({at}) => at.expected)) + (settings.monitoringInterval + sync) / 2,
		// Pods that were evicted for something else may free enough to delay it.
		situation.isAfterEviction ? null : latest + settings.monitoringInterval + sync,
	);
}

/** When evictions have most likely freed enough for every met threshold of a condition; null if that is not predicted. */
function clearAbout(
	signals: readonly SignalForecast[],
	condition: PressureCondition,
	evictions: readonly PressureEviction[],
): Range | null {
	const met = signals
		.filter(({signal}) => conditionOf(signal) === condition)
		.flatMap(({thresholds}) => thresholds.filter(({crossing}) => crossing.type === 'met'));
	if (met.some(({isBeyondPods}) => isBeyondPods)) return null;
	const last = maxOf(
		met.map(({toResolve}) => toResolve.length),
		0,
	);
	const when = evictions[last - 1]?.when;
	return when?.shownEnd === 'about' ? when : null;
}

/** The latest time at which passes certainly found a threshold of a condition met. */
const foundUntil = ({evidence, settings}: PressureSituation, {condition, since}: TrueCondition): Instant =>
	Math.max(since - statusSync(settings), lastPassFor(evidence, settings, condition));

/** The earliest time of the last pass before an instant: there is none while a kubelet waits for a pod that it evicted. */
function lastPassBefore(instant: Instant, situation: PressureSituation): Instant {
	const {settings, evidence, killed} = situation;
	const longest = longestKill(settings) + cleanup;
	const isAtWork =
		killed.size > 0 || mayKillUnseen(situation) || lastEvictionAt(evidence) > instant - longest;
	return instant - (isAtWork ? longest : settings.monitoringInterval);
}

/**
 * When a condition with a met threshold ends: one transition period after the last pass that finds it met.
 *
 * @param clear when evictions have freed enough; null if that is not predicted
 */
function heldWhileMet(
	situation: PressureSituation,
	condition: TrueCondition,
	met: readonly Threshold[],
	clear: Range | null,
): Range {
	const {now, newest, metSince} = situation;
	const found = foundUntil(situation, condition);
	// A threshold that was only just crossed may not have been found by a pass yet.
	const isFound = met.some((threshold) => {
		const since = metSince.get(threshold);
		return since && (since.lo <= condition.since || since.hi <= now);
	});
	const from = isFound ? Math.max(lastPassBefore(newest.seenAt, situation), found) : found;
	const period = condition.transitionPeriod;
	return new Range(Math.max(now, from + period), (clear?.expected ?? now) + period, null, {
		shownEnd: clear?.shownEnd ?? 'beginning',
	});
}

/**
 * When a condition without a met threshold ends: one transition period after the last pass that found one met. If a pass
 * acted on a threshold, it counts as met until its minimum reclaim is free as well.
 */
function held(
	situation: PressureSituation,
	condition: TrueCondition,
	thresholds: readonly Threshold[],
): Range {
	const {evidence, settings, now, nextPass} = situation;
	const {samples} = evidence;
	const {monitoringInterval: interval} = settings;
	const {since, transitionPeriod: period} = condition;
	const sync = statusSync(settings);
	const found = foundUntil(situation, condition);
	const lastMet = (withReclaim: boolean) =>
		samples.findLastIndex(
			({summary}) => thresholdsMet(thresholds, observeSignals(summary), withReclaim).length > 0,
		);
	const maybe = lastMet(true);
	const metAt = samples[lastMet(false)]?.seenAt ?? beginningOfTime;
	const earliest = Math.max(now, Math.max(lastPassBefore(metAt, situation), found) + period);
	if (maybe === samples.length - 1) return new Range(earliest, earliest + sync, null);
	// Before the first measurement a threshold may have been met.
	const clearAt = samples[maybe + 1]?.seenAt ?? now;
	const last = Math.max(since + second, clearAt, lastEvictionAt(evidence, condition.condition));
	const latest = Math.max(now, last + period) + nextPass.end - now + sync;
	// The pass that evicted was mostly the last one that found it met.
	const isOfEviction = metAt - interval < found && found > since;
	const range = isOfEviction
		? Range.estimate(earliest, earliest + (interval + sync) / 2, latest)
		: Range.over({lo: earliest, hi: latest});
	// It may be met again by then: a threshold is crossed, or there is no trend.
	const isOpen = thresholds.some((threshold) => {
		const {type, at} = crossingOf(situation, threshold);
		return type === 'unknown' || (at && at.earliest <= range.end);
	});
	return isOpen ? range.until(null) : range;
}
