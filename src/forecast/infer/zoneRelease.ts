import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {computeZoneState, evictionRate} from '../../core/nodelifecycle/zones/zoneState.ts';
import type {ZonePast, ZonesPast} from './zonePast.ts';

type ZoneStates = ReadonlyMap<string, Pick<ZonePast, 'state' | 'count'>>;

const upOf = new WeakMap<ZoneStates, number>();

/** How many zones are not down. Counted once for all zones of a forecast, which may be thousands. */
function countUp(zones: ZoneStates): number {
	const known = upOf.get(zones);
	if (known !== undefined) return known;
	let up = 0;
	for (const {state} of zones.values()) if (state !== 'FullDisruption') up += 1;
	upOf.set(zones, up);
	return up;
}

/**
 * The state and rate of a zone with more of its nodes ready, or fewer if `back` is negative; all other zones are unchanged.
 * If no zone has a ready node left, none evicts. @param zones not changed afterwards
 */
export function zoneWith(zone: string, back: number, zones: ZoneStates, settings: ControllerSettings) {
	const own = zones.get(zone);
	const {size = 0, notReady = 0} = own?.count ?? {};
	const state = computeZoneState({size, notReady: notReady - back}, settings.unhealthyZoneThreshold);
	const ownUp = own && own.state !== 'FullDisruption' ? 1 : 0;
	const areAllDown = state === 'FullDisruption' && countUp(zones) === ownUp;
	return {state, rate: areAllDown ? 0 : evictionRate(state, size, settings)};
}

/** What lets a stopped zone evict again, to follow `Evictions resume when`. */
export function releaseWords(zone: string, past: ZonesPast, settings: ControllerSettings): string {
	const {size, notReady} = past.zones.get(zone)?.count ?? {size: 0, notReady: 0};
	const evictsWith = (back: number) => zoneWith(zone, back, past.zones, settings).rate > 0;
	const counts = Array.from({length: size}, (_, index) => index + 1);
	const back = counts.find((nodes) => nodes <= notReady && evictsWith(nodes));
	const down = counts.find((nodes) => nodes <= size - notReady && evictsWith(-nodes));
	// Any zone that is not down releases all zones that are.
	const isByOthers = past.allDown && past.zones.size > 1 && settings.nodeEvictionRate > 0;
	const ways = isByOthers
		? [back === 1 ? 'any node recovers' : anyOther(back)]
		: [...(back === undefined ? [] : [ownBack(back)]), ...(down === undefined ? [] : [ownDown(down)])];
	return ways.join(', or ') || 'the node eviction rate is raised above zero';
}

function anyOther(back: number | undefined): string {
	const own = back === undefined ? '' : `, or ${back} nodes of this zone do`;
	return `a node of another zone recovers${own}`;
}

const ownBack = (nodes: number): string => `${nodes} of its nodes ${nodes === 1 ? 'recovers' : 'recover'}`;

const ownDown = (nodes: number): string =>
	`its last ${nodes === 1 ? 'node fails' : `${nodes} nodes fail`} too (a zone without any ready node evicts)`;
