import {maxOf, minOf} from '../../../core/collections/extremes.ts';
import {zoneLabel} from '../../../core/model/zone.ts';
import {type Duration, type Instant, second} from '../../../core/time/instant.ts';
import {formatDuration} from '../../../dates/duration.ts';
import type {ZonePast} from '../../infer/zonePast.ts';
import {waitsForTaint} from '../../observe/nodes/lifecycleTaint.ts';
import type {NodeEvidence} from '../../observe/nodes/nodeEvidence.ts';
import {beforeOf, busy, isChanged, longestPass, type PastZones, timeToWrite, writeWait} from './pastZones.ts';

/** Nodes of a zone that wait for their taint, while nothing changes in any zone. */
type WaitingNodes = {
	readonly name: string;
	/** Since when the first of them has been down. */
	readonly downSince: Instant;
	/** When a token may last have been taken in any zone. */
	readonly spent: Instant;
	/** Since when nothing has changed. */
	readonly free: Instant;
	/** How long the controllers took for their writes shortly before that, and since. */
	readonly written: Duration;
	/** The zone by the settings in use. */
	readonly zone: ZonePast;
};

function waitingIn(name: string, nodes: readonly NodeEvidence[], past: PastZones): WaitingNodes | undefined {
	const {affected, evidence, now} = past.observed;
	const waiting = nodes.filter(waitsForTaint);
	const [one] = waiting;
	const zone = past.zonesAt(now, 'lo').zones.get(name);
	if (!one || !zone) return undefined;
	const downSince = minOf(waiting.map(({readyChangedAt}) => readyChangedAt?.lo ?? now));
	const spent = maxOf([
		evidence.controllersStarted.hi,
		...affected.nodes.map(({taintedAt}) => taintedAt?.hi ?? 0),
		...[...affected.returned, ...affected.deleted].map(({at}) => at.hi),
	]);
	const free = maxOf(
		affected.nodes.map(({readyChangedAt}) => readyChangedAt?.hi ?? now),
		spent,
	);
	// Everything written until then may have waited for the client, including the pods of each node.
	const written = timeToWrite({lo: free - busy, hi: now}, past.observed);
	return {name: one.node.name, ...{downSince, spent, free, written, zone}};
}

/** The longest time that an empty queue's next node waits for its token at a rate. */
const longestFor = (rate: number, nodeMonitorPeriod: Duration): Duration =>
	second / rate + nodeMonitorPeriod + longestPass;

/** Reports a node that waits for its taint longer than the zone's rate explains, though nothing changed in any zone. */
export function waitingTooLong(
	zone: string,
	nodes: readonly NodeEvidence[],
	past: PastZones,
): string | undefined {
	const {settings, now} = past.observed;
	const waiting = waitingIn(zone, nodes, past);
	if (!waiting) return undefined;
	const {downSince, spent, free, written} = waiting;
	const {rate, state} = waiting.zone;
	if (rate <= 0 || Math.fround(rate) === 1) return undefined;
	// A zone that grows while it is partly down keeps the rate of its size before.
	if (state === 'PartialDisruption' && isChanged(past.youngest, zone, downSince)) return undefined;
	const before = beforeOf(settings);
	if (written + writeWait > before) return undefined;
	// A full bucket lets a node through in the pass that queues it.
	const isFull =
		settings.queuesInPassOfTransition &&
		spent < downSince - second / rate - longestPass &&
		past.hadRate(zone, rate, [downSince - before, downSince, now]);
	const ofQueue = isFull ? writeWait : longestFor(rate, settings.nodeMonitorPeriod);
	const patience = before + ofQueue + 2 * written;
	if (now - free <= patience) return undefined;
	const waited = formatDuration(Math.floor((now - free) / second) * second);
	return `node ${waiting.name} of zone ${zoneLabel(zone)} has waited ${waited} for its taint`;
}

/**
 * Whether a zone stands still, as the settings in use say, for longer than any rate explains with which it could go on.
 *
 * @param slowest the lowest of these rates
 */
export function isSeenStopped(
	zone: string,
	nodes: readonly NodeEvidence[],
	past: PastZones,
	slowest: number,
): boolean {
	const {settings, now} = past.observed;
	const waiting = slowest > 0 ? waitingIn(zone, nodes, past) : undefined;
	if (!waiting) return false;
	const {free, written} = waiting;
	const {state, rate, otherRate = 0} = waiting.zone;
	if (state !== 'PartialDisruption' || rate > 0 || otherRate > 0) return false;
	const ofQueue = longestFor(slowest, settings.nodeMonitorPeriod);
	return now - free > beforeOf(settings) + writeWait + ofQueue + 2 * written;
}
