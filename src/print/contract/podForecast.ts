import type {WorkloadName} from '../../core/model/workloads/workload.ts';
import type {PodForecast, PodVerdict, Reason} from '../../forecast/podForecast.ts';
import type {ItemJson, ListJson} from './common.ts';

/** What happens to one pod if nothing else changes, and why. */
export type PodForecastJson = ItemJson<
	'PodForecast',
	Pick<PodForecast, 'namespace' | 'name' | 'uid' | 'labels'>
> &
	Pick<PodForecast, 'node' | 'zone' | 'eviction' | 'cause' | 'held' | 'because' | 'after'> & {
		/** `Gone` only occurs in a watch, once the pod is gone. */
		readonly verdict: PodVerdict | 'Gone';
		/** The steps of `because` that programs may tell apart. */
		readonly reasons: readonly Reason[];
		/** What a person made of which it is a pod: the Deployment, not its ReplicaSet; null if nothing owns it. */
		readonly owner: WorkloadName | null;
	};

/** Printed by `pods`. */
export type PodForecastListJson = ListJson<'PodForecast', PodForecastJson>;
