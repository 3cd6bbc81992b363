import type {Instant} from '../../core/time/instant.ts';
import type {ClusterForecast, ForecastSummary} from '../../impact/clusterForecast.ts';
import type {ApiVersion, ListJson, ProblemJson} from './common.ts';

/** The key numbers of one of several clusters; all but its name are null if not known. */
export type ClusterForecastJson = Pick<ClusterForecast, 'status'> &
	Readonly<{
		/** Present if the object stands alone. */
		apiVersion?: ApiVersion;
		kind: 'ClusterForecast';
		/** The name of its context, and the instant of its forecast, by the clock of its API server; absent if nothing was read of it. */
		metadata: {readonly name: string; readonly observedAt?: Instant};
		/** The address of its API server. */
		server: string | null;
		/** When it last answered, by the clock of this machine. */
		heardAt: Instant | null;
		kubernetesVersion: string | null;
		/** Null if they could not be read. */
		nodes: ForecastSummary['nodes'];
		zones: ForecastSummary['zones'] | null;
		/** Pods that will be evicted if nothing changes. */
		evictions: (NonNullable<ForecastSummary['evictions']> & Pick<ForecastSummary, 'unsure'>) | null;
		/** Workloads that lose all their ready pods. */
		workloads: ForecastSummary['workloads'] | null;
		problems: readonly ProblemJson[];
	}>;

/** Printed by `clusters`. */
export type ClusterForecastListJson = ListJson<'ClusterForecast', ClusterForecastJson>;
