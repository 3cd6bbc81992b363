import {sentenceOf} from '../draft.ts';
import {forecastNode} from '../forecastNode.ts';
import {podSteps} from '../steps/podSteps.ts';
import {type PodCase, verdictReasons} from './verdictReasons.ts';

/** Why a pod has the verdict it has, one sentence a step: what `explain` tells, without rules and evidence. */
export function becauseOf(one: PodCase): readonly string[] {
	const {pod, toleration, taints, timer, judgement, situation} = one;
	const reasons = verdictReasons(one).map((reason) => sentenceOf(reason, situation.now));
	if (judgement.verdict === 'Terminating') return reasons;
	const steps = podSteps(pod, toleration, taints, timer, situation);
	const {verdict, because} = forecastNode(one.one, situation);
	return [
		// The last of a held node's sentences says what stops it; the pod's own reason says so again, and more.
		...(verdict === 'Held' ? because.slice(0, -1) : because),
		...steps.map((step) => sentenceOf(step, situation.now)),
		...reasons,
	];
}
