import type {Instant} from '../../time/instant.ts';
import {addQuantities, compareQuantities} from '../quantities/quantity.ts';
import {availableQuantity, type Observations, type SignalObservation} from './observations.ts';
import {isSameValue, type Threshold, thresholdQuantity} from './threshold.ts';

/** Since when each met threshold has been met without interruption. */
export type FirstObserved = ReadonlyMap<Threshold, Instant>;

/**
 * The thresholds that the observed amounts are below. A signal that is not observed meets none.
 *
 * @param enforceMinReclaim whether the minimum reclaim must be free as well
 * @quirk exactly the threshold is not below it
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/helpers.go thresholdsMet
 */
export function thresholdsMet(
	thresholds: readonly Threshold[],
	observations: Observations,
	enforceMinReclaim: boolean,
): readonly Threshold[] {
	return thresholds.filter((threshold) => {
		const observed = observations.get(threshold.signal);
		return observed !== undefined && isMet(threshold, observed, enforceMinReclaim);
	});
}

/** Whether an observed amount is below a threshold. */
export function isMet(threshold: Threshold, observed: SignalObservation, enforceMinReclaim: boolean) {
	const {operator, signal, value, minReclaim} = threshold;
	const bare = thresholdQuantity(value, observed.capacity);
	const quantity =
		enforceMinReclaim && minReclaim
			? addQuantities(bare, thresholdQuantity(minReclaim, observed.capacity))
			: bare;
	return operator === 'LessThan' && compareQuantities(quantity, availableQuantity(signal, observed)) > 0;
}

/**
 * Both lists without duplicates.
 *
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/helpers.go mergeThresholds
 */
export function mergeThresholds(a: readonly Threshold[], b: readonly Threshold[]): readonly Threshold[] {
	const merged = [...a];
	for (const threshold of b) {
		if (!merged.some((other) => isEqual(threshold, other))) merged.push(threshold);
	}
	return merged;
}

const isEqual = (a: Threshold, b: Threshold) =>
	a.gracePeriod === b.gracePeriod &&
	a.operator === b.operator &&
	a.signal === b.signal &&
	isSameValue(a.value, b.value);

/**
 * Since when each of these thresholds has been met; all others are dropped.
 *
 * @quirk one pass above a soft threshold begins its grace period anew
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/helpers.go thresholdsFirstObservedAt
 */
export function firstObservedAt(
	thresholds: readonly Threshold[],
	before: FirstObserved,
	now: Instant,
): FirstObserved {
	return new Map(thresholds.map((threshold) => [threshold, before.get(threshold) ?? now]));
}

/**
 * The thresholds whose grace period is over.
 *
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/helpers.go thresholdsMetGracePeriod
 */
export function thresholdsPastGrace(firstObserved: FirstObserved, now: Instant): readonly Threshold[] {
	return [...firstObserved]
		.filter(([{gracePeriod}, at]) => now - at >= gracePeriod)
		.map(([threshold]) => threshold);
}

/**
 * The thresholds whose signal was measured again since the last pass: one measurement never causes two evictions.
 *
 * @quirk statistics without a time always count as new
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/helpers.go thresholdsUpdatedStats
 */
export function thresholdsUpdated(
	thresholds: readonly Threshold[],
	observations: Observations,
	before: Observations,
): readonly Threshold[] {
	return thresholds.filter(({signal}) => {
		const [observed, last] = [observations.get(signal), before.get(signal)];
		if (!observed) return false;
		return !last || observed.time === undefined || last.time === undefined || observed.time > last.time;
	});
}
