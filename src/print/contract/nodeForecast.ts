import type {ApiVersion, ListJson, RangeJson, ScoreJson, TimestampJson} from './common.ts';

/** What happens to one node if nothing else changes, and why. */
export type NodeForecastJson = {
	/** Present where the object stands alone. */
	readonly apiVersion?: ApiVersion;
	readonly kind: 'NodeForecast';
	readonly metadata: {
		readonly name: string;
		readonly uid: string;
		readonly labels: Readonly<Record<string, string>>;
		/** In a watch alone. */
		readonly score?: ScoreJson;
		/** The recorded time, in a stream from a recording alone. */
		readonly observedAt?: TimestampJson;
	};
	/** `Gone` in a watch alone, once the node is no more. */
	readonly verdict:
		| 'Healthy'
		/** One renewal is overdue: it may be dead, or well. */
		| 'Late'
		| 'Silent'
		| 'NotReady'
		| 'Unknown'
		| 'Queued'
		| 'Held'
		| 'Tainted'
		/** Its pods were deleted without a taint, as releases up to 1.26 could. */
		| 'Evicted'
		| 'Recovering'
		| 'Gone';
	/** `region/zone`; a missing one is `<none>`. */
	readonly zone: string;
	/** The status of its Ready condition; null where it has none. */
	readonly ready: 'True' | 'False' | 'Unknown' | null;
	/** When its lease was last renewed; null where no lease is seen. */
	readonly lastRenewal: TimestampJson | null;
	/** When Ready turns Unknown; null unless it will. */
	readonly unknown: RangeJson | null;
	/** When it gets its NoExecute taint; null unless it will. */
	readonly noExecute: RangeJson | null;
	/**
	 * The chance to get its zone's next token, while it waits for one; null else.
	 *
	 * @minimum 0
	 * @maximum 1
	 */
	readonly nextProbability: number | null;
	/** The reasoning, one sentence a step. */
	readonly because: readonly string[];
	/** Who deletes or replaces it while it is unhealthy, the first to come first; absent where nobody is known to. */
	readonly repairs?: readonly {
		/** `MachineHealthCheck openshift-machine-api/workers`. */
		readonly by: string;
		/** When that begins; null where it does not come, or nobody can tell when. */
		readonly at: RangeJson | null;
		/** Whether all that decides it is seen. */
		readonly isSure: boolean;
		/** Whether its pods go with it. */
		readonly endsPods: boolean;
		readonly why: string;
	}[];
	/** What it is short of, whatever its verdict: kubelets evict by their own rules. Absent where nothing is short. */
	readonly pressure?: {
		/** Those that are True: `MemoryPressure`. */
		readonly conditions: readonly string[];
		/** The pod that its kubelet evicts next; null where that cannot be told, or none is to go. */
		readonly next: {
			readonly namespace: string;
			readonly name: string;
			readonly eviction: RangeJson;
			/** Whether it goes however chance decides. */
			readonly certain: boolean;
		} | null;
	};
};

/** What `nodes` prints. */
export type NodeForecastListJson = ListJson<'NodeForecast', NodeForecastJson>;
