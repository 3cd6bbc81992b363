import {isReadyNode} from '../../../core/model/node.ts';
import {isPodTerminal, type Pod} from '../../../core/model/pod.ts';
import {formatTaint, type Taint} from '../../../core/model/taint.ts';
import {zoneKey, zoneLabel} from '../../../core/model/zone.ts';
import {belongsToDaemonSet} from '../../../core/nodelifecycle/deleteNodePods.ts';
import {type Instant, second} from '../../../core/time/instant.ts';
import type {PodEnd} from '../../../core/workloads/podEnd.ts';
import {mergeCleared} from '../../conclude/nodeTaint.ts';
import {stopForGood} from '../../conclude/zones/zoneVerdict.ts';
import type {PodTimer, TolerationOutcome} from '../../observe/countdowns/podTimers.ts';
import {mayBeGone} from '../../observe/leader.ts';
import type {NodeEvidence} from '../../observe/nodes/nodeEvidence.ts';
import {isBackUnposted, isOnlyLate, isReadyAndAlive, mayLive} from '../../observe/nodes/nodeLiveness.ts';
import {endWords, overdueSince} from '../../podEnd.ts';
import type {Held, PodForecast} from '../../podForecast.ts';
import type {Range} from '../../range.ts';
import {flag, isoTime, whenWords} from '../../words.ts';
import {fact, type ReasonDraft} from '../explanation.ts';
import type {Situation} from '../situation.ts';
import {endOfPod} from '../steps/endOfPod.ts';
import {daemonSetStays} from '../steps/evictionSteps.ts';
import {tolerationFacts} from '../steps/podSteps.ts';
import {heldEvidence, stopReason} from './heldEvidence.ts';
import {mayBeDisabled, mayNotRun, overdueReasons} from './overdueReasons.ts';
import {finishedPod} from './ownReasons.ts';

export type PodCase = Readonly<{
	pod: Pod;
	one: NodeEvidence;
	toleration: TolerationOutcome;
	/** The taints that the toleration is for: those of the node, and the one that it will get next. */
	taints: readonly Taint[];
	timer: PodTimer | undefined;
	judgement: Pick<PodForecast, 'verdict' | 'eviction' | 'held' | 'cause'>;
	situation: Situation;
}>;

/** The reasons of a pod's verdict; pods of a node with equal tolerations and timers share them. */
export function verdictReasons(one: PodCase): readonly ReasonDraft[] {
	const {toleration, judgement, situation, timer} = one;
	const {verdict, held} = judgement;
	if (verdict === 'Terminating')
		return [alreadyTerminating(one.pod, endOfPod(one.pod, one.one, situation), situation.now)];
	if (isOnlyLate(one.one, situation.now) && verdict !== 'Safe') return [renewalOverdue(one)];
	if (!situation.settings.taintBasedEvictions) {
		const reasons = reasonsWithoutTaints(one);
		if (reasons) return reasons;
	}
	if (isPodTerminal(one.pod) && (verdict === 'Safe' || verdict === 'Stays'))
		return [finishedPod(one.pod, 'Prevents')];
	if (toleration.type === 'forever') return [toleratesForEver(one)];
	if (toleration.type === 'none') return [nothingEvicts(one.one, situation)];
	if (!situation.settings.taintEviction) return [controllerDisabled];
	if (held) return [taintGoes(one) ?? heldReason(held, zoneKey(one.one.node), situation)];
	const isOverlooked = situation.affected.overlooked.has(one.one.node.name);
	if (verdict === 'Overdue' && timer)
		return [...(isOverlooked ? [lifecycleMissing] : []), ...overdueReasons(one.pod, timer, situation)];
	if (verdict === 'Unsure' && mayBeGone(situation.leader)) return mayNotRun(situation.leader);
	if (verdict === 'Unsure') return situation.missingEvictions > 0 ? [mayBeDisabled] : [unsureReason(one)];
	return verdict === 'Stays' ? [nothingEvicts(one.one, situation)] : [];
}

/** The reason for evictions without taints; undefined if another taint decides. */
function reasonsWithoutTaints({pod, one, judgement, situation}: PodCase): readonly ReasonDraft[] | undefined {
	const {verdict, held, cause} = judgement;
	if (verdict === 'Stays' && belongsToDaemonSet(pod)) return [daemonSetStays(one.node.name)];
	if (cause?.kind !== 'NodeEviction') return undefined;
	if (held) return [heldReason(held, zoneKey(one.node), situation)];
	return verdict === 'Unsure' ? [undecided] : [];
}

