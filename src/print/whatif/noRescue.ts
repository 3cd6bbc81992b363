import {podKey} from '../../core/model/pod.ts';
import {kindAndName} from '../../core/model/workloads/workload.ts';
import type {Instant} from '../../core/time/instant.ts';
import {inTimeZone} from '../../dates/format.ts';
import type {TimeZone} from '../../dates/timeZone.ts';
import {evictionOf, type PressureForecast} from '../../forecast/pressure/pressureForecast.ts';
import {ifFallsWords, pressedOf} from '../../forecast/pressure/pressureWords.ts';
import type {PodRescue} from '../../forecast/whatif/rescues.ts';
import type {WorkloadImpact} from '../../impact/workloadImpact.ts';
import {type Connection, pasted, shellWord} from '../../text/pasted.ts';
import {formatWhenAt} from '../countdown.ts';
import {evictedWhenAt} from '../pressure/pressureWords.ts';
import {pressureMightFollow} from '../whyNotYet.ts';
import {readyWords} from '../workloads.ts';
import {labelled, wrap} from '../wrap.ts';
import {type KeptPod, namesOf} from './rescueKept.ts';

/** States that no eviction is pending; for deleted pods, whether their workloads need a rescue anyway. */
export function noneText(
	kept: readonly KeptPod[],
	stuckOf: readonly WorkloadImpact[],
	pressed: readonly PressureForecast[],
	calm = 'No eviction is predicted, so there is nothing to prevent',
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
	return wrap(`Too late: ${namesOf(deleted)} ${are} deleted already${words}${rest}.`, '');
}

const isWhole = ({desired, readyNow}: WorkloadImpact): boolean =>
	(readyNow ?? 0) >= (desired ?? Number.POSITIVE_INFINITY);

/** When its kubelet evicts a pod, what decides that, and the command that shows its node. */
export function pressureText(
	{forecast, pressure}: Pick<PodRescue, 'forecast' | 'pressure'>,
	now: Instant,
	zone: TimeZone,
	connection: Connection,
): string {
	const {eviction, node} = forecast;
	const predicted = pressure && evictionOf(pressure, podKey(forecast));
	const when = predicted
		? evictedWhenAt(predicted, pressure, now)
		: eviction
			? formatWhenAt(eviction, now)
			: 'not known';
	const command = pasted(`kubectl evictwatch pressure ${shellWord(node)} -w`, connection);
	return `${labelled('Evicted', inTimeZone(when, now, zone))}Its kubelet decides that by what the node has left and what its pods use:\n  ${command}\n`;
}

/** Kubelets that may still evict, the first pod, and the command to watch it; empty if no node is under pressure. */
export function pressedTexts(
	pressed: readonly PressureForecast[],
	connection: Connection,
): readonly string[] {
	return pressed.slice(0, mostShown).map((one) => {
		const falls = ifFallsWords(one);
		const who = falls === '' ? 'its kubelet may evict pods' : falls;
		const command = pasted(`kubectl evictwatch pressure ${shellWord(one.node)} -w`, connection);
		return `${wrap(`Node ${one.node} has ${pressedOf(one).join(' and ')}: ${who}. When, after 20s of:`, '')}  ${command}\n`;
	});
}

const mostShown = 3;
