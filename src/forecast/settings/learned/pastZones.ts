import {maxOf} from '../../../core/collections/extremes.ts';
import {kept} from '../../../core/collections/kept.ts';
import {zoneKey, zoneLabel} from '../../../core/model/zone.ts';
import {type Duration, type Instant, minute, second} from '../../../core/time/instant.ts';
import {type ZonePast, type ZonesPast, zonesAt} from '../../infer/zonePast.ts';
import type {Interval} from '../../observe/interval.ts';
import {namesOf} from '../../observe/nodes/nodeEvidence.ts';
import type {Observed} from '../../observe/observed.ts';

/** Passes and caches may delay a change this long. */
const changeDelay: Duration = 3 * second;
/** From one pass to the next, with the longest period that people set. */
export const longestPass: Duration = 10 * second;
/** A pass that began before this time wrote as much during it as its client allows. */
export const busy: Duration = minute;

/** How long a write may wait for its client, which never holds more than about twenty calls. */
export const writeWait: Duration = 2.5 * second;

/** How zones were at past instants, by the settings in use. They are judged once an instant: many taints need the same. */
export function pastZones(observed: Observed) {
	const {affected, evidence, settings} = observed;
	const known = new Map<string, ZonesPast>();
	const isAffected = namesOf(affected.nodes);
	const byZone = Map.groupBy(evidence.nodes.values(), ({node}) => zoneKey(node));
	const zonesOf = (at: Instant, edge: keyof Interval): ZonesPast =>
		kept(known, `${edge} ${at}`, () => zonesAt(at, affected, settings, edge));
	return (zone: string) => {
		const nodes = byZone.get(zone) ?? [];
		const created = nodes.map(({node}) => node.createdAt);
		const changed = nodes.flatMap(({node, readyChangedAt}) =>
			readyChangedAt && !isAffected.has(node.name) ? readyChangedAt.hi : [],
		);
		/** Whether it was so at some instants, be what is known only to a second before each or after it. */
		const wasSo = (
			instants: readonly Instant[],
			isSo: (past: ZonePast | undefined, allDown: boolean) => boolean,
		) =>
			instants
				.flatMap((at) => [zonesOf(at, 'lo'), zonesOf(at, 'hi')])
				.every(({zones, allDown}) => isSo(zones.get(zone), allDown));
		return {
			observed,
			/** As people read it. */
			label: zoneLabel(zone),
			nodes,
			/** When its youngest node was created. */
			youngest: maxOf(created),
			/** When its currently healthy nodes last changed. */
			changedAt: maxOf([...created, ...changed]),
			/** How long before a taint it must have had its state, for the pass to have seen it. */
			before: 2 * settings.nodeMonitorPeriod + changeDelay,
			at: (instant: Instant) => zonesOf(instant, 'lo').zones.get(zone),
			wasSo,
			hadRate: (rate: number, instants: readonly Instant[]) => wasSo(instants, (past) => past?.rate === rate),
		};
	};
}

export type PastZone = ReturnType<ReturnType<typeof pastZones>>;

/** How long the controllers took for their writes in a time, to the nodes of all zones and their pods. */
export function timeToWrite({lo, hi}: Interval, {affected, evidence, settings}: Observed): Duration {
	if (settings.kubeApiQps <= 0) return 0;
	const isIn = (at: Interval | undefined) => at !== undefined && at.hi >= lo && at.lo <= hi;
	const writes = affected.nodes.reduce((sum, {node, readyChangedAt, taintedAt}) => {
		const ofReady = isIn(readyChangedAt) ? 1 + evidence.pods.mapOfNode(node.name).size : 0;
		return sum + ofReady + (isIn(taintedAt) ? 2 : 0);
	}, 0);
	return (writes / settings.kubeApiQps) * second;
}
