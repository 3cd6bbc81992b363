import {nodeCondition} from '../core/model/node.ts';
import {zoneKey} from '../core/model/zone.ts';
import {nextToken} from './bucket.ts';
import {stopOf} from './held.ts';
import {at} from './interval.ts';
import type {NodeEvidence} from './nodeEvidence.ts';
import {ownTaint} from './ownTaint.ts';
import type {Range} from './podForecast.ts';
import type {Situation} from './situation.ts';

/** Every node of a situation asks for its zone's queue: it is worked out once. */
const queues = new WeakMap<Situation, ReadonlyMap<string, readonly NodeEvidence[]>>();

/** The names of a zone's nodes that wait for their NoExecute taint, in no order that means anything. */
export const queueOf = (zone: string, situation: Situation): readonly string[] =>
	waitingIn(zone, situation).map(({node}) => node.name);

/** How many nodes of a zone wait for their NoExecute taint. */
export const queueLengthOf = (zone: string, situation: Situation): number =>
	waitingIn(zone, situation).length;

/** When a zone's bucket next holds a token; null where the zone is stopped. */
export function nextTokenOf(zone: string, situation: Situation): Range | null {
	const {settings, suspects, now, zones, ensemble} = situation;
	const past = zones.zones.get(zone);
	if (!past || stopOf(zone, situation)) return null;
	const waitingSince = waitingIn(zone, situation).map(({readyChangedAt}) => readyChangedAt?.hi ?? now);
	const token = nextToken({zone, past, waitingSince, suspects, settings, rhythm: ensemble.rhythm, now});
	return token ? {earliest: token.lo, expected: at(token, 0.5), latest: token.hi} : null;
}

function waitingIn(zone: string, situation: Situation): readonly NodeEvidence[] {
	const known = queues.get(situation);
	const byZone = known ?? Map.groupBy(situation.suspects.nodes.filter(isWaiting), ({node}) => zoneKey(node));
	if (!known) queues.set(situation, byZone);
	return byZone.get(zone) ?? [];
}

/** Not ready, and without the taint that says so. */
function isWaiting({node}: NodeEvidence): boolean {
	const ready = nodeCondition(node, 'Ready');
	const isTainted = ownTaint(node) !== undefined;
	return ready !== undefined && ready.status !== 'True' && !isTainted;
}
