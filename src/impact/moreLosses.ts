import type {ControllerSettings} from '../core/model/controllerSettings.ts';
import type {ZoneState} from '../core/nodelifecycle/zones/zoneState.ts';
import {computeZoneState, evictionRate} from '../core/nodelifecycle/zones/zoneState.ts';
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
	readonly rate: number;
	readonly steps: readonly LossStep[];
};

/** How many further nodes a cluster can lose, zone by zone, and before every eviction stops. */
export type LossOutlook = {
	readonly zones: readonly MoreLosses[];
	/** How many further nodes there are: with all of them lost, every eviction stops. */
	readonly untilAllStop: number;
};

/** Counts up the losses of each zone until its last node. */
export function moreLosses(zones: readonly ZoneForecast[], settings: ControllerSettings): LossOutlook {
	return {
		zones: zones.map((zone) => lossesOf(zone, settings)),
		untilAllStop: zones.reduce((sum, {size, notReady}) => sum + size - notReady, 0),
	};
}

function lossesOf(
	{zone, state, size, notReady, rate}: ZoneForecast,
	settings: ControllerSettings,
): MoreLosses {
	const steps: LossStep[] = [];
	let before = state;
	for (let nodes = 1; nodes <= size - notReady; nodes += 1) {
		const next = computeZoneState({size, notReady: notReady + nodes}, settings.unhealthyZoneThreshold);
		if (next !== before) steps.push({nodes, state: next, rate: evictionRate(next, size, settings)});
		before = next;
	}
	return {zone, state, size, ready: size - notReady, rate, steps};
}
