import {kept} from '../../core/collections/kept.ts';
import type {Node} from '../../core/model/node.ts';
import {isEvictedByKubelet, isPodTerminal, type Pod} from '../../core/model/pod.ts';
import {zoneKey, zoneLabel} from '../../core/model/zone.ts';
import {belongsToDaemonSet} from '../../core/nodelifecycle/deleteNodePods.ts';
import {judgeRepairs} from '../conclude/deleters/repairVerdict.ts';
import {isShuttingDown} from '../conclude/nodeShutdown.ts';
import {PodOutcomes} from '../conclude/podOutcomes.ts';
import {judgePod} from '../conclude/podVerdict.ts';
import {isOpen, unseenWords} from '../conclude/unseenNodes.ts';
import type {NodeForecast} from '../nodeForecast.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {type Cause, forecastOf, type PodForecast} from '../podForecast.ts';
import {type Judgement, verdictOf} from '../verdict.ts';
import {followedBy, type Reasoning, reasoningOf, sentenceOf} from './explanation.ts';
import {endedWords} from './reasons/ownReasons.ts';
import {type PodCase, verdictReasons} from './reasons/verdictReasons.ts';
import type {Situation} from './situation.ts';
import {othersSteps} from './steps/othersSteps.ts';
import {podSteps} from './steps/podSteps.ts';

/** The shared part of the forecasts of a node's pods with equal tolerations and timers. */
type Shared = Judgement & Reasoning;

/**
 * Makes the forecasts of an affected node's pods, with reasons. Pods with equal tolerations and timers are judged once.
 *
 * @param node the forecast of the node
 * @returns a function that forecasts one of the node's pods
 */
export function podForecaster(
	one: NodeEvidence,
	node: NodeForecast,
	situation: Situation,
): (pod: Pod) => PodForecast {
	const zone = zoneLabel(zoneKey(one.node));
	const outcomes = new PodOutcomes(one, situation);
	const kinds = new Map<readonly unknown[] | undefined, Map<string, Shared>>();
	return (pod) => {
		const timer = situation.evidence.timers.get(pod);
		const end = isPodTerminal(pod)
			? `${endedWords(pod)} `
			: isShuttingDown(one, situation.now)
				? `${pod.priority} `
				: '';
		const goes = situation.settings.taintBasedEvictions ? end : `${end}${belongsToDaemonSet(pod)} `;
		const ofTimer = timer ? `${timer.fires.lo} ${timer.fires.hi} ${timer.source} ${pod.evictedAt}` : '';
		const {deletionTimestamp, deletionGracePeriodSeconds, finalizers} = pod;
		const kind =
			deletionTimestamp === undefined
				? goes + ofTimer
				: `terminating ${deletionTimestamp} ${deletionGracePeriodSeconds} ${finalizers}`;
		const ofTolerations = kept(kinds, pod.tolerations, () => new Map<string, Shared>());
		const judge = () => judgeKind({pod, one, timer, situation}, node, outcomes);
		return forecastOf(pod, zone, kept(ofTolerations, kind, judge));
	};
}

function judgeKind(
	of: Pick<PodCase, 'pod' | 'one' | 'timer' | 'situation'>,
	node: NodeForecast,
	outcomes: PodOutcomes,
): Shared {
	const {pod, one, timer, situation} = of;
	const judged = judgePod(pod, one, timer, outcomes, situation);
	const {judgement, byControllers} = judged;
	const own = reasoningFor({...of, ...judged, judgement: byControllers}, node);
	const steps = othersSteps(one, judgement.verdict, situation);
	const unseen = isOpen(byControllers, situation) ? [{what: unseenWords}] : [];
	const others = reasoningOf([...steps, ...unseen], situation.now);
	return {...judgement, cause: judgement.cause ?? causeOfEnd(pod), ...followedBy(own, others)};
}

/** Makes the forecasts of the pods of a healthy or unseen node: nothing happens to them. */
export function safePods(on: Node | undefined): (pod: Pod) => PodForecast {
	const zone = on ? zoneLabel(zoneKey(on)) : '';
	return (pod) =>
		forecastOf(pod, zone, {
			verdict: pod.deletionTimestamp === undefined ? 'Safe' : 'Terminating',
			eviction: null,
			held: null,
			cause: causeOfEnd(pod),
			because: isPodTerminal(pod) ? [endedWords(pod)] : noReasons,
		});
}

/** Why its kubelet ended a pod; null if it did not. */
function causeOfEnd(pod: Pod): Cause | null {
	if (pod.isShutDown) return {kind: 'NodeShutdown'};
	return isEvictedByKubelet(pod) ? {kind: 'NodePressure'} : null;
}

/** Makes the forecasts of the pods of a node that is Ready, but is deleted or replaced nevertheless. */
export function repairedPods(one: NodeEvidence, situation: Situation): (pod: Pod) => PodForecast {
	const safe = safePods(one.node);
	const others = othersSteps(one, 'Safe', situation).map((step) => sentenceOf(step, situation.now));
	return (pod) => {
		const forecast = safe(pod);
		const judgement = verdictOf([forecast, ...judgeRepairs(one, situation, false)]);
		return {...forecast, ...judgement, because: [...forecast.because, ...others]};
	};
}

const noReasons: readonly string[] = [];

/** The reasons of a pod's verdict, one sentence per step; `explain` adds rules and evidence. */
function reasoningFor(one: PodCase, {verdict, because, reasons: ofNode = []}: NodeForecast): Reasoning {
	const {pod, toleration, taints, timer, judgement, situation} = one;
	const reasons = reasoningOf(verdictReasons(one), situation.now);
	if (judgement.verdict === 'Terminating') return reasons;
	// The last sentence of a held node names what stops it, as the pod's own reason does.
	const length = verdict === 'Held' ? because.length - 1 : because.length;
	const history = {
		because: because.slice(0, length),
		reasons: ofNode.filter(({sentence}) => sentence < length),
	};
	const steps = podSteps(pod, toleration, taints, timer, situation);
	const chain = followedBy(history, reasoningOf(steps, situation.now));
	// Reasons that keep a pod come before the history of its node.
	return judgement.eviction === null ? followedBy(reasons, chain) : followedBy(chain, reasons);
}
