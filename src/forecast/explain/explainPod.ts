import {isPodTerminal, type Pod, podKey} from '../../core/model/pod.ts';
import {zoneKey} from '../../core/model/zone.ts';
import {type Instant, second} from '../../core/time/instant.ts';
import {endOf} from '../../core/workloads/podEnd.ts';
import {comingTaints} from '../conclude/podVerdict.ts';
import {isBlind} from '../conclude/unseenNodes.ts';
import {type PodTimer, tolerationOf} from '../observe/countdowns/podTimers.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import type {PodForecast} from '../podForecast.ts';
import {readyAgain} from '../readyAgain.ts';
import {startOf, whenWords} from '../words.ts';
import {assumptionsOf} from './assumptions.ts';
import {type Draft, type Explanation, fact, type ReasonDraft, reasonOf, stepOf} from './explanation.ts';
import {finishedPod, notBound, ownReasons, unseenNode} from './reasons/ownReasons.ts';
import {alreadyTerminating, nothingEvicts, type PodCase, verdictReasons} from './reasons/verdictReasons.ts';
import type {Situation} from './situation.ts';
import {endOfPod} from './steps/endOfPod.ts';
import {controllerStart, nodeSteps} from './steps/nodeSteps.ts';
import {othersSteps} from './steps/othersSteps.ts';
import {deletedStep, deletionStep, podSteps} from './steps/podSteps.ts';
import {podSummary} from './summary.ts';
import {nodeWithReasons} from './withReasons.ts';

/** The chain of events from the last sign of life of a pod's node to the pod's deletion, or to what prevents it. */
export function explainPod(pod: Pod, forecast: PodForecast, situation: Situation): Explanation {
	const one = situation.evidence.nodes.get(pod.nodeName);
	const isAffected = situation.affected.nodes.some(({node}) => node.name === pod.nodeName);
	const chain =
		forecast.cause?.kind === 'DeviceTaint'
			? {steps: deviceSteps(forecast), reasons: []}
			: one
				? chainOf(pod, one, isAffected, forecast, situation)
				: withoutNode(pod, forecast, situation);
	const {verdict, eviction, held} = forecast;
	const end = eviction ? [deletionStep(eviction, forecast, situation)] : [];
	const whyNot = [...chain.reasons, ...ownReasons(pod, one, verdict, situation.settings)];
	return {
		target: {kind: 'pod', namespace: pod.namespace, name: pod.name},
		verdict,
		summary: podSummary(
			forecast,
			chain.reasons[0]?.what,
			situation.now,
			restartedAt(pod, one, situation),
			one && orderOf(one, forecast, situation),
		),
		eviction,
		held,
		steps: [...chain.steps, ...end].map(stepOf),
		whyNot: whyNot.map(reasonOf),
		assumptions: assumptionsOf(situation),
		isStuck: verdict === 'Terminating' && one !== undefined && endOfPod(pod, one, situation).by === 'Nobody',
	};
}

/** Adds what follows the deletion of a pod, as its forecast says. */
export function withAfterExplained(
	explanation: Explanation,
	pods: readonly PodForecast[],
	now: Instant,
): Explanation {
	const {target, steps, eviction, verdict} = explanation;
	if (target.kind !== 'pod' || !(eviction || verdict === 'Terminating' || verdict === 'Safe'))
		return explanation;
	const key = podKey(target);
	const pod = pods.find((one) => podKey(one) === key);
	if (!pod?.after) return explanation;
	const at = readyAgain(pod, now);
	const what = pod.after.detail + (at ? `; the new pod is ready ${whenWords(at, now)}` : '');
	return {...explanation, steps: [...steps, stepOf({what, isAftermath: true})]};
}

/** Among how many nodes chance chooses the pod's; undefined if it does not. */
function orderOf({node}: NodeEvidence, {verdict}: PodForecast, {queues}: Situation): string | undefined {
	const waiting = queues.namesIn(zoneKey(node));
	return verdict === 'Expected' && waiting.length > 1 && waiting.includes(node.name)
		? `its node is one of ${waiting.length} in random order`
		: undefined;
}

