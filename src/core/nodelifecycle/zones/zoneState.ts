export const zoneStates = ['Initial', 'Normal', 'PartialDisruption', 'FullDisruption'] as const;
/** The controller's state of a zone. A zone is Initial until its first pass has ended. */
export type ZoneState = (typeof zoneStates)[number];

/** The number of a zone's nodes, and how many are not ready. A node without a Ready condition counts as not ready. */
export type ZoneCount = {readonly size: number; readonly notReady: number};

export function countNode(counts: Map<string, ZoneCount>, zone: string, isReady: boolean) {
	const {size, notReady} = counts.get(zone) ?? {size: 0, notReady: 0};
	counts.set(zone, {size: size + 1, notReady: isReady ? notReady : notReady + 1});
}

/**
 * Judges a zone by the Ready conditions of its nodes.
 * More than two nodes must be down for a partial disruption, so a zone of three nodes has none: three down are all.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/nodelifecycle/node_lifecycle_controller.go ComputeZoneState
 */
export function computeZoneState(
	{size, notReady}: ZoneCount,
	unhealthyZoneThreshold: number,
): Exclude<ZoneState, 'Initial'> {
	if (notReady > 0 && notReady === size) return 'FullDisruption';
	// Go divides in float32; Math.fround keeps the comparison with the flag's float32 value exact.
	const isUnhealthy = Math.fround(notReady / size) >= Math.fround(unhealthyZoneThreshold);
	return notReady > 2 && isUnhealthy ? 'PartialDisruption' : 'Normal';
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

/** Whether a zone's limiter has the rate that a stopped one reports, too: the controller does not replace one by the other. */
export const hidesStop = (rate: number): boolean => Math.fround(rate) === 1;
