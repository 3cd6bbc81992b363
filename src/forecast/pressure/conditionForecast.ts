import {observeSignals} from '../../core/nodepressure/thresholds/observations.ts';
import {
	conditionOf,
	type PressureCondition,
	pressureConditions,
} from '../../core/nodepressure/thresholds/signal.ts';
import {isMet} from '../../core/nodepressure/thresholds/thresholdsMet.ts';
import type {Duration} from '../../core/time/instant.ts';
import {Range} from '../range.ts';
import type {SummarySample} from './observe/pressureEvidence.ts';
import type {PressureConditionForecast} from './pressureForecast.ts';
import {crossingOf} from './signalForecast.ts';
import {conditionSince, type PressureSituation} from './situation.ts';

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

/** From a pass to the API server: the kubelet posts conditions with its status, each time a little late. */
const statusSync = ({settings}: PressureSituation): Duration => settings.nodeStatusUpdateFrequency * 1.04;

/** When a condition becomes True: in the first pass that finds a threshold met, be it hard or soft. */
function raised(situation: PressureSituation, condition: PressureCondition, isMetNow: boolean): Range | null {
	const {monitoringInterval} = situation.settings;
	const sync = statusSync(situation);
	const {earliest: first, expected, latest: last} = situation.nextPass;
	if (isMetNow) return new Range(first, expected + sync / 2, last === null ? null : last + sync);
	const crossings = situation.thresholds
		.filter(({signal}) => conditionOf(signal) === condition)
		.map((threshold) => crossingOf(situation, threshold))
		.flatMap((one) => (one.type === 'expected' || one.type === 'possible' ? [one.at] : []));
	if (crossings.length === 0) return null;
	const latest = Math.min(...crossings.map((at) => at.latest ?? Number.POSITIVE_INFINITY));
	return new Range(
		Math.min(...crossings.map((at) => at.earliest)),
		Math.min(...crossings.map((at) => at.expected)) + (monitoringInterval + sync) / 2,
		Number.isFinite(latest) ? latest + monitoringInterval + sync : null,
	);
}

/** When a condition ends: the transition period after the last pass that found a threshold met. */
function held(
	situation: PressureSituation,
	condition: PressureCondition,
	since: number,
	isMetNow: boolean,
): Range {
	const {evidence, settings, now, newest} = situation;
	const {pressureTransitionPeriod: period, monitoringInterval: interval} = settings;
	if (isMetNow) {
		return new Range(Math.max(now, newest.seenAt - interval + period), now + period, null);
	}
	const isMetIn = ({summary}: SummarySample) => {
		const observations = observeSignals(summary);
		return situation.thresholds.some((threshold) => {
			const observed = observations.get(threshold.signal);
			return conditionOf(threshold.signal) === condition && observed && isMet(threshold, observed, false);
		});
	};
	const lastMet = evidence.samples.findLastIndex(isMetIn);
	const from = evidence.samples[lastMet]?.seenAt ?? since;
	const to = evidence.samples[lastMet + 1]?.seenAt ?? newest.seenAt;
	const earliest = Math.max(now, from - interval + period);
	const latest = Math.max(now, to + period) + interval + statusSync(situation);
	return Range.over({lo: earliest, hi: latest});
}
