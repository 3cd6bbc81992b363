import {zoneLabel} from '../../core/model/zone.ts';
import {computeZoneState, type ZoneCount} from '../../core/nodelifecycle/zones/zoneState.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import {once} from '../once.ts';
import {startsAgain} from '../words.ts';
import type {ZoneStop} from '../zoneForecast.ts';
import type {Inferred} from './inferred.ts';
import {type ZonePast, type ZonesPast, zonesAt, zonesOnceFound} from './zonePast.ts';

/** What stops the evictions of a zone, or of the whole cluster; undefined where nothing does. */
export type Stop = ZoneStop & {
	/** How long after its release the first node is tainted, at the earliest. */
	readonly firstAfter: Duration;
};

/** Why nodes of a zone get no NoExecute taint now; undefined where they do. */
export const stopOf = (zone: string, situation: Inferred): Stop | undefined =>
	once(findStop, situation, zone);

/** The same, or why they get none once passes have found the nodes that are silent now. */
export const stopToCome = (zone: string, situation: Inferred): Stop | undefined =>
	stopOf(zone, situation) ?? once(findStopToCome, situation, zone);

/**
 * The zone states that the controller certainly uses. A pass that may be in progress judges the zones only at its end; until
 * then their queues go on as before.
 */
function findZonesInForce({zones, passes, affected, settings}: Inferred): ZonesPast {
	const pass = passes.throttledPass ?? passes.maybeUnfinishedPass;
	if (!pass) return zones;
	const before = zonesAt(pass.startedAt - 1, affected, settings);
	const surely = [...zones.zones].map(([name, one]): [string, ZonePast] => {
		const was = before.zones.get(name);
		return [name, one.rate <= 0 && was && was.rate > 0 ? was : one];
	});
	return {zones: new Map(surely), allDown: zones.allDown && before.allDown};
}

function findStopToCome(situation: Inferred, zone: string): Stop | undefined {
	const {affected, settings, now} = situation;
	const zones = zonesOnceFound(affected, settings, now);
	const stop = stopIn(zones, zone, situation);
	if (!stop) return undefined;
	const {size, notReady} = zones.zones.get(zone)?.count ?? {size: 0, notReady: 0};
	const by =
		stop.kind === 'AllZonesDown'
			? `every zone is about to be down: then ${settings.taintBasedEvictions ? 'no further node gets the NoExecute taint' : 'all evictions stop'}`
			: `evictions in zone ${zoneLabel(zone)} are about to stop, as ${notReady} of ${size} nodes are silent or not ready`;
	return {...stop, by, since: null};
}

function findStop(situation: Inferred, zone: string): Stop | undefined {
	const stop = stopIn(once(findZonesInForce, situation), zone, situation);
	// Its zone was stopped by itself, and a pass may be about to find all down.
	const isAllDown = stop?.kind === 'ZoneStopped' && situation.zones.allDown;
	return isAllDown ? once(findStopToCome, situation, zone) : stop;
}

function stopIn(zones: ZonesPast, zone: string, situation: Inferred): Stop | undefined {
	const {leader, settings} = situation;
	if (leader.type === 'absent') {
		return {
			kind: 'ControllerDown',
			by: 'no controller manager runs (its leader lease was not renewed)',
			since: leader.since,
			releasedBy: `a controller manager takes the lease; then ${startsAgain}`,
			firstAfter: 0,
		};
	}
	const firstAfter = settings.nodeEvictionRate > 0 ? second / settings.nodeEvictionRate : 0;
	if (zones.allDown) {
		return {
			kind: 'AllZonesDown',
			by: settings.taintBasedEvictions
				? 'every zone is down, so no further node gets the NoExecute taint'
				: 'every zone is down, so all evictions are stopped',
			since: stoppedSince(situation, ({allDown}) => allDown),
			releasedBy: 'any node of any zone recovers',
			firstAfter,
		};
	}
	const past = zones.zones.get(zone);
	if (!past || past.rate > 0 || (past.otherRate ?? 0) > 0) return undefined;
	return {
		kind: 'ZoneStopped',
		by: `evictions in zone ${zoneLabel(zone)} are stopped, as ${past.count.notReady} of ${past.count.size} nodes are not ready`,
		since: stoppedSince(situation, ({zones: then}) => (then.get(zone)?.rate ?? 1) <= 0),
		releasedBy: releaseOf(past, settings.unhealthyZoneThreshold),
		firstAfter,
	};
}

/** When the change of a node's condition stopped the evictions; null where none did. */
function stoppedSince(
	{affected, settings, now}: Inferred,
	isStopped: (zones: ZonesPast) => boolean,
): Instant | null {
	const changes = affected.nodes
		.flatMap(({readyChangedAt}) => readyChangedAt?.lo ?? [])
		.filter((at) => at <= now)
		.toSorted((a, b) => a - b);
	const wasStopped = (at: Instant) => isStopped(zonesAt(at, affected, settings));
	// A binary search: many nodes may go down together.
	let [free, stopped] = [-1, changes.length - 1];
	if (stopped < 0 || !wasStopped(changes[stopped] ?? now)) return null;
	while (stopped - free > 1) {
		const middle = (free + stopped) >> 1;
		if (wasStopped(changes[middle] ?? now)) stopped = middle;
		else free = middle;
	}
	return changes[stopped] ?? null;
}

function releaseOf({count, state}: ZonePast, threshold: number): string {
	if (state !== 'PartialDisruption') return 'the node eviction rate is raised above zero';
	const back = nodesToNormal(count, threshold);
	const rest = count.size - count.notReady;
	return (
		`${back} of its nodes ${back === 1 ? 'recovers' : 'recover'}, or its last ` +
		`${rest === 1 ? 'node fails' : `${rest} nodes fail`} too (a zone without any ready node evicts)`
	);
}

/** How many nodes must come back until a partially disrupted zone is normal. */
export function nodesToNormal({size, notReady}: ZoneCount, threshold: number): number {
	let back = 0;
	while (computeZoneState({size, notReady: notReady - back}, threshold) === 'PartialDisruption') back += 1;
	return back;
}
