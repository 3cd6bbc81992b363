import {kindAndName} from '../../core/model/workloads/workload.ts';
import type {PressureForecast} from '../../forecast/pressure/pressureForecast.ts';
import type {WorkloadImpact} from '../../impact/workloadImpact.ts';
import {pressureMightFollow} from '../whyNotYet.ts';
import {readyWords} from '../workloads.ts';
import {wrap} from '../wrap.ts';
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
