import type {ApiVersion, ListJson, ProblemJson, RangeJson, TimestampJson} from './common.ts';

/** One cluster of several, in a few numbers. */
export type ClusterForecastJson = {
	/** Present where the object stands alone. */
	readonly apiVersion?: ApiVersion;
	readonly kind: 'ClusterForecast';
	readonly metadata: {
		/** The context by which it is reached. */
		readonly name: string;
		/** The instant of its forecast, by the clock of its API server; absent where nothing was read of it. */
		readonly observedAt?: TimestampJson;
	};
	/** The address of its API server; null where it is not known. */
	readonly server: string | null;
	/** `Connecting` in a watch alone. `Unreachable`: it does not answer, and the numbers are what was last known of it. */
	readonly status: 'Connecting' | 'Reachable' | 'Unreachable';
	/** When it was last heard, by the clock of this machine; null where it never was. */
	readonly heardAt: TimestampJson | null;
	/** Null where it is not known. */
	readonly kubernetesVersion: string | null;
	/** Null where they could not be read. */
	readonly nodes: {
		/** @minimum 0 */
		readonly all: number;
		/** @minimum 0 */
		readonly ready: number;
		/**
		 * No heartbeat for two renew intervals, and not yet Unknown.
		 *
		 * @minimum 0
		 */
		readonly silent: number;
	} | null;
	/** Null where nothing was read of it. */
	readonly zones: {
		/** @minimum 0 */
		readonly all: number;
		/** The names of those where evictions are stopped. */
		readonly stopped: readonly string[];
	} | null;
	/** Pods that go if nothing changes; null where nothing was read of it. */
	readonly evictions: {
		/** @minimum 0 */
		readonly all: number;
		/**
		 * By the median; what is overdue is among them.
		 *
		 * @minimum 0
		 */
		readonly within5Minutes: number;
		/** Of the pod that goes first; null where none goes. */
		readonly first: RangeJson | null;
		/** Of the pod that goes last; null where none goes. */
		readonly last: RangeJson | null;
		/**
		 * Pods of which too little can be seen.
		 *
		 * @minimum 0
		 */
		readonly unsure: number;
	} | null;
	/** Workloads that lose all their ready pods; null where nothing was read of it. */
	readonly workloads: {
		readonly toZero: readonly {
			readonly namespace: string;
			readonly kind: string;
			readonly name: string;
			/** Null where it is so already. */
			readonly at: RangeJson | null;
		}[];
		/**
		 * Those in trouble of which it is not known.
		 *
		 * @minimum 0
		 */
		readonly unknown: number;
	} | null;
	readonly problems: readonly ProblemJson[];
};

/** What `clusters` prints. */
export type ClusterForecastListJson = ListJson<'ClusterForecast', ClusterForecastJson>;
