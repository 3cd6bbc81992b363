import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {computeZoneState, evictionRate} from '../../core/nodelifecycle/zones/zoneState.ts';
import type {ZonePast, ZonesPast} from './zonePast.ts';

/**
 * The state and rate of a zone with more of its nodes ready, or fewer if `back` is negative; all other zones are unchanged.
 * If no zone has a ready node left, none evicts.
 */
export function zoneWith(
	zone: string,
	back: number,
	zones: ReadonlyMap<string, Pick<ZonePast, 'state' | 'count'>>,
	settings: ControllerSettings,
) {
	const {size = 0, notReady = 0} = zones.get(zone)?.count ?? {};
	const state = computeZoneState({size, notReady: notReady - back}, settings.unhealthyZoneThreshold);
	const areAllDown =
		state === 'FullDisruption' &&
		[...zones].every(([name, other]) => name === zone || other.state === 'FullDisruption');
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
