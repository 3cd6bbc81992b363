import {maxOf, minOf} from '../../core/collections/extremes.ts';
import type {EvictionSettings} from '../../core/nodepressure/thresholds/evictionSettings.ts';
import {observeSignals} from '../../core/nodepressure/thresholds/observations.ts';
import {
	conditionOf,
	isSignal,
	type PressureCondition,
	pressureConditions,
	type Signal,
} from '../../core/nodepressure/thresholds/signal.ts';
import {thresholdsMet} from '../../core/nodepressure/thresholds/thresholdsMet.ts';
import {beginningOfTime, type Instant, never, second} from '../../core/time/instant.ts';
import {Range} from '../range.ts';
import {cleanup, longestKill} from './nextPass.ts';
import {lastEvictionAt, lastEvictionFor, lastPassFor} from './observe/happenings.ts';
import type {PressureEvidence} from './observe/pressureEvidence.ts';
import type {PressureConditionForecast, PressureEviction, SignalForecast} from './pressureForecast.ts';
import {crossingOf, sureCrossingOf} from './signalForecast.ts';
import type {Crossing} from './simulate/crossing.ts';
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
		const {since} = known;
		const isMetNow = [...situation.metSince.keys()].some(({signal}) => conditionOf(signal) === condition);
		const range =
			since === null
				? {raised: putOff(raised(situation, condition, isMetNow), condition, evictions)}
				: {
						held: isMetNow
							? heldWhileMet(situation, condition, since, clearAbout(signals, condition, evictions))
							: held(situation, condition, since),
					};
		return {...known, isMet: isMetNow, ...range};
	});
}

/** What the API alone shows of a condition. */
export function unmeasuredCondition(
	evidence: PressureEvidence,
	{pressureTransitionPeriod: transitionPeriod}: EvictionSettings,
	condition: PressureCondition,
): PressureConditionForecast {
	const since = conditionSince(evidence, condition) ?? null;
	return {
		condition,
		isTrue: since !== null,
		since,
		isMet: false,
		raised: null,
		held: null,
		transitionPeriod,
	};
}

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

/** When a condition becomes True: in the first pass that finds a threshold met, hard or soft. */
function raised(situation: PressureSituation, condition: PressureCondition, isMetNow: boolean): Range | null {
	const {monitoringInterval} = situation.settings;
	const sync = statusSync(situation.settings);
	const {earliest: first, expected} = situation.nextPass;
	if (isMetNow) return new Range(first, expected + sync / 2, foundMetBy(situation, condition) + sync);
	const by = turnsTrueBy(situation, condition);
	if (by !== undefined) return Range.over({lo: situation.now, hi: by});
	const crossings = crossingsOf(situation, condition).flatMap(({crossing: {at}, signal}) =>
		at ? [{at, late: situation.lateness.get(signal) ?? 0}] : [],
	);
	if (crossings.length === 0) return null;
	const latest = minOf(crossings.map(({at, late}) => at.end + late));
	// Pods that were evicted for something else may free enough to delay it.
	const isBounded = Number.isFinite(latest) && !situation.isAfterEviction;
	// A pass may have found it met before pods ended that freed enough: that status may not be posted yet.
	const mayBeFound = situation.freedUntil >= situation.now - sync;
	return new Range(
		mayBeFound ? situation.now : minOf(crossings.map(({at}) => at.earliest)),
		minOf(crossings.map(({at}) => at.expected)) + (monitoringInterval + sync) / 2,
		isBounded ? latest + monitoringInterval + sync : null,
	);
}

/** By when a pass finds one of the met thresholds met. An amount within the noise below a threshold may be above it again. */
function foundMetBy(situation: PressureSituation, condition: PressureCondition): Instant {
	const {metSince, nextPass, settings, now} = situation;
	const own = [...metSince.keys()].filter(({signal}) => conditionOf(signal) === condition);
	return minOf(
		own.map((threshold) => {
			const {type, at} = sureCrossingOf(situation, threshold, now);
			if (type === 'met') return nextPass.end;
			return at ? at.end + settings.monitoringInterval : never;
		}),
	);
}

/** When the thresholds of a condition are crossed, as far as their trends show. */
const crossingsOf = (
	situation: PressureSituation,
	condition: PressureCondition,
): readonly {readonly signal: Signal; readonly crossing: Crossing}[] =>
	situation.thresholds
		.filter(({signal}) => conditionOf(signal) === condition)
		.map((threshold) => ({signal: threshold.signal, crossing: crossingOf(situation, threshold)}));

/** Whether a threshold of a condition may be met by an instant: it is crossed by then, or there is no trend. */
const mayBeMetBy = (instant: Instant, situation: PressureSituation, condition: PressureCondition): boolean =>
	crossingsOf(situation, condition).some(
		({crossing: {type, at}}) => type === 'unknown' || (at && at.earliest <= instant),
	);

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
const foundUntil = ({evidence, settings}: PressureSituation, condition: PressureCondition, since: Instant) =>
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
	condition: PressureCondition,
	since: Instant,
	clear: Range | null,
): Range {
	const {settings, now, newest, metSince} = situation;
	const {pressureTransitionPeriod: period} = settings;
	const found = foundUntil(situation, condition, since);
	// A threshold that was only just crossed may not have been found by a pass yet.
	const isFound = [...metSince].some(
		([{signal}, {lo, hi}]) => conditionOf(signal) === condition && (lo <= since || hi <= now),
	);
	const from = isFound ? Math.max(lastPassBefore(newest.seenAt, situation), found) : found;
	const earliest = Math.max(now, from + period);
	return new Range(earliest, (clear?.expected ?? now) + period, null, clear?.shownEnd);
}

/**
 * When a condition without a met threshold ends: one transition period after the last pass that found one met. If a pass
 * acted on a threshold, it counts as met until its minimum reclaim is free as well.
 */
function held(situation: PressureSituation, condition: PressureCondition, since: Instant): Range {
	const {evidence, settings, now, nextPass} = situation;
	const {pressureTransitionPeriod: period, monitoringInterval: interval} = settings;
	const sync = statusSync(settings);
	const found = foundUntil(situation, condition, since);
	const lastMet = (withReclaim: boolean) =>
		evidence.samples.findLastIndex(({summary}) =>
			thresholdsMet(situation.thresholds, observeSignals(summary), withReclaim).some(
				({signal}) => conditionOf(signal) === condition,
			),
		);
	const [sure, maybe] = [lastMet(false), lastMet(true)];
	const metAt = evidence.samples[sure]?.seenAt ?? beginningOfTime;
	const earliest = Math.max(now, Math.max(lastPassBefore(metAt, situation), found) + period);
	if (maybe === evidence.samples.length - 1) return new Range(earliest, earliest + sync, null);
	// Before the first measurement a threshold may have been met.
	const clearAt = evidence.samples[maybe + 1]?.seenAt ?? now;
	const last = Math.max(since + second, clearAt, lastEvictionFor(evidence, condition));
	const latest = Math.max(now, last + period) + nextPass.end - now + sync;
	// The pass that evicted was mostly the last one that found it met.
	const isOfEviction = metAt - interval < found && found > since;
	const range = isOfEviction
		? Range.estimate(earliest, earliest + (interval + sync) / 2, latest)
		: Range.over({lo: earliest, hi: latest});
	return mayBeMetBy(range.latest ?? now, situation, condition) ? range.until(null) : range;
}
