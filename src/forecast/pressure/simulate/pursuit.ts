import {killTimeout} from '../../../core/nodepressure/killSequence.ts';
import {observeSignals} from '../../../core/nodepressure/thresholds/observations.ts';
import {conditionOf, type PressureCondition} from '../../../core/nodepressure/thresholds/signal.ts';
import {isHard, type Threshold} from '../../../core/nodepressure/thresholds/threshold.ts';
import {isMet} from '../../../core/nodepressure/thresholds/thresholdsMet.ts';
import type {Duration} from '../../../core/time/instant.ts';
import {cleanup, nextPass} from '../nextPass.ts';
import {lastEvictionFor} from '../observe/happenings.ts';
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
		if (wasResolved(threshold, situation)) return false;
		return (
			conditionSince(evidence, condition) !== undefined || turnsTrueBy(situation, condition) !== undefined
		);
	});
}

/** Whether the pass that evicted a pod for a condition may not be over. */
function mayBeCleaningUp(
	{evidence, settings, now}: PressureSituation,
	condition: PressureCondition,
): boolean {
	const evictedAt = lastEvictionFor(evidence, condition);
	if (evictedAt === undefined) return false;
	const {latest} = nextPass({lastEvictionAt: evictedAt}, settings, now);
	return latest === null || latest > now + settings.monitoringInterval;
}

/** Whether enough was seen free for so long that a pass saw it too, and nothing since makes a pass act again. */
function wasResolved(threshold: Threshold, situation: PressureSituation): boolean {
	const {
		evidence: {samples},
		settings: {monitoringInterval},
	} = situation;
	const found = samples.map(({seenAt, summary}) => {
		const observed = observeSignals(summary).get(threshold.signal);
		const isMetWith = (reclaim: boolean) => observed === undefined || isMet(threshold, observed, reclaim);
		return {seenAt, isResolved: !isMetWith(true), isMet: isMetWith(false)};
	});
	const last = found.findLastIndex(({isResolved}) => isResolved);
	const end = found[last];
	if (!end || found.slice(last).some((one) => one.isMet)) return false;
	// In a gap longer than the time between two passes, a pass may have found less.
	const isBroken = ({seenAt, isResolved}: (typeof found)[number], index: number) =>
		!isResolved || (found[index + 1] ?? end).seenAt - seenAt > 2 * monitoringInterval;
	const begin = found[found.slice(0, last).findLastIndex(isBroken) + 1] ?? end;
	return end.seenAt - begin.seenAt >= longestPass(situation);
}

/** The longest rest of the pass in progress: if it evicts, it waits for the pod and its cleanup; the next follows at once. */
function longestPass({
	thresholds,
	metSince,
	settings: {maxPodGracePeriodSeconds},
	now,
}: PressureSituation): Duration {
	const mayGrantGrace = thresholds.some(
		(one) => !isHard(one) && (metSince.get(one)?.lo ?? Number.NEGATIVE_INFINITY) + one.gracePeriod <= now,
	);
	const seconds = mayGrantGrace ? Math.max(1, maxPodGracePeriodSeconds) : 1;
	return killTimeout(seconds) + cleanup;
}
