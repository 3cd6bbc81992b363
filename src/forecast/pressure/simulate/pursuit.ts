import {conditionOf, type PressureCondition} from '../../../core/nodepressure/thresholds/signal.ts';
import type {Threshold} from '../../../core/nodepressure/thresholds/threshold.ts';
import {isMet} from '../../../core/nodepressure/thresholds/thresholdsMet.ts';
import {nextPass} from '../nextPass.ts';
import {lastEvictionAt} from '../observe/happenings.ts';
import {conditionSince, type PressureSituation, turnsTrueBy} from '../situation.ts';

/**
 * The thresholds that a pass may have acted on, and whose minimum reclaim was not free when it was last measured, or may not
 * be once the cleanup of an eviction is over: it is unknown whether that is still pursued.
 */
export function maybePending(situation: PressureSituation): readonly Threshold[] {
	const {thresholds, observations, metSince, evidence, now} = situation;
	return thresholds.filter((threshold) => {
		const observed = observations.get(threshold.signal);
		if (!observed) return false;
		const condition = conditionOf(threshold.signal);
		if (mayBeCleaningUp(situation, condition)) return true;
		if (!isMet(threshold, observed, true)) return false;
		const met = metSince.get(threshold);
		if (met) return met.lo + threshold.gracePeriod <= now;
		return (
			conditionSince(evidence, condition) !== undefined || turnsTrueBy(situation, condition) !== undefined
		);
	});
}

/** Whether the pass that evicted a pod for a condition may not be over. */
function mayBeCleaningUp({evidence, settings, now}: PressureSituation, condition: PressureCondition) {
	const {end} = nextPass(lastEvictionAt(evidence, condition), settings, now);
	return end > now + settings.monitoringInterval;
}
