import type {ApiVersion, ListJson, ProblemJson, RangeJson, TimestampJson} from './common.ts';

/** The key numbers of one of several clusters. */
export type ClusterForecastJson = {
	/** Present if the object stands alone. */
	readonly apiVersion?: ApiVersion;
	readonly kind: 'ClusterForecast';
	readonly metadata: {
		/** The name of its context. */
		readonly name: string;
		/** The instant of its forecast, by the clock of its API server; absent if nothing was read of it. */
		readonly observedAt?: TimestampJson;
	};
	/** The address of its API server; null if not known. */
	readonly server: string | null;
	/** `Connecting` only occurs in a watch. `Unreachable`: it does not answer, and the numbers are the last known ones. */
	readonly status: 'Connecting' | 'Reachable' | 'Unreachable';
	/** When it last answered, by the clock of this machine; null if never. */
	readonly heardAt: TimestampJson | null;
	/** Null if not known. */
	readonly kubernetesVersion: string | null;
	/** Null if they could not be read. */
	readonly nodes: {
		/** @minimum 0 */
		readonly all: number;
		/** @minimum 0 */
		readonly ready: number;
		/**
		 * Without a heartbeat for two renew intervals, and not yet Unknown.
		 *
		 * @minimum 0
		 */
		readonly silent: number;
	} | null;
	/** Null if nothing was read of it. */
	readonly zones: {
		/** @minimum 0 */
		readonly all: number;
		/** The names of the zones whose evictions are stopped. */
		readonly stopped: readonly string[];
	} | null;
	/** Pods that will be evicted if nothing changes; null if nothing was read of it. */
	readonly evictions: {
		/** @minimum 0 */
		readonly all: number;
		/**
		 * Pods whose median is within five minutes, including overdue ones.
		 *
		 * @minimum 0
		 */
		readonly within5Minutes: number;
		/** Of the first pod to be evicted; null if there is none. */
		readonly first: RangeJson | null;
		/** Of the last pod to be evicted; null if there is none. */
		readonly last: RangeJson | null;
		/**
		 * Pods that cannot be observed well enough.
		 *
		 * @minimum 0
		 */
		readonly unsure: number;
	} | null;
	/** Workloads that lose all their ready pods; null if nothing was read of it. */
	readonly workloads: {
		readonly toZero: readonly {
			readonly namespace: string;
			readonly kind: string;
			readonly name: string;
			/** Null if it has none already. */
			readonly at: RangeJson | null;
		}[];
		/**
		 * Affected workloads for which this is not known.
		 *
		 * @minimum 0
		 */
		readonly unknown: number;
	} | null;
	readonly problems: readonly ProblemJson[];
};

/** Printed by `clusters`. */
export type ClusterForecastListJson = ListJson<'ClusterForecast', ClusterForecastJson>;
