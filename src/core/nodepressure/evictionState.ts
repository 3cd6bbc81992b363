import type {Duration, Instant} from '../time/instant.ts';
import type {FileSystems} from './thresholds/containerFsThresholds.ts';
import type {EvictionSettings} from './thresholds/evictionSettings.ts';
import type {MeasuredSummary, Observations} from './thresholds/observations.ts';
import {conditionOf, type PressureCondition} from './thresholds/signal.ts';
import type {Threshold} from './thresholds/threshold.ts';
import {
	type FirstObserved,
	firstObservedAt,
	mergeThresholds,
	thresholdsMet,
	thresholdsPastGrace,
	thresholdsUpdated,
} from './thresholds/thresholdsMet.ts';

/** What an eviction manager remembers from pass to pass. Immutable: each pass makes a new one. */
export type EvictionState = Readonly<{
	/** All thresholds; those of containerfs only once the file systems are known. */
	thresholds: readonly Threshold[];
	/** Queried until the first answer; absent until then. */
	fileSystems?: FileSystems;
	firstObserved: FirstObserved;
	/** The thresholds whose grace period was over in the last pass. */
	thresholdsMet: readonly Threshold[];
	lastObserved: LastObserved;
	/** The node's conditions that are True, in alphabetical order. */
	conditions: readonly PressureCondition[];
	observations: Observations;
}>;

/** The state of a kubelet that has just started. */
export function initialState({thresholds}: EvictionSettings): EvictionState {
	return {
		thresholds,
		firstObserved: new Map(),
		thresholdsMet: [],
		lastObserved: new Map(),
		conditions: [],
		observations: new Map(),
	};
}

/**
 * Evaluates new statistics: which thresholds are met, since when, and which have new measurements.
 *
 * @param evaluated the thresholds of this pass; the first pass leaves out those of containerfs that were just added
 * @quirk a threshold that was acted on stays met until its minimum reclaim is free as well, and raises its condition
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/eviction_manager.go synchronize
 */
export function assess(
	state: EvictionState,
	evaluated: readonly Threshold[],
	{observations}: MeasuredSummary,
	settings: EvictionSettings,
	now: Instant,
) {
	const unresolved = thresholdsMet(state.thresholdsMet, observations, true);
	const met = mergeThresholds(thresholdsMet(evaluated, observations, false), unresolved);
	const firstObserved = firstObservedAt(met, state.firstObserved, now);
	const lastObserved = conditionsLastObserved(met, state.lastObserved, now);
	const pastGrace = thresholdsPastGrace(firstObserved, now);
	return {
		state: {
			...state,
			firstObserved,
			lastObserved,
			thresholdsMet: pastGrace,
			conditions: conditionsShown(lastObserved, settings.pressureTransitionPeriod, now),
			observations,
		},
		actionable: thresholdsUpdated(pastGrace, observations, state.observations),
	};
}

/** When a threshold of each condition was last met. */
type LastObserved = ReadonlyMap<PressureCondition, Instant>;

/**
 * Updates these times with the thresholds that are met now.
 *
 * @quirk a soft threshold raises its condition at once, without grace
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/helpers.go nodeConditionsLastObservedAt
 */
function conditionsLastObserved(met: readonly Threshold[], before: LastObserved, now: Instant): LastObserved {
	return new Map([...before, ...met.map(({signal}) => [conditionOf(signal), now] as const)]);
}

/**
 * The conditions that are True: those observed within the transition period, in alphabetical order.
 *
 * @quirk with a transition period of zero no condition is ever shown
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/helpers.go nodeConditionsObservedSince
 */
function conditionsShown(
	lastObserved: LastObserved,
	transitionPeriod: Duration,
	now: Instant,
): readonly PressureCondition[] {
	return [...lastObserved]
		.filter(([, at]) => now - at < transitionPeriod)
		.map(([condition]) => condition)
		.toSorted();
}
