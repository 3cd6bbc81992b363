import {readyStatus} from '../../core/model/node.ts';
import type {Pod} from '../../core/model/pod.ts';
import {isNodeLifecycleTaint, notReadyTaint, type Taint, unreachableTaint} from '../../core/model/taint.ts';
import {zoneKey} from '../../core/model/zone.ts';
import {noExecuteTaints} from '../../core/tainteviction/taintEvictionController.ts';
import type {Duration} from '../../core/time/instant.ts';
import type {Stop} from '../infer/evictionStop.ts';
import {type PodTimer, type TolerationOutcome, tolerationOf} from '../observe/countdowns/podTimers.ts';
import {mayBeGone} from '../observe/leader.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {isOnlyLate, isReadyAndAlive, isSilent, isSilentAndReady} from '../observe/nodes/nodeLiveness.ts';
import {Range} from '../range.ts';
import {type Judgement, judged, verdictOf} from '../verdict.ts';
import type {Concluded} from './concluded.ts';
import {judgeRepairs} from './deleters/repairVerdict.ts';
import {causeOf, deletionIfReleased, heldWith, isOverdue, verdictOn} from './judgement.ts';
import type {Merged} from './merge.ts';
import {judgeShutdown} from './nodeShutdown.ts';
import {turnsUnknown} from './nodeTurn.ts';
import {judgeEviction} from './podEviction.ts';
import type {PodOutcomes} from './podOutcomes.ts';
import {asFarAsSeen} from './unseenNodes.ts';

/** The verdict of a pod, and its basis. */
type JudgedPod = Readonly<{
	/** The taints that its node has, and the one that it will get next. */
	taints: readonly Taint[];
	toleration: TolerationOutcome;
	judgement: Judgement;
	/** The judgement by what controllers do alone: the reasons are about it. */
	byControllers: Judgement;
}>;

/** Judges a pod of a node that is in trouble. */
export function judgePod(
	pod: Pod,
	one: NodeEvidence,
	timer: PodTimer | undefined,
	outcomes: PodOutcomes,
	situation: Concluded,
): JudgedPod {
	const taints = comingTaints(one, situation);
	const toleration = tolerationOf(pod, taints, situation.settings.comparisonOperators);
	const deletion = () => outcomes.deletionOf(pod, 'byTaint');
	const byTaints = judgeTaints(pod, one, toleration, timer, deletion, situation);
	const byNode = judgeEviction(pod, one, outcomes, situation);
	const byControllers = verdictOf([byNode, byTaints]);
	const judgement = verdictOf([
		judgeShutdown(pod, one, situation.now),
		asFarAsSeen(byControllers, situation),
		...judgeRepairs(one, situation, timer !== undefined),
	]);
	return {taints, toleration, judgement, byControllers};
}

