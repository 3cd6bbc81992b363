import {podKey} from '../../core/model/pod.ts';
import {kindAndName} from '../../core/model/workloads/workload.ts';
import {evictionOf, type PressureForecast} from '../../forecast/pressure/pressureForecast.ts';
import {ifFallsWords, pressedOf} from '../../forecast/pressure/pressureWords.ts';
import type {PodRescue} from '../../forecast/whatif/rescues.ts';
import {linked} from '../../forecast/words.ts';
import type {WorkloadImpact} from '../../impact/workloadImpact.ts';
import type {AnswerPage} from '../answerPage.ts';
import {formatWhenAt} from '../countdown.ts';
import {evictedWhenAt} from '../pressure/pressureWords.ts';
import {pressureMightFollow} from '../whyNotYet.ts';
import {readyWords} from '../workloads.ts';
import {pressureOf} from './rescueCommand.ts';
import {type KeptPod, namesOf} from './rescueKept.ts';

/** States that no eviction is pending; for deleted pods, whether their workloads need a rescue anyway. */
export function noneText(
	kept: readonly KeptPod[],
	stuckOf: readonly WorkloadImpact[],
	pressed: readonly PressureForecast[],
	calm = 'No eviction is predicted, so there is nothing to prevent',
	page: AnswerPage,
): string {
	const deleted = kept.filter(({forecast}) => forecast.verdict === 'Terminating');
	if (deleted.length === 0) return `${pressureMightFollow(pressed) || calm}.\n`;
	const known = stuckOf.filter(({desired, readyNow}) => desired !== null && readyNow !== null);
	const words = known
		.map((one) => `; ${kindAndName(one)} in namespace ${one.namespace} has ${readyWords(one)} pods ready`)
		.join('');
	const isReplaced = known.length > 0 && known.length === stuckOf.length && known.every(isWhole);
	const rest = isReplaced ? ', not counting those that are stuck: no rescue needed' : '';
	const are = deleted.length === 1 ? 'is' : 'are';
	return page.wrap(`Too late: ${namesOf(deleted)} ${are} deleted already${words}${rest}.`);
}

const isWhole = ({desired, readyNow}: WorkloadImpact) =>
	(readyNow ?? 0) >= (desired ?? Number.POSITIVE_INFINITY);

/** When its kubelet evicts a pod, what decides that, and the command that shows its node. */
export function pressureText({forecast, pressure}: PodRescue, page: AnswerPage): string {
	const {eviction, node} = forecast;
	const predicted = pressure && evictionOf(pressure, podKey(forecast));
	const when = predicted
		? evictedWhenAt(predicted, pressure, page.now)
		: eviction
			? formatWhenAt(eviction, page.now)
			: 'not known';
	return `${page.labelled('Evicted', when)}Its kubelet decides that by what the node has left and what its pods use:\n${page.command(`${pressureOf(node)} -w`)}`;
}

/** Kubelets that may still evict, the first pod, and the command to watch it; empty if no node is under pressure. */
export const pressedTexts = (pressed: readonly PressureForecast[], page: AnswerPage) =>
	pressed.slice(0, mostShown).map((one) => {
		const text = linked(': ', `Node ${one.node} has ${pressedOf(one).join(' and ')}`, ifFallsWords(one));
		return (
			page.wrap(`${text}. When its kubelet evicts pods, this tells after 20s:`) +
			page.command(`${pressureOf(one.node)} -w`)
		);
	});

const mostShown = 3;