export function alreadyTerminating(pod: Pod, end: PodEnd, now: Instant): ReasonDraft {
	const ends = endWords(end, overdueSince({object: pod}, now));
	const {deletionTimestamp, deletionGracePeriodSeconds: grace} = pod;
	return {
		reason: 'AlreadyTerminating',
		effect: 'Prevents',
		what: `it is already Terminating: ${ends}`,
		rule: 'the controller does not check whether a pod is Terminating: it may delete it again, which changes nothing',
		evidence: () =>
			deletionTimestamp === undefined
				? []
				: [
						fact(
							pod,
							'metadata.deletionTimestamp',
							isoTime(deletionTimestamp),
							grace === undefined
								? `on node ${pod.nodeName}`
								: `asked for ${grace}s earlier, at ${isoTime(deletionTimestamp - grace * second)}`,
						),
					],
	};
}

function toleratesForEver({pod, taints, situation}: PodCase): ReasonDraft {
	const names = taints.map(formatTaint).join(' and ');
	return {
		reason: 'ToleratesForEver',
		effect: 'Prevents',
		params: {taints: names},
		what: `it tolerates ${names} forever`,
		rule: 'a toleration without tolerationSeconds has no end; a countdown that runs is cancelled',
		evidence: () => tolerationFacts(pod, taints, situation),
	};
}

const controllerDisabled: ReasonDraft = {
	reason: 'ControllerDisabled',
	effect: 'Prevents',
	what: 'the taint-eviction controller is switched off: nodes get their taints, and pods stay',
	rule: `${flag('controllers', '-taint-eviction-controller')}: nobody deletes pods for a NoExecute taint; the scheduler still keeps new ones away`,
};

/** The reason of a held pod: what stops the eviction, since when, what resumes it, and what follows then. */
function heldReason(held: Held, zone: string, situation: Situation): ReasonDraft {
	const {by, since, releasedBy, ifReleasedNow} = held;
	const stop = situation.stops.nowOrToCome(zone);
	return {
		reason: stop?.kind ?? 'ControllerDown',
		effect: 'Prevents',
		at: since,
		what: `${by}. Evictions resume when ${releasedBy}. If they resumed now, the pod would be evicted ${whenWords(ifReleasedNow, situation.now)}`,
		...heldEvidence(stop?.kind ?? 'ControllerDown', zone, situation),
	};
}

const isBack = ({one, situation: {now}}: PodCase) => isReadyAndAlive(one, now) || isBackUnposted(one, now);

function unsureReason(one: PodCase): ReasonDraft {
	if (isBack(one)) return nodeReturned(one);
	if (!one.timer && one.situation.affected.overlooked.has(one.one.node.name)) return lifecycleMissing;
	if (mayLive(one.one, one.situation.now)) return lifeUnknown(one.one);
	return clearedIn(one) ? countdownOrEnd(one) : (taintOrStop(one) ?? undecided);
}

/** When the taint of a pod's node is removed; null if it stays. */
const clearedIn = ({one, situation: {runs, passes, evidence}}: PodCase) =>
	mergeCleared(runs, passes.phaseSpacing, one, evidence.controllersStarted).range;

/** The reason of a pod whose countdown will be cancelled, as every zone is about to be down; undefined otherwise. */
function taintGoes(one: PodCase): ReasonDraft | undefined {
	const isHeldYet = one.situation.stops.of(zoneKey(one.one.node)) !== undefined;
	const range = isHeldYet || isBack(one) ? null : clearedIn(one);
	return range ? allZonesFall(range) : undefined;
}

/** For a countdown that may end before or after its taint is removed. */
const countdownOrEnd = ({one: {node}}: PodCase): ReasonDraft => ({
	...undecided,
	what: `the taint of node ${node.name} may be removed, which cancels the countdown; the API does not show whether the countdown ends before that`,
});