function judgeTaints(
	pod: Pod,
	one: NodeEvidence,
	toleration: TolerationOutcome,
	timer: PodTimer | undefined,
	deletion: () => Merged,
	situation: Concluded,
): Judgement {
	if (pod.deletionTimestamp !== undefined) return judged('Terminating');
	if (isOnlyLate(one, situation.now)) return judgeLate(toleration, deletion, situation);
	if (toleration.type === 'forever') return judged('Stays');
	if (toleration.type === 'none') return judged('Safe');
	const cause = causeOf(timer?.taint ?? toleration.taint, toleration.tolerated);
	if (!situation.settings.taintEviction) return judged('Stays', cause);
	// Without the node lifecycle controller, a node only has taints that others added.
	const mayBeTainted = situation.settings.nodeLifecycle || noExecuteTaints(one.node).length > 0;
	if (!mayBeTainted) return judged('Stays', cause);
	const stop = situation.stops.of(zoneKey(one.node));
	const held = (stopped: Stop, waiting: number) => {
		const turns = turnsUnknown(one, situation)?.range;
		const released = deletionIfReleased(stopped, toleration.tolerated, waiting, situation, turns);
		return judged('Held', cause, null, heldWith(stopped, released));
	};
	if (situation.leader.type === 'absent' && stop) {
		// The runs suppose that another controller manager takes over now. While all zones are down, that one evicts nothing
		// either.
		const {range} = deletion();
		return range ? judged('Held', cause, null, heldWith(stop, range)) : held(stop, 1);
	}
	if (timer && isOverdue(timer, situation.now, situation.delayOfDue))
		return judged('Overdue', cause, Range.over(timer.fires));
	// Nothing takes off what the node lifecycle controller has left on a ready node: the countdown may end.
	if (timer && situation.affected.overlooked.has(one.node.name) && isReadyAndAlive(one, situation.now))
		return judged('Unsure', cause, Range.over(timer.fires).notBefore(situation.now).until(null));
	const isTainted = noExecuteTaints(one.node).length > 0;
	const {range: eviction, happens} = deletion();
	// No run evicts it: its zone is stopped, or will be before its turn, or its node is back.
	if (!eviction) {
		const isBack = isReadyAndAlive(one, situation.now);
		// A stopped zone holds no pods of a node that is back.
		const stopToCome = isBack ? undefined : situation.stops.nowOrToCome(zoneKey(one.node));
		if (!stopToCome) return judged(isTainted ? 'Unsure' : 'Stays', cause);
		const before = deletionBeforeStop(one, toleration.tolerated, stopToCome, situation);
		if (before) return judged('Unsure', cause, before);
		return held(stopToCome, situation.queues.tokensFor(zoneKey(one.node)));
	}
	if (mayBeOff(one, timer, situation)) return judged('Unsure', cause, eviction.until(null));
	return judged(verdictOn(happens, timer !== undefined), cause, eviction);
}

/** Whether the controllers may be off, as they left undone what was due: then this pod may stay as well. */
const mayBeOff = (
	{node}: NodeEvidence,
	timer: PodTimer | undefined,
	{missingEvictions, leader, affected}: Concluded,
) => missingEvictions > 0 || mayBeGone(leader) || (!timer && affected.overlooked.has(node.name));

/**
 * When a pod is deleted if the very pass that finds its node silent taints the node, before that pass finds all zones
 * down. Until a node is found, it is unknown which nodes a pass finds together, and which of these takes its zone's
 * token. Undefined once a silent node was found, or if no token is left.
 */
function deletionBeforeStop(
	one: NodeEvidence,
	tolerated: Duration,
	stop: Stop,
	situation: Concluded,
): Range | undefined {
	const {now, stops, zonesToCome} = situation;
	const zone = zoneKey(one.node);
	const mayBe = stop.kind === 'AllZonesDown' && isSilentAndReady(one, now) && zonesToCome.areNoneFound;
	if (!mayBe || stops.of(zone)) return undefined;
	const turn = turnsUnknown(one, situation)?.range;
	const token = situation.queues.nextTokenOf(zone);
	if (!turn || !token || token.earliest > turn.end) return undefined;
	const earliest = Math.max(turn.earliest, token.earliest) + tolerated;
	return new Range(earliest, Math.max(earliest, turn.expected + tolerated), null);
}

/** A pod of a node that may be dead or healthy. A deletion comes as on a silent node. */
function judgeLate(toleration: TolerationOutcome, deletion: () => Merged, {settings}: Concluded): Judgement {
	const isPossible = toleration.type === 'limited' && settings.taintEviction && settings.nodeLifecycle;
	const eviction = isPossible ? deletion().range : null;
	if (!isPossible || !eviction) return judged('Safe');
	const cause = causeOf(toleration.taint, toleration.tolerated);
	return judged('Unsure', cause, eviction.until(null));
}

/** The NoExecute taints that a node has, and the one that it will get next. */
export function comingTaints(one: NodeEvidence, {now, settings}: Concluded): readonly Taint[] {
	const present = noExecuteTaints(one.node);
	if (!settings.taintBasedEvictions) return present;
	const own = present.find(isNodeLifecycleTaint);
	const status = readyStatus(one.node);
	const isLost = isSilent(one, now) || isOnlyLate(one, now) || status === 'Unknown';
	// One that falls silent while it is not ready has its taint swapped.
	const gets = own ? isLost && own.key === notReadyTaint.key : isLost || status !== 'True';
	if (!gets) return present;
	return [...present, isLost ? unreachableTaint : notReadyTaint];
}
