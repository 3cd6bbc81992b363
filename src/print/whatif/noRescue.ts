import type {PressureForecast} from '../../forecast/pressure/pressureForecast.ts';
import type {WorkloadImpact} from '../../impact/workloadImpact.ts';
import {pressureMightFollow} from '../lateNodes.ts';
import {readyWords} from '../workloads.ts';
import {wrap} from '../wrap.ts';

/** That nothing is about to be evicted; of pods that are stuck, whether their workloads need any rescue all the same. */
export function noneText(stuckOf: readonly WorkloadImpact[], pressed: readonly PressureForecast[]): string {
	const known = stuckOf.filter(({desired, readyNow}) => desired !== null && readyNow !== null);
	if (known.length === 0)
		return `${pressureMightFollow(pressed) || 'No eviction is predicted, so there is nothing to prevent'}.\n`;
	const words = known
		.map(
			(one) =>
				`${one.kind.toLowerCase()}/${one.name} in namespace ${one.namespace} has ${readyWords(one)} pods ready`,
		)
		.join(', ');
	const isReplaced = known.length === stuckOf.length && known.every(isWhole);
	const rest = isReplaced ? ', not counting those that are stuck: no rescue needed' : '';
	return wrap(`Too late, already deleted; ${words}${rest}.`, '');
}

const isWhole = ({desired, readyNow}: WorkloadImpact): boolean =>
	(readyNow ?? 0) >= (desired ?? Number.POSITIVE_INFINITY);
