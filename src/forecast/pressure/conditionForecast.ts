import {observeSignals} from '../../core/nodepressure/thresholds/observations.ts';
import {
	conditionOf,
	type PressureCondition,
	pressureConditions,
} from '../../core/nodepressure/thresholds/signal.ts';
import {isMet} from '../../core/nodepressure/thresholds/thresholdsMet.ts';
import {type Instant, second} from '../../core/time/instant.ts';
import {Range} from '../range.ts';
import {lastEvictionFor} from './observe/happenings.ts';
import type {PressureConditionForecast} from './pressureForecast.ts';
import {crossingOf} from './signalForecast.ts';
import {conditionSince, type PressureSituation, statusSync, turnsTrueBy} from './situation.ts';

/** Forecasts a node's pressure conditions. */
export function conditionForecasts(situation: PressureSituation): readonly PressureConditionForecast[] {
	return pressureConditions.map((condition) => {
		const since = conditionSince(situation.evidence, condition);
		const isMetNow = [...situation.metSince.keys()].some(({signal}) => conditionOf(signal) === condition);
		return {
			condition,
			isTrue: since !== undefined,
			since: since ?? null,
			isMet: isMetNow,
			raised: since === undefined ? raised(situation, condition, isMetNow) : null,
			held: since === undefined ? null : held(situation, condition, since, isMetNow),
		};
	});
}

/** When a condition becomes True: in the first pass that finds a threshold met, be it hard or soft. */
function raised(situation: PressureSituation, condition: PressureCondition, isMetNow: boolean): Range | null {
	const {monitoringInterval} = situation.settings;
	const sync = statusSync(situation.settings);
	const {earliest: first, expected, latest: last} = situation.nextPass;
	if (isMetNow) return new Range(first, expected + sync / 2, last === null ? null : last + sync);
	const by = turnsTrueBy(situation, condition);
	if (by !== undefined) return Range.over({lo: situation.now, hi: by});
	const crossings = crossingsOf(situation, condition);
	if (crossings.length === 0) return null;
	const latest = Math.min(...crossings.map((at) => at.latest ?? Number.POSITIVE_INFINITY));
	return new Range(
		Math.min(...crossings.map((at) => at.earliest)),
		Math.min(...crossings.map((at) => at.expected)) + (monitoringInterval + sync) / 2,
		Number.isFinite(latest) ? latest + monitoringInterval + sync : null,
	);
}

/** When thresholds of a condition are crossed, or may be. */
const crossingsOf = (situation: PressureSituation, condition: PressureCondition): readonly Range[] =>
	situation.thresholds
		.filter(({signal}) => conditionOf(signal) === condition)
		.map((threshold) => crossingOf(situation, threshold))
		.flatMap((one) => ('at' in one ? [one.at] : []));

/**
 * When a condition ends: the transition period after the last pass that found a threshold met. One that a pass acted on is met
 * until its minimum reclaim is free as well.
 */
function held(
	situation: PressureSituation,
	condition: PressureCondition,
	since: Instant,
	isMetNow: boolean,
): Range {
	const {evidence, settings, now, newest, nextPass} = situation;
	const {pressureTransitionPeriod: period, monitoringInterval: interval} = settings;
	if (isMetNow) {
		return new Range(Math.max(now, newest.seenAt - interval + period), now + period, null);
	}
	const lastMet = (withReclaim: boolean) =>
		evidence.samples.findLastIndex(({summary}) => {
			const observations = observeSignals(summary);
			return situation.thresholds.some((threshold) => {
				const observed = observations.get(threshold.signal);
				return (
					conditionOf(threshold.signal) === condition && observed && isMet(threshold, observed, withReclaim)
				);
			});
		});
	const [sure, maybe] = [lastMet(false), lastMet(true)];
	const sync = statusSync(settings);
	const metAt = evidence.samples[sure]?.seenAt ?? Number.NEGATIVE_INFINITY;
	const earliest = Math.max(now, Math.max(metAt - interval, since - sync) + period);
	if (maybe === evidence.samples.length - 1) return new Range(earliest, earliest + sync, null);
	const clearAt = maybe < 0 ? Number.NEGATIVE_INFINITY : (evidence.samples[maybe + 1]?.seenAt ?? now);
	const last = Math.max(since + second, clearAt, lastEvictionFor(evidence, condition) ?? since);
	const rest = Math.max(interval, (nextPass.latest ?? now) - now);
	const range = Range.over({lo: earliest, hi: Math.max(now, last + period) + rest + sync});
	const isMetAgain = crossingsOf(situation, condition).some((at) => at.earliest <= (range.latest ?? now));
	return isMetAgain ? range.until(null) : range;
}
