import {maxOf, minOf} from '../../../core/collections/extremes.ts';
import {type Duration, second} from '../../../core/time/instant.ts';
import {formatDuration} from '../../../dates/duration.ts';
import {waitsForTaint} from '../../observe/nodes/lifecycleTaint.ts';
import type {NodeEvidence} from '../../observe/nodes/nodeEvidence.ts';
import {busy, longestPass, type PastZone, timeToWrite, writeWait} from './pastZones.ts';

/** Nodes of a zone that wait for their taint, while nothing changes in any zone; undefined if none does. */
function waitingAmong(nodes: readonly NodeEvidence[], past: PastZone) {
	const {affected, evidence, now} = past.observed;
	const waiting = nodes.filter(waitsForTaint);
	const [one] = waiting;
	const zone = past.at(now);
	if (!one || !zone) return undefined;
	const spent = maxOf([
		evidence.controllersStarted.hi,
		...affected.nodes.map(({taintedAt}) => taintedAt?.hi ?? 0),
		...[...affected.returned, ...affected.deleted].map(({at}) => at.hi),
	]);
	const free = maxOf(
		affected.nodes.map(({readyChangedAt}) => readyChangedAt?.hi ?? now),
		spent,
	);
	return {
		name: one.node.name,
		/** By the settings in use. */
		zone,
		/** Since when the first of them has been down. */
		downSince: minOf(waiting.map(({readyChangedAt}) => readyChangedAt?.lo ?? now)),
		/** When a token may last have been taken in any zone. */
		spent,
		/** Since when nothing has changed. */
		free,
		/** How long the controllers took for their writes: all until then may have waited for the client, also those of pods. */
		written: timeToWrite({lo: free - busy, hi: now}, past.observed),
	};
}

/** The longest time that an empty queue's next node waits for its token at a rate. */
const longestFor = (rate: number, nodeMonitorPeriod: Duration): Duration =>
	second / rate + nodeMonitorPeriod + longestPass;

/** Reports a node that waits for its taint longer than the zone's rate explains, though nothing changed in any zone. */
export function waitingTooLong(nodes: readonly NodeEvidence[], past: PastZone): string | undefined {
	const {settings, now} = past.observed;
	const waiting = waitingAmong(nodes, past);
	if (!waiting) return undefined;
	const {name, downSince, spent, free, written} = waiting;
	const {rate, state} = waiting.zone;
	if (rate <= 0 || Math.fround(rate) === 1) return undefined;
	// A zone that grows while it is partly down keeps the rate of its size before.
	if (state === 'PartialDisruption' && past.youngest > downSince) return undefined;
	const {before} = past;
	if (written + writeWait > before) return undefined;
	// A full bucket lets a node through in the pass that queues it.
	const isFull =
		settings.queuesInPassOfTransition &&
		spent < downSince - second / rate - longestPass &&
		past.hadRate(rate, [downSince - before, downSince, now]);
	const ofQueue = isFull ? writeWait : longestFor(rate, settings.nodeMonitorPeriod);
	const patience = before + ofQueue + 2 * written;
	if (now - free <= patience) return undefined;
	const waited = formatDuration(Math.floor((now - free) / second) * second);
	return `node ${name} of zone ${past.label} has waited ${waited} for its taint`;
}

/**
 * Whether a zone stands still, as the settings in use say, for longer than any rate explains with which it could go on.
 *
 * @param slowest the lowest of these rates
 */
export function isSeenStopped(nodes: readonly NodeEvidence[], past: PastZone, slowest: number) {
	const {settings, now} = past.observed;
	const waiting = slowest > 0 ? waitingAmong(nodes, past) : undefined;
	if (!waiting) return false;
	const {free, written} = waiting;
	const {state, rate, otherRate = 0} = waiting.zone;
	if (state !== 'PartialDisruption' || rate > 0 || otherRate > 0) return false;
	const ofQueue = longestFor(slowest, settings.nodeMonitorPeriod);
	return now - free > past.before + writeWait + ofQueue + 2 * written;
}
