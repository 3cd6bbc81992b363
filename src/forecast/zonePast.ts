import type {ControllerSettings} from '../core/model/controllerSettings.ts';
import {type ConditionStatus, nodeCondition} from '../core/model/node.ts';
import {zoneKey} from '../core/model/zone.ts';
import {isExcludedFromDisruptionChecks} from '../core/nodelifecycle/nodeLabels.ts';
import {computeZoneState, evictionRate, type ZoneCount, type ZoneState} from '../core/nodelifecycle/zoneState.ts';
import {type Instant, second} from '../core/time/instant.ts';
import type {Interval} from './interval.ts';
import type {NodeEvidence} from './nodeEvidence.ts';
import type {Suspects} from './suspects.ts';

/** What a zone was when a pass judged it, and what may have touched its bucket since. */
export type ZonePast = {
	readonly state: Exclude<ZoneState, 'Initial'>;
	readonly count: ZoneCount;
	/** Nodes per second; zero where it is stopped. */
	readonly rate: number;
	/** The last NoExecute taint that took a token, as far as it still shows. */
	readonly lastTaint: Interval | undefined;
	/** The last change of a node's Ready condition: a change of the zone's state may have drained its bucket then. */
	readonly lastChange: Interval | undefined;
};

/** The zones as the last pass left them, and whether every zone was down then. */
export type ZonesPast = {readonly zones: ReadonlyMap<string, ZonePast>; readonly allDown: boolean};

/** Judges the zones by the nodes' conditions as they were at a pass: changes after it are not known to it. */
export function zonesAt(pass: Instant, suspects: Suspects, settings: ControllerSettings): ZonesPast {
	const counts = new Map(suspects.others);
	const byZone = Map.groupBy(suspects.nodes, ({node}) => zoneKey(node));
	for (const evidence of suspects.nodes) {
		if (isExcludedFromDisruptionChecks(evidence.node)) continue;
		const zone = zoneKey(evidence.node);
		const {size, notReady} = counts.get(zone) ?? {size: 0, notReady: 0};
		const isReady = readyAt(evidence, pass) === 'True';
		counts.set(zone, {size: size + 1, notReady: isReady ? notReady : notReady + 1});
	}
	const states = [...counts].map(([zone, count]) => [zone, computeZoneState(count, settings.unhealthyZoneThreshold)] as const);
	const allDown = states.length > 0 && states.every(([, state]) => state === 'FullDisruption');
	const zones = states.map(([zone, state]): [string, ZonePast] => {
		const count = counts.get(zone) ?? {size: 0, notReady: 0};
		const nodes = byZone.get(zone) ?? [];
		return [
			zone,
			{
				state,
				count,
				rate: allDown ? 0 : evictionRate(state, count.size, settings),
				lastTaint: latest(nodes.map(({taintedAt}) => taintedAt)),
				lastChange: latest(nodes.map(({readyChangedAt}) => readyChangedAt)),
			},
		];
	});
	return {zones: new Map(zones), allDown};
}

/** The Ready status that a pass saw: the opposite of today's where it changed after the pass, by the kubelet's doing. */
function readyAt({node, readyChangedAt}: NodeEvidence, pass: Instant): ConditionStatus | undefined {
	const status = nodeCondition(node, 'Ready')?.status;
	if (status === 'Unknown' || !readyChangedAt || readyChangedAt.lo <= pass) return status;
	return status === 'True' ? 'Unknown' : 'True';
}

function latest(intervals: readonly (Interval | undefined)[]): Interval | undefined {
	return intervals.filter((one) => one !== undefined).toSorted((a, b) => b.hi - a.hi)[0];
}

/** When the bucket of a zone may next hold a token; undefined where its rate is zero. */
export function nextToken(past: ZonePast, waiting: number, settings: ControllerSettings, now: Instant): Interval | undefined {
	if (past.rate <= 0) return undefined;
	const refill = second / past.rate;
	const fromTaint = past.lastTaint ? past.lastTaint.lo + refill : now;
	const drainedBy = [past.lastTaint?.hi, past.lastChange && past.lastChange.hi + settings.nodeMonitorPeriod + second];
	const latestDrain = Math.max(...drainedBy.map((time) => Math.min(time ?? Number.NEGATIVE_INFINITY, now)));
	const hi = Math.max(now, latestDrain + refill);
	// Nodes that wait show that there is no token yet: else one of them would be tainted.
	const lo = Math.max(now, Math.min(fromTaint, hi));
	return waiting > 0 ? {lo, hi: Math.max(hi, now + 100)} : {lo, hi};
}
