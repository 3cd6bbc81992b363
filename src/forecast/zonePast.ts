import type {ControllerSettings} from '../core/model/controllerSettings.ts';
import {type ConditionStatus, nodeCondition} from '../core/model/node.ts';
import {zoneKey} from '../core/model/zone.ts';
import {isExcludedFromDisruptionChecks} from '../core/nodelifecycle/nodeLabels.ts';
import {
	computeZoneState,
	evictionRate,
	type ZoneCount,
	type ZoneState,
} from '../core/nodelifecycle/zoneState.ts';
import type {Instant} from '../core/time/instant.ts';
import type {NodeEvidence} from './nodeEvidence.ts';
import type {Suspects} from './suspects.ts';

/** What a zone was when a pass judged it. */
export type ZonePast = {
	readonly state: Exclude<ZoneState, 'Initial'>;
	readonly count: ZoneCount;
	/** Nodes per second; zero where it is stopped. */
	readonly rate: number;
};

/** The zones as a pass left them, and whether every zone was down then. */
export type ZonesPast = {readonly zones: ReadonlyMap<string, ZonePast>; readonly allDown: boolean};

/** Judges the zones by the nodes' conditions as they were at a pass: changes after it are not known to it. */
export function zonesAt(pass: Instant, suspects: Suspects, settings: ControllerSettings): ZonesPast {
	const counts = new Map(suspects.others);
	for (const evidence of suspects.nodes) {
		if (isExcludedFromDisruptionChecks(evidence.node)) continue;
		const zone = zoneKey(evidence.node);
		const {size, notReady} = counts.get(zone) ?? {size: 0, notReady: 0};
		const isReady = readyAt(evidence, pass) === 'True';
		counts.set(zone, {size: size + 1, notReady: isReady ? notReady : notReady + 1});
	}
	const states = [...counts].map(([zone, count]) => {
		const state = computeZoneState(count, settings.unhealthyZoneThreshold);
		return {zone, count, state};
	});
	const allDown = states.length > 0 && states.every(({state}) => state === 'FullDisruption');
	const zones = states.map(({zone, count, state}): [string, ZonePast] => {
		const rate = allDown ? 0 : evictionRate(state, count.size, settings);
		return [zone, {state, count, rate}];
	});
	return {zones: new Map(zones), allDown};
}

/** The Ready status that a pass saw: the one before, where it changed after that pass. */
function readyAt({node, readyChangedAt}: NodeEvidence, pass: Instant): ConditionStatus | undefined {
	const status = nodeCondition(node, 'Ready')?.status;
	if (!readyChangedAt || readyChangedAt.lo <= pass) return status;
	return status === 'True' ? 'Unknown' : 'True';
}
