import type {ApiVersion, ListJson, RangeJson, StreamedJson, TimestampJson} from './common.ts';

/** What happens to one node if nothing else changes, and why. */
export type NodeForecastJson = {
	/** Present if the object stands alone. */
	readonly apiVersion?: ApiVersion;
	readonly kind: 'NodeForecast';
	readonly metadata: StreamedJson & {
		readonly name: string;
		readonly uid: string;
		readonly labels: Readonly<Record<string, string>>;
	};
	/** `Gone` only occurs in a watch, once the node is deleted. */
	readonly verdict:
		| 'Healthy'
		/** One renewal is overdue: the node may be down or healthy. */
		| 'Late'
		| 'Silent'
		| 'NotReady'
		| 'Unknown'
		| 'Queued'
		| 'Held'
		| 'Tainted'
		/** Its pods were deleted without a taint, which releases up to 1.26 could do. */
		| 'Evicted'
		| 'Recovering'
		| 'Gone';
	/** `region/zone`; a missing one is `<none>`. */
	readonly zone: string;
	/** The status of its Ready condition; null if it has none. */
	readonly ready: 'True' | 'False' | 'Unknown' | null;
	/** When its lease was last renewed; null if no lease is found. */
	readonly lastRenewal: TimestampJson | null;
	/** When Ready becomes Unknown; null if it does not. */
	readonly unknown: RangeJson | null;
	/** When it gets its NoExecute taint; null if it does not. */
	readonly noExecute: RangeJson | null;
	/**
	 * The probability of getting its zone's next token, while it waits for one; otherwise null.
	 *
	 * @minimum 0
	 * @maximum 1
	 */
	readonly nextProbability: number | null;
	/** The reasoning, one sentence per step. */
	readonly because: readonly string[];
	/** The controllers that delete or replace it while it is unhealthy, the earliest first; absent if none is known. */
	readonly repairs?: readonly {
		/** `MachineHealthCheck openshift-machine-api/workers`. */
		readonly by: string;
		/** When that begins; null if it does not, or is not known. */
		readonly at: RangeJson | null;
		/** Whether everything that decides it is observed. */
		readonly isSure: boolean;
		/** Whether its pods end with it. */
		readonly endsPods: boolean;
		readonly why: string;
	}[];
	/** The resources that it is short of, whatever its verdict: kubelets evict by their own rules. Absent if there are none. */
	readonly pressure?: {
		/** The pressure conditions that are True: `MemoryPressure`. */
		readonly conditions: readonly string[];
		/** The pod that its kubelet evicts next; null if there is none, or it is not known. */
		readonly next: {
			readonly namespace: string;
			readonly name: string;
			readonly eviction: RangeJson;
			/** Whether it is evicted in every possible random order. */
			readonly certain: boolean;
		} | null;
	};
};

/** Printed by `nodes`. */
export type NodeForecastListJson = ListJson<'NodeForecast', NodeForecastJson>;
