import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {zoneKey} from '../../core/model/zone.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import type {AffectedNodes} from '../observe/affectedNodes.ts';
import type {Interval} from '../observe/interval.ts';
import {deletedWhileWaiting} from '../observe/nodes/deletedNodes.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {type PassSchedule, passAtOrAfter} from './passSchedule.ts';
import {type ZonePast, zonesAt} from './zonePast.ts';

/** What is known of a zone's bucket when nothing has to be guessed: its rate and the nodes that wait. */
export type BucketQuestion = {
	readonly zone: string;
	readonly past: ZonePast;
	/** The nodes that wait for a token, with the instant since which each does. */
	readonly waitingSince: readonly Instant[];
	readonly affected: AffectedNodes;
	readonly settings: ControllerSettings;
	/** The passes, where they are known. */
	readonly schedule: PassSchedule;
	readonly now: Instant;
};

/** A look at the queue every 100 ms, and the word of it on its way to us. */
const slack: Duration = 300;

/**
 * When a zone's bucket next holds a token: never where it is stopped, at once where nothing took one lately. What takes
 * one shows: a NoExecute taint of the zone, a node of it that came back while it waited, a new limiter that starts
 * drained when the zone's state changes.
 *
 * @returns undefined where the zone is stopped
 */
export function nextToken(question: BucketQuestion): Interval | undefined {
	const {past, settings, waitingSince, now} = question;
	if (past.rate <= 0 || isStuck(question)) return undefined;
	const refill = second / Math.fround(past.rate);
	const taken = lastTaint(question, () => true);
	// Without taints there is no swap: every eviction start takes a token.
	const surelyTaken = lastTaint(
		question,
		(one) => !settings.taintBasedEvictions || !mayBeSwapped(one, settings.nodeMonitorPeriod),
	);
	const swapped = lastSwap(question, refill);
	const spent = lastReturn(question);
	const lastOfDeleted = lastTokenOfDeleted(question, refill);
	const drains = [
		taken?.hi,
		swapped?.hi,
		lastOfDeleted,
		spent === undefined ? undefined : spent + settings.nodeMonitorPeriod,
	];
	const latest = Math.max(...drains.map((time) => Math.min(time ?? Number.NEGATIVE_INFINITY, now))) + refill;
	// Nodes that wait show that there is no token yet: else one of them would be tainted by now.
	const isEmpty = waitingSince.some((since) => since < now - slack);
	// Where the rate was another in between, the bucket may have filled up at that.
	const fastest = swapped ? second / Math.fround(Math.max(past.rate, settings.nodeEvictionRate)) : refill;
	const certain = [
		surelyTaken && surelyTaken.lo + fastest,
		swapped?.isDrained ? swapped.lo + refill : undefined,
	];
	const earliest = Math.max(...certain.map((time) => time ?? Number.NEGATIVE_INFINITY));
	// And where there should have been one long ago, the rate was another in between: its change emptied the bucket.
	const hi = Math.max(now, latest, isEmpty && latest < now - slack ? now + refill : now);
	return {lo: Math.min(Math.max(now, earliest), hi), hi};
}

function lastTaint(question: BucketQuestion, counts: (one: NodeEvidence) => boolean): Interval | undefined {
	const {zone, affected} = question;
	let last: Interval | undefined;
	const count = (one: NodeEvidence, evictionStart: Interval | undefined) => {
		if (!evictionStart || (last && last.hi >= evictionStart.hi)) return;
		if (zoneKey(one.node) === zone && counts(one)) last = evictionStart;
	};
	for (const one of affected.nodes) count(one, affected.evictionStarts.get(one.node.name));
	for (const {one, evictionStart} of affected.deleted) count(one, evictionStart);
	return last;
}

/** Whether a taint may have been swapped for its opposite in the pass that changed the condition: that takes no token. */
function mayBeSwapped(
	{taintedAt, readyChangedAt, wasReady}: NodeEvidence,
	nodeMonitorPeriod: Duration,
): boolean {
	if (!taintedAt || !readyChangedAt || wasReady) return false;
	return Math.abs(taintedAt.lo - readyChangedAt.lo) < nodeMonitorPeriod + second;
}

/** When a node of the zone last became ready: it may have waited, and taken a token with it. */
function lastReturn({zone, affected}: BucketQuestion): Instant | undefined {
	const returns = affected.returned.filter((one) => one.zone === zone).map(({at}) => at.hi);
	return returns.length > 0 ? Math.max(...returns) : undefined;
}

/**
 * Until when a node that was deleted while it waited may take its token: its place in the queue is kept.
 *
 * @quirk a node that is deleted while it waits costs a token and nothing else
 */
function lastTokenOfDeleted(
	{zone, affected, waitingSince, now}: BucketQuestion,
	refill: Duration,
): Instant | undefined {
	const left = deletedWhileWaiting(zone, affected.deleted);
	if (left.length === 0) return undefined;
	const turns = (left.length + waitingSince.length) * refill;
	return Math.min(now, Math.max(...left.map(({at}) => at.hi)) + turns);
}

/** A change of the zone's rate, in the pass that swapped its limiter. */
type Swap = Interval & {
	/** Whether the new bucket certainly started without a token. */
	readonly isDrained: boolean;
};

/** The last change of the zone's rate within the time that a bucket takes to fill, as far as the nodes tell. */
function lastSwap(question: BucketQuestion, refill: Duration): Swap | undefined {
	const {zone, past, affected, settings, schedule, now} = question;
	const since = now - refill - 2 * settings.nodeMonitorPeriod;
	const changes = [
		...affected.nodes.flatMap(({readyChangedAt}) => readyChangedAt ?? []),
		...affected.returned.map(({at}) => at),
		...affected.deleted.map(({at}) => at),
	].filter(({hi}) => hi >= since);
	const passes = new Set(
		changes.flatMap(({lo, hi}) => [passAtOrAfter(schedule, lo), passAtOrAfter(schedule, hi)]),
	);
	const rateAt = (pass: Instant, edge: keyof Interval) => {
		const found = zonesAt(pass, affected, settings, edge).zones.get(zone);
		return found === undefined || found.rateIfShrunk === past.rate ? past.rate : found.rate;
	};
	for (const pass of [...passes].toSorted((a, b) => b - a)) {
		const before = pass - schedule.period;
		const rates = [rateAt(before, 'lo'), rateAt(before, 'hi')];
		const hasChanged = rates.filter((rate) => rate !== past.rate);
		if (hasChanged.length > 0) {
			return {
				lo: pass,
				hi: pass,
				isDrained: hasChanged.length === 2 && rates.every((rate) => rate <= 0),
			};
		}
	}
	return undefined;
}

/**
 * A rate of exactly 1 is what a stopped limiter reports, so a zone that was stopped once stays so: nodes that wait
 * longer than their tokens would have taken show it.
 */
function isStuck({past, waitingSince, settings, now}: BucketQuestion): boolean {
	if (Math.fround(past.rate) !== 1 || waitingSince.length === 0) return false;
	const patience = waitingSince.length * second + settings.nodeMonitorPeriod + 2 * second;
	return now - Math.max(...waitingSince) > patience;
}
