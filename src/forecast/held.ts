import {nodeCondition} from '../core/model/node.ts';
import {zoneKey, zoneLabel} from '../core/model/zone.ts';
import {type Duration, type Instant, second} from '../core/time/instant.ts';
import type {Held, Range} from './podForecast.ts';
import type {Situation} from './situation.ts';
import type {ZonePast} from './zonePast.ts';

/** What stops the evictions of a zone, or of the whole cluster; undefined where nothing does. */
export type Stop = {
	readonly by: string;
	readonly since: Instant | null;
	readonly releasedBy: string;
	readonly firstAfter: Duration;
};

/** Why nodes of a zone get no NoExecute taint at present. */
export function stopOf(zone: string, situation: Situation): Stop | undefined {
	const {leader, zones, settings} = situation;
	if (leader.type === 'absent') {
		return {
			by: 'no controller manager runs: its leader lease was not renewed',
			since: leader.since,
			releasedBy: 'a controller manager takes the lease; every countdown starts again then',
			firstAfter: 0,
		};
	}
	if (zones.allDown) {
		return {
			by: 'every zone is down: all evictions are stopped and the NoExecute taints are taken off',
			since: null,
			releasedBy: 'any node of any zone is ready again',
			firstAfter: settings.nodeEvictionRate > 0 ? second / settings.nodeEvictionRate : 0,
		};
	}
	const past = zones.zones.get(zone);
	if (!past || past.rate > 0) return undefined;
	return {
		by: `zone ${zoneLabel(zone)} is stopped: ${past.count.notReady} of ${past.count.size} nodes are not ready`,
		since: lastChange(zone, situation),
		releasedBy: releaseOf(past, settings.unhealthyZoneThreshold),
		firstAfter: settings.nodeEvictionRate > 0 ? second / settings.nodeEvictionRate : 0,
	};
}

function lastChange(zone: string, {suspects}: Situation): Instant | null {
	const changes = suspects.nodes
		.filter(({node}) => zoneKey(node) === zone)
		.flatMap(({readyChangedAt}) => readyChangedAt?.lo ?? []);
	return changes.length > 0 ? Math.max(...changes) : null;
}

function releaseOf({count, state}: ZonePast, threshold: number): string {
	if (state !== 'PartialDisruption') return 'the node eviction rate is raised above zero';
	const back = nodesToNormal(count.size, count.notReady, threshold);
	return `${back} of its nodes ${back === 1 ? 'is' : 'are'} ready again`;
}

/** How many nodes must come back until a partially disrupted zone is normal. */
export function nodesToNormal(size: number, notReady: number, threshold: number): number {
	let back = 0;
	const isPartial = (down: number) => down > 2 && Math.fround(down / size) >= Math.fround(threshold);
	while (isPartial(notReady - back)) back += 1;
	return back;
}

/** A stopped eviction as a forecast shows it: `tolerated` after the taint, were the stop to end now. */
export function heldBy(stop: Stop, tolerated: Duration, waiting: number, situation: Situation): Held {
	const {now, settings} = situation;
	const earliest = now + stop.firstAfter + tolerated;
	const per = settings.nodeEvictionRate > 0 ? second / settings.nodeEvictionRate : Number.POSITIVE_INFINITY;
	const last = earliest + settings.nodeMonitorPeriod + second + Math.max(0, waiting - 1) * per;
	const ifReleasedNow: Range = {
		earliest,
		expected: Math.min(last, (earliest + last) / 2),
		latest: Number.isFinite(last) ? last : null,
	};
	return {by: stop.by, since: stop.since, releasedBy: stop.releasedBy, ifReleasedNow};
}

/** Whether a node's Ready condition is anything but True. */
export const isNotReady = (node: Parameters<typeof nodeCondition>[0]) =>
	nodeCondition(node, 'Ready')?.status !== 'True';
