import type {ControllerSettings} from '../core/model/controllerSettings.ts';
import {computeZoneState, type ZoneState} from '../core/nodelifecycle/zones/zoneState.ts';
import type {Forecast} from '../forecast/forecast.ts';
import {zoneWith} from '../forecast/infer/evictionStop.ts';
import {unseenZone} from '../forecast/observe/affectedNodes.ts';
import {asKnown, type StateStep, type ZoneForecast} from '../forecast/zoneForecast.ts';

/** The state of a zone after further losses of nodes. */
export type LossStep = Omit<StateStep, 'nodesDown' | 'nodesBack'> & {readonly nodes: number};

/** How many more nodes a zone can lose before its state changes. */
export type MoreLosses = Pick<
	ZoneForecast,
	'zone' | 'state' | 'size' | 'silent' | 'late' | 'rate' | 'isRateAssumed' | 'isUntold'
> & {
	readonly ready: number;
	/** The state that its silent nodes bring, if it is another. */
	readonly coming?: ZoneState;
	readonly steps: readonly LossStep[];
};

/** How many more nodes a cluster can lose: by zone, and before all evictions stop. */
export type LossOutlook = {
	readonly zones: readonly MoreLosses[];
	/** The number of remaining nodes that are ready and not silent; if all are lost, all evictions stop. */
	readonly untilAllStop: number;
};

/**
 * Simulates the losses of each zone down to its last node; silent nodes count as lost.
 */
export function moreLosses({zones}: Forecast, settings: ControllerSettings): LossOutlook {
	const counts = new Map(
		zones.map(({zone, size, notReady, silent}) => {
			const count = {size, notReady: notReady + silent};
			return [zone, {count, state: computeZoneState(count, settings.unhealthyZoneThreshold)}];
		}),
	);
	// Nodes that are not seen may be of other zones, and ready.
	if (zones.some(({isStateAssumed}) => isStateAssumed))
		counts.set(unseenZone, {count: {size: 1, notReady: 0}, state: 'Normal'});
	const found = zones.map((zone) => lossesOf(zone, counts, settings));
	return {zones: found, untilAllStop: found.reduce((sum, {ready, silent}) => sum + ready - silent, 0)};
}

function lossesOf(
	one: ZoneForecast,
	counts: Parameters<typeof zoneWith>[2],
	settings: ControllerSettings,
): MoreLosses {
	const {zone, state, size, notReady, silent, late, rate, isRateAssumed} = one;
	const steps: LossStep[] = [];
	const ready = size - notReady;
	const assumed = isRateAssumed && {isRateAssumed};
	const losses = {zone, state, size, ready, silent, late, rate, ...assumed, steps};
	if (one.isUntold) return {...losses, isUntold: one.isUntold};
	const isControllerLost = (nodes: number) => one.onlyController !== undefined && nodes === ready - silent;
	const isControlled = (nodes: number) => one.stopped?.kind !== 'ControllerDown' && !isControllerLost(nodes);
	const soon = silent > 0 ? zoneWith(zone, 0, counts, settings).state : state;
	let before = soon;
	for (let nodes = 1; nodes <= ready - silent; nodes += 1) {
		const next = zoneWith(zone, -nodes, counts, settings);
		if (next.state !== before)
			steps.push(
				asKnown(one, {
					nodes,
					state: next.state,
					rate: isControlled(nodes) ? next.rate : 0,
					...(isControllerLost(nodes) && {isControllerLost: true as const}),
				}),
			);
		before = next.state;
	}
	return soon === state ? losses : {...losses, coming: soon};
}