/** When a controller manager took over, if its start restarted the pod's countdown; undefined otherwise. */
function restartedAt(pod: Pod, one: NodeEvidence | undefined, situation: Situation): Instant | undefined {
	const timer = situation.evidence.timers.get(pod);
	const restart = one && timer && controllerStart(one, situation);
	return restart && timer.started.hi >= restart.at ? restart.at : undefined;
}

/** Which tainted devices a pod uses; the first step carries the rule. */
const deviceSteps = ({because}: PodForecast): readonly Draft[] =>
	because.map((what, index) => ({
		what,
		...(index === 0 && {rule: deviceRule}),
	}));

const deviceRule =
	"a pod is deleted at the time at which a device of its claims was tainted NoExecute, plus the shortest of the claim's tolerations that match (those without a time end it); a toleration without an effect does not count";

function chainOf(
	pod: Pod,
	one: NodeEvidence,
	isAffected: boolean,
	forecast: PodForecast,
	situation: Situation,
) {
	const steps = nodeSteps(one, nodeWithReasons(one, situation), situation);
	const others = othersSteps(one, forecast.verdict, situation);
	if (!isAffected && forecast.verdict !== 'Terminating') {
		const well = isPodTerminal(pod) ? finishedPod(pod, 'Prevents') : nothingEvicts(one, situation);
		return {steps: [...steps, ...others], reasons: forecast.eviction ? [] : [well]};
	}
	const taints = comingTaints(one, situation);
	const toleration = tolerationOf(pod, taints, situation.settings.comparisonOperators);
	const timer = situation.evidence.timers.get(pod);
	const ofPod: PodCase = {pod, one, toleration, taints, timer, judgement: forecast, situation};
	const ofCountdown = podSteps(pod, toleration, taints, timer, situation);
	const own =
		forecast.verdict === 'Terminating'
			? stepsToDeletion(pod, steps, ofCountdown, timer)
			: [...steps, ...ofCountdown];
	return {steps: [...own, ...others], reasons: verdictReasons(ofPod)};
}

/** What led to a past deletion: no later steps, except the last sign of life of the node, which the pod waits for. */
function stepsToDeletion(
	pod: Pod,
	[lastSign, ...rest]: readonly Draft[],
	ofCountdown: readonly Draft[],
	timer: PodTimer | undefined,
): readonly Draft[] {
	const deleted = deletedStep(pod);
	const sign = lastSign ? [lastSign] : [];
	if (!deleted) return [...sign, ...rest, ...ofCountdown];
	const isBefore = ({at}: Draft) => startOf(at) < deleted.at + second;
	// The pod's tolerations led to nothing if no countdown had ended by then.
	const hasEnded = timer !== undefined && timer.started.lo + timer.tolerated < deleted.at + second;
	const counted = hasEnded ? ofCountdown : [];
	return [...sign, ...rest.filter(isBefore), ...counted, deleted];
}

/** Explains a pod that is bound to no node, or to a node that does not exist. */
function withoutNode(pod: Pod, {because, verdict}: PodForecast, situation: Situation) {
	if (pod.nodeName === '') return {steps: [], reasons: [notBound]};
	const steps = because.map((what) => ({what}));
	if (isBlind(situation) || situation.evidence.unseenNodes.has(pod.nodeName))
		return {steps, reasons: [unseenNode(pod)]};
	const gone: ReasonDraft = {
		reason: 'NodeGone',
		effect: 'DoesNotPrevent',
		what: `there is no node ${pod.nodeName}: no toleration keeps a pod whose node is gone`,
		rule: 'pod garbage collection deletes such pods by force, once their node has been gone for 40s',
		evidence: () => [fact(pod, 'spec.nodeName', pod.nodeName, 'no such node is seen')],
	};
	const deleted =
		verdict === 'Terminating' ? [alreadyTerminating(pod, endOf(pod, undefined), situation.now)] : [];
	return {steps, reasons: [...deleted, gone]};
}
