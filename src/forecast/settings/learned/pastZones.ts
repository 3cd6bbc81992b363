import {kept} from '../../../core/collections/kept.ts';
import type {ControllerSettings} from '../../../core/model/controllerSettings.ts';
import {zoneKey} from '../../../core/model/zone.ts';
import {beginningOfTime, type Duration, type Instant, minute, second} from '../../../core/time/instant.ts';
import {type ZonesPast, zonesAt} from '../../infer/zonePast.ts';
import type {Interval} from '../../observe/interval.ts';
import type {Observed} from '../../observe/observed.ts';

/** Passes and caches may delay a change this long. */
const changeDelay: Duration = 3 * second;
/** From one pass to the next, with the longest period that people set. */
export const longestPass: Duration = 10 * second;
/** A pass that began before this time wrote as much during it as its client allows. */
export const busy: Duration = minute;

/** How long a write may wait for its client, which never holds more than about twenty calls. */
export const writeWait: Duration = 2.5 * second;

/** The zones at past instants, cached: many taints need the same ones. */
export class PastZones {
	readonly observed: Observed;
	/** When the currently healthy nodes of each zone last changed, and when its youngest node was created. */
	readonly changedAt = new Map<string, Instant>();
	readonly youngest = new Map<string, Instant>();
	readonly #zones = new Map<string, ZonesPast>();

	constructor(observed: Observed) {
		this.observed = observed;
		const affected = new Set(observed.affected.nodes.map(({node}) => node.name));
		for (const {node, readyChangedAt} of observed.evidence.nodes.values()) {
			const zone = zoneKey(node);
			raise(this.youngest, zone, node.createdAt);
			raise(this.changedAt, zone, node.createdAt);
			if (!affected.has(node.name) && readyChangedAt) raise(this.changedAt, zone, readyChangedAt.hi);
		}
	}

	zonesAt(at: Instant, edge: keyof Interval): ZonesPast {
		const key = `${edge} ${at}`;
		const {affected, settings} = this.observed;
		return kept(this.#zones, key, () => zonesAt(at, affected, settings, edge));
	}

	/** Whether zones were so at some instants, be what is known only to a second before each or after it. */
	wereSo(instants: readonly Instant[], areSo: (zones: ZonesPast) => boolean): boolean {
		return instants.every((at) => areSo(this.zonesAt(at, 'lo')) && areSo(this.zonesAt(at, 'hi')));
	}

	/** Whether a zone had a rate at some instants, by the settings in use. */
	hadRate(zone: string, rate: number, instants: readonly Instant[]): boolean {
		return this.wereSo(instants, ({zones}) => zones.get(zone)?.rate === rate);
	}
}

function raise(latest: Map<string, Instant>, zone: string, at: Instant): void {
	latest.set(zone, Math.max(at, latest.get(zone) ?? beginningOfTime));
}

/** How long before a taint a zone must have had its state, for the pass to have seen it. */
export const beforeOf = ({nodeMonitorPeriod}: ControllerSettings): Duration =>
	2 * nodeMonitorPeriod + changeDelay;

export const isChanged = (latest: ReadonlyMap<string, Instant>, zone: string, since: Instant): boolean =>
	(latest.get(zone) ?? beginningOfTime) > since;

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