/** For a node that is tainted unless its zone is stopped, or stops before that; undefined if something else decides. */
function taintOrStop({one, situation}: PodCase): ReasonDraft | undefined {
	const {runs, zones} = situation;
	const {name} = one.node;
	const zone = zoneKey(one.node);
	const {rate, count} = zones.zones.get(zone) ?? {};
	const without = runs.filter(({tainted}) => !Number.isFinite(tainted.get(name)?.hi ?? Number.NaN));
	const isStopping = ({trajectory}: (typeof runs)[number]) =>
		trajectory.zones.get(zone)?.some(({rate}) => rate === 0) === true;
	const isStopped = situation.stops.of(zone) !== undefined;
	if (isStopped || without.length === 0 || !without.every(isStopping)) return undefined;
	const what =
		count && rate === 0
			? `evictions in zone ${zoneLabel(zone)} may be stopped, as ${count.notReady} of ${count.size} nodes are not ready, and the API does not show whether they are`
			: `zone ${zoneLabel(zone)} is about to stop its evictions, and the API does not show whether node ${name} gets its NoExecute taint before that`;
	return {...undecided, what};
}

/** For a taint that is removed though its node does not come back: the controller removes all of its taints. */
const allZonesFall = (at: Range): ReasonDraft => ({
	reason: 'AllZonesDown',
	effect: 'Prevents',
	at,
	what: 'every zone is about to be down: then the controller removes its NoExecute taints, before the countdown ends',
	rule: 'where no zone has a ready node left, the controller stops every zone; once a node is ready again, taints come back and countdowns begin anew',
});

const nodeReturned = ({one: {node}, judgement}: PodCase): ReasonDraft => ({
	reason: 'NodeReturned',
	effect: judgement.eviction ? 'MayPrevent' : 'Prevents',
	what: `${isReadyNode(node) ? `node ${node.name} is ready again:` : `the kubelet of node ${node.name} is back, and posts its status soon; if it is ready then,`} the next monitor pass removes its taint and cancels its pods' countdowns`,
	rule: 'a countdown that ends before that pass is not saved; a taint that comes back begins a new one, in full',
});

function renewalOverdue({one: {node, isLeaseMissing}}: PodCase): ReasonDraft {
	const sign = isLeaseMissing
		? `node ${node.name} has no lease, though others have`
		: `one renewal of node ${node.name} is overdue`;
	return {
		reason: 'Undecided',
		effect: 'MayPrevent',
		what: `${sign}: it may be dead, or its next renewal may come`,
	};
}

const lifeUnknown = ({node, hasWrongClock}: NodeEvidence): ReasonDraft => ({
	...undecided,
	what: `nothing shows whether node ${node.name} is alive${hasWrongClock ? ', as the clock of its kubelet is wrong' : ''}`,
});

/** For a node on which the node lifecycle controller does not act, and for its pods. */
export const lifecycleMissing: ReasonDraft = {
	reason: 'ControllerDisabled',
	effect: 'MayPrevent',
	what: 'the node lifecycle controller seems to be off or stuck, as a node long without a sign of life is not Unknown, one long not ready not tainted, or one long ready still tainted: then no taint comes or goes',
	rule: flag('controllers', '-node-lifecycle-controller'),
};

const undecided: ReasonDraft = {
	reason: 'Undecided',
	effect: 'MayPrevent',
	what: 'it depends on the state of the controllers, which the API does not show',
};

/** For a node that has no NoExecute taint, and gets none. */
export function nothingEvicts(one: NodeEvidence, situation: Situation): ReasonDraft {
	const {node} = one;
	const others = node.taints.filter(({effect}) => effect !== 'NoExecute');
	const isWell = isReadyAndAlive(one, situation.now);
	const stop = isWell ? undefined : stopForGood(zoneKey(node), situation);
	if (stop) return stopReason(stop, zoneKey(node), situation);
	const [reason, effect, what] = !isWell
		? ([
				'Undecided',
				'MayPrevent',
				`nothing that is seen leads to a NoExecute taint of node ${node.name}`,
			] as const)
		: others.length === 0
			? (['NodeWell', 'Prevents', `node ${node.name} is ready and carries no NoExecute taint`] as const)
			: ([
					'OnlyNoSchedule',
					'Prevents',
					`node ${node.name} is ready, and ${others.map(formatTaint).join(', ')} evicts nobody`,
				] as const);
	return {
		reason,
		effect,
		what,
		rule: 'only taints with the effect NoExecute evict; NoSchedule and PreferNoSchedule keep new pods away',
		evidence: () =>
			others.map((taint) => fact(node, `spec.taints[${node.taints.indexOf(taint)}]`, formatTaint(taint))),
	};
}
