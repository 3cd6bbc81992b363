import {zoneKey} from '../../core/model/zone.ts';
import {queuedBy} from '../infer/adoptedZones.ts';
import {nextToken} from '../infer/bucket.ts';
import {stopOf} from '../infer/evictionStop.ts';
import {passOrderOf} from '../infer/latePass.ts';
import {hasEvictionStarted} from '../observe/countdowns/evictionStart.ts';
import {waitsForTaint} from '../observe/nodes/lifecycleTaint.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {once} from '../once.ts';
import {Range} from '../range.ts';
import type {Simulated} from '../simulate/simulated.ts';

/** The names of a zone's nodes that wait for their NoExecute taint, in no order that means anything. */
export const queueOf = (zone: string, situation: Simulated): readonly string[] =>
	waitingIn(zone, situation).map(({node}) => node.name);

/** How many nodes of a zone wait for their NoExecute taint. */
export const queueLengthOf = (zone: string, situation: Simulated): number =>
	waitingIn(zone, situation).length;

/**
 * The chance of a waiting node to get its zone's next token.
 *
 * Each pass queues all who wait anew, in an order that chance decides. Only a pass that throttling makes long shows its
 * order: nodes are queued as they turn Unknown, and nobody is queued anew until it is over.
 */
export function nextProbabilityOf(one: NodeEvidence, situation: Simulated): number {
	const heads = headsOf(zoneKey(one.node), situation);
	return heads.has(one) ? 1 / heads.size : 0;
}

/** Those of a zone's waiting nodes that may get its next token. */
export const headsOf = (zone: string, situation: Simulated): ReadonlySet<NodeEvidence> =>
	once(findHeads, situation, zone);

const findHeads = (situation: Simulated, zone: string): ReadonlySet<NodeEvidence> =>
	new Set(headsAmong(waitingIn(zone, situation), zone, situation));

function headsAmong(
	waiting: readonly NodeEvidence[],
	zone: string,
	situation: Simulated,
): readonly NodeEvidence[] {
	if (!situation.settings.taintBasedEvictions) return firstToCome(waiting, situation);
	const order = situation.settings.queuesInPassOfTransition ? passOrderOf(situation) : undefined;
	// What comes after this pass is chance again.
	const token = nextTokenOf(zone, situation)?.latest ?? Number.POSITIVE_INFINITY;
	if (!order || token > order.lastsUntil) return waiting;
	const young = waiting.filter((one) => order.marked.has(one));
	const first = Math.min(...young.map(({readyChangedAt}) => readyChangedAt?.hi ?? Number.POSITIVE_INFINITY));
	return waiting.filter((one) => !order.marked.has(one) || (one.readyChangedAt?.lo ?? first) <= first);
}

/** Without taints who was queued first goes first: those that no other was surely queued before. */
function firstToCome(waiting: readonly NodeEvidence[], {runs, settings}: Simulated): readonly NodeEvidence[] {
	const dueOf = ({node}: NodeEvidence) => runs.flatMap(({outcome}) => outcome.due.get(node.name) ?? []);
	const known = waiting.filter((one) => dueOf(one).length > 0);
	const first = Math.min(...known.map((one) => Math.max(...dueOf(one))));
	return known.filter((one) => Math.min(...dueOf(one)) < first + settings.nodeMonitorPeriod);
}

/** When a zone's bucket next holds a token; null where the zone is stopped. */
export const nextTokenOf = (zone: string, situation: Simulated): Range | null =>
	once(findNextToken, situation, zone);

function findNextToken(situation: Simulated, zone: string): Range | null {
	const {settings, affected, now, zones, passes} = situation;
	const past = zones.zones.get(zone);
	if (!past || stopOf(zone, situation)) return null;
	const waitingSince = waitingIn(zone, situation).map((one) => queuedBy(one, now, settings));
	const token = nextToken({zone, past, waitingSince, affected, settings, schedule: passes.schedule, now});
	return token ? Range.over(token) : null;
}

const waitingIn = (zone: string, situation: Simulated): readonly NodeEvidence[] =>
	once(findWaiting, situation).get(zone) ?? [];

function findWaiting(situation: Simulated): ReadonlyMap<string, readonly NodeEvidence[]> {
	const waiting = situation.affected.nodes.filter((one) => waitsForTurn(one, situation));
	return Map.groupBy(waiting, ({node}) => zoneKey(node));
}

/**
 * Whether a node waits in its zone's queue. Without taints it does once its time is over, which only shows in the
 * hidden states.
 */
export function waitsForTurn(one: NodeEvidence, {settings, affected, runs}: Simulated): boolean {
	if (settings.taintBasedEvictions) return waitsForTaint(one);
	if (hasEvictionStarted(one, affected.evictionStarts, settings)) return false;
	return runs.some(({outcome}) => outcome.queued.has(one.node.name));
}
