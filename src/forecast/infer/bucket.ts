import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {zoneKey} from '../../core/model/zone.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import type {AffectedNodes} from '../observe/affectedNodes.ts';
import type {Interval} from '../observe/interval.ts';
import {deletedWhileWaiting} from '../observe/nodes/deletedNodes.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {type PassSchedule, passAtOrAfter} from './passSchedule.ts';
import {type ZonePast, zonesAt} from './zonePast.ts';

/** What the next token of a zone's bucket is derived from. */
type BucketQuestion = {
	readonly zone: string;
	readonly past: ZonePast;
	/** Since when each waiting node waits for a token. */
	readonly waitingSince: readonly Instant[];
	readonly affected: AffectedNodes;
	readonly settings: ControllerSettings;
	/** The passes, where they are known. */
	readonly schedule: PassSchedule;
	readonly now: Instant;
};

/** The queue is processed every 100 ms, and a watch takes its time to deliver the taint. */
const slack: Duration = 300;

/**
 * When a zone's bucket next holds a token: at once where nothing took one lately. These take one, and can be seen: a
 * NoExecute taint in the zone, a node that came back while it waited, and a change of the zone's state, which makes a
 * new bucket without tokens.
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
	const drains = [taken?.hi, swapped?.hi, lastOfDeleted, spent + settings.nodeMonitorPeriod];
	const latest = Math.min(now, Math.max(...drains.map((time) => time ?? Number.NEGATIVE_INFINITY))) + refill;
	// Waiting nodes show that there is no token yet: otherwise one of them would be tainted.
	const isEmpty = waitingSince.some((since) => since < now - slack);
	// If the rate was different meanwhile, the bucket may have filled at that rate.
	const fastest = swapped ? second / Math.fround(Math.max(past.rate, settings.nodeEvictionRate)) : refill;
	const certain = [
		surelyTaken && surelyTaken.lo + fastest,
		swapped?.isDrained ? swapped.lo + refill : undefined,
	];
	const earliest = Math.max(...certain.map((time) => time ?? Number.NEGATIVE_INFINITY));
	// If there should have been a token long ago, the rate was different meanwhile: its change emptied the bucket.
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

/** Whether a taint may have replaced its opposite in the pass that changed the condition, which takes no token. */
function mayBeSwapped(
	{taintedAt, readyChangedAt, wasReady}: NodeEvidence,
	nodeMonitorPeriod: Duration,
): boolean {
	if (!taintedAt || !readyChangedAt || wasReady) return false;
	return Math.abs(taintedAt.lo - readyChangedAt.lo) < nodeMonitorPeriod + second;
}

/** When a node of the zone last became ready, minus infinity where none did: it may have waited, and taken a token with it. */
function lastReturn({zone, affected}: BucketQuestion): Instant {
	return Math.max(...affected.returned.filter((one) => one.zone === zone).map(({at}) => at.hi));
}

/**
 * Until when a node that was deleted while it waited may take a token; minus infinity where none was.
 *
 * @quirk a node that is deleted while it waits costs a token and nothing else
 */
function lastTokenOfDeleted({zone, affected, waitingSince}: BucketQuestion, refill: Duration): Instant {
	const left = deletedWhileWaiting(zone, affected.deleted);
	const turns = (left.length + waitingSince.length) * refill;
	return Math.max(...left.map(({at}) => at.hi)) + turns;
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
		return found === undefined || found.otherRate === past.rate ? past.rate : found.rate;
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
 * Whether a zone with a rate of exactly 1 stays stopped: a stopped limiter reports that rate, too, so the controller does not
 * replace it. Nodes that wait longer than their tokens would take show it.
 */
function isStuck({past, waitingSince, settings, now}: BucketQuestion): boolean {
	if (Math.fround(past.rate) !== 1 || waitingSince.length === 0) return false;
	const patience = waitingSince.length * second + settings.nodeMonitorPeriod + 2 * second;
	return now - Math.max(...waitingSince) > patience;
}
