import type {ConditionStatus} from '../model/node.ts';

/** What the controller thinks of a zone. A zone is Initial until its first pass has ended. */
export type ZoneState = 'Initial' | 'Normal' | 'PartialDisruption' | 'FullDisruption';

export type ZoneHealth = {readonly state: Exclude<ZoneState, 'Initial'>; readonly notReady: number};

/**
 * Judges a zone by the Ready conditions of its nodes. A node without one counts as not ready.
 *
 * A zone of one or two nodes is never partially disrupted: more than two must be down before the threshold counts.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/nodelifecycle/node_lifecycle_controller.go ComputeZoneState
 */
export function computeZoneState(
	readyStatuses: readonly (ConditionStatus | undefined)[],
	unhealthyZoneThreshold: number,
): ZoneHealth {
	const size = readyStatuses.length;
	const notReady = readyStatuses.reduce((count, status) => (status === 'True' ? count : count + 1), 0);
	if (notReady > 0 && notReady === size) return {state: 'FullDisruption', notReady};
	// Go divides in float32; Math.fround keeps the comparison with the flag's float32 value exact.
	if (notReady > 2 && Math.fround(notReady / size) >= Math.fround(unhealthyZoneThreshold)) {
		return {state: 'PartialDisruption', notReady};
	}
	return {state: 'Normal', notReady};
}

type Rates = {
	readonly nodeEvictionRate: number;
	readonly secondaryNodeEvictionRate: number;
	readonly largeClusterSizeThreshold: number;
};

/**
 * The rate at which nodes of a zone get their NoExecute taint, in nodes per second.
 *
 * @quirk a fully disrupted zone is evicted at the normal rate
 * @quirk a zone is large by its own size, whatever the flag's name says
 * @upstream kubernetes v1.36.3 pkg/controller/nodelifecycle/node_lifecycle_controller.go ReducedQPSFunc
 */
export function evictionRate(state: ZoneState, zoneSize: number, settings: Rates): number {
	if (state !== 'PartialDisruption') return settings.nodeEvictionRate;
	return zoneSize > settings.largeClusterSizeThreshold ? settings.secondaryNodeEvictionRate : 0;
}
