import type {ControllerSettings} from '../core/model/controllerSettings.ts';
import type {ZoneState} from '../core/nodelifecycle/zones/zoneState.ts';
import {computeZoneState, evictionRate} from '../core/nodelifecycle/zones/zoneState.ts';
import type {Forecast} from '../forecast/forecast.ts';
import type {ZoneForecast} from '../forecast/zoneForecast.ts';

/** The state of a zone after further losses of nodes. */
export type LossStep = {
	readonly nodes: number;
	readonly state: ZoneState;
	/** Nodes tainted per second then; zero where evictions stop. */
	readonly rate: number;
};

/** How many further nodes a zone can lose before its state changes. */
export type MoreLosses = {
	readonly zone: string;
	readonly state: ZoneState;
	readonly size: number;
	readonly ready: number;
	/** How many of those that are ready are silent. */
	readonly silent: number;
	readonly rate: number;
	readonly steps: readonly LossStep[];
};

/** How many further nodes a cluster can lose, zone by zone, and before every eviction stops. */
export type LossOutlook = {
	readonly zones: readonly MoreLosses[];
	/** How many further nodes there are that are heard: with all of them lost, every eviction stops. */
	readonly untilAllStop: number;
};

/** Counts up the losses of each zone until its last node; nodes that are silent count as lost. */
export function moreLosses({zones}: Pick<Forecast, 'zones'>, settings: ControllerSettings): LossOutlook {
	const found = zones.map((zone) => lossesOf(zone, settings));
	return {zones: found, untilAllStop: found.reduce((sum, {ready, silent}) => sum + ready - silent, 0)};
}

function lossesOf(
	{zone, state, size, notReady, silent, rate}: ZoneForecast,
	settings: ControllerSettings,
): MoreLosses {
	const steps: LossStep[] = [];
	const lost = notReady + silent;
	const stateWith = (nodes: number) =>
		computeZoneState({size, notReady: lost + nodes}, settings.unhealthyZoneThreshold);
	let before = silent > 0 ? stateWith(0) : state;
	for (let nodes = 1; nodes <= size - lost; nodes += 1) {
		const next = stateWith(nodes);
		if (next !== before) steps.push({nodes, state: next, rate: evictionRate(next, size, settings)});
		before = next;
	}
	return {zone, state, size, ready: size - notReady, silent, rate, steps};
}
