import type {Duration, Instant} from '../../time/instant.ts';
import {conditionOf, type PressureCondition} from './signal.ts';
import type {Threshold} from './threshold.ts';

/** When a threshold of each condition was last met. */
export type LastObserved = ReadonlyMap<PressureCondition, Instant>;

/**
 * Updates these times with the thresholds that are met now.
 *
 * @quirk a soft threshold raises its condition at once, without grace
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/helpers.go nodeConditionsLastObservedAt
 */
export function conditionsLastObserved(
	met: readonly Threshold[],
	before: LastObserved,
	now: Instant,
): LastObserved {
	return new Map([...before, ...met.map(({signal}) => [conditionOf(signal), now] as const)]);
}

/**
 * The conditions that are True: those observed within the transition period, in alphabetical order.
 *
 * @quirk with a transition period of zero no condition is ever shown
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/helpers.go nodeConditionsObservedSince
 */
export function conditionsShown(
	lastObserved: LastObserved,
	transitionPeriod: Duration,
	now: Instant,
): readonly PressureCondition[] {
	return [...lastObserved]
		.filter(([, at]) => now - at < transitionPeriod)
		.map(([condition]) => condition)
		.toSorted();
}
