import type {Pod} from '../../core/model/pod.ts';
import {zoneKey} from '../../core/model/zone.ts';
import {belongsToDaemonSet} from '../../core/nodelifecycle/deleteNodePods.ts';
import type {Duration} from '../../core/time/instant.ts';
import {mayBeGone} from '../observe/leader.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {isOnlyLate, isReadyAndAlive} from '../observe/nodes/nodeLiveness.ts';
import type {Held} from '../podForecast.ts';
import {Range} from '../range.ts';
import {type Judgement, judged} from '../verdict.ts';
import type {Concluded} from './concluded.ts';
import {deletionIfReleased, heldWith, verdictOn} from './judgement.ts';
import {turnsUnknown} from './nodeTurn.ts';
import type {PodOutcomes} from './podOutcomes.ts';

const cause = {kind: 'NodeEviction'} as const;

/**
 * What the node lifecycle controller itself does to a pod if nodes are not tainted: once the node's eviction starts, it
 * deletes all pods but those of DaemonSets, whatever they tolerate. Undefined if it leaves the pod alone.
 */
export function judgeEviction(
	pod: Pod,
	one: NodeEvidence,
	outcomes: PodOutcomes,
	situation: Concluded,
): Judgement | undefined {
	const {settings, leader, now} = situation;
	if (settings.taintBasedEvictions || !settings.nodeLifecycle || pod.deletionTimestamp !== undefined)
		return undefined;
	const isLate = isOnlyLate(one, now);
	const isWell = isReadyAndAlive(one, now) && (!isLate || belongsToDaemonSet(pod));
	if (isWell) return undefined;
	if (belongsToDaemonSet(pod)) return judged('Stays');
	const zone = zoneKey(one.node);
	const stop = situation.stops.nowOrToCome(zone);
	const held = (): Held | null => {
		if (!stop) return null;
		const turns = turnsUnknown(one, situation)?.range;
		const released = deletionIfReleased(stop, 0, situation.queues.tokensFor(zone), situation, turns);
		return heldLonger(heldWith(stop, released), settings.podEvictionTimeout);
	};
	const {range: eviction, happens} = outcomes.deletionOf(pod, 'byNode');
	if (leader.type === 'absent')
		return judged('Held', cause, null, eviction && stop ? heldWith(stop, eviction) : held());
	if (!eviction) {
		return stop ? judged('Held', cause, null, held()) : judged('Stays', cause);
	}
	// It may be dead or healthy.
	if (isLate || mayBeGone(leader) || situation.affected.overlooked.has(one.node.name))
		return judged('Unsure', cause, eviction.until(null));
	return judged(verdictOn(happens, false), cause, eviction);
}

/** After the release the timeout runs again, unless it was over when the stop began. */
function heldLonger(held: Held, timeout: Duration): Held {
	const {ifReleasedNow} = held;
	const {earliest, expected, latest} = ifReleasedNow;
	const end = latest === null ? null : latest + timeout;
	return {...held, ifReleasedNow: new Range(earliest, expected + timeout / 2, end)};
}
