import {podKey} from '../../../core/model/pod.ts';
import type {EvictionRequest, RepairObject} from '../../../core/model/repairObject.ts';
import type {Instant} from '../../../core/time/instant.ts';
import type {PodForecast} from '../../podForecast.ts';
import {Range} from '../../range.ts';
import {judged, verdictOf} from '../../verdict.ts';

/**
 * Adds to the forecasts of pods whose eviction somebody requests that it may come at any time: whoever answers such requests first
 * asks the pod itself, or waits for a budget.
 *
 * @upstream kubernetes v1.37.2 staging/src/k8s.io/api/lifecycle/v1alpha1/types.go EvictionRequestSpec
 */
export function withEvictionRequests(
	pods: readonly PodForecast[],
	objects: Iterable<RepairObject>,
	now: Instant,
): readonly PodForecast[] {
	const requests = new Map<string, EvictionRequest>();
	for (const one of objects) if (one.kind === 'EvictionRequest' && one.isOpen) requests.set(one.podUid, one);
	if (requests.size === 0) return pods;
	return pods.map((pod) => {
		const request = requests.get(pod.uid);
		if (!request || pod.verdict === 'Terminating') return pod;
		const {requester} = request;
		const cause = {kind: 'EvictionRequest', by: requester} as const;
		const why = `EvictionRequest ${podKey(request)} of ${requester} asks for its eviction: whoever answers it may evict the pod at any time`;
		return {
			...pod,
			...verdictOf([pod, judged('Unsure', cause, new Range(now, now, null))]),
			because: [...pod.because, why],
		};
	});
}
