import type {ApiVersion, ListJson, RangeJson, StreamedJson, ZoneStateJson} from './common.ts';

/** The states that a zone goes through. */
export type ZoneStoryJson = {
	/** Whether the states are the same in all possible hidden states, apart from their times. */
	readonly isSure: boolean;
	readonly steps: readonly {
		readonly at: RangeJson;
		readonly state: ZoneStateJson;
		/** Nodes tainted per second; 0 if its evictions are stopped. */
		readonly rate: number;
	}[];
};

/** What happens in one zone if nothing else changes, and why. */
export type ZoneForecastJson = {
	/** Present if the object stands alone. */
	readonly apiVersion?: ApiVersion;
	readonly kind: 'ZoneForecast';
	readonly metadata: StreamedJson & {
		readonly name: string;
	};
	/** `region/zone`; a missing one is `<none>`. */
	readonly zone: string;
	/** `Gone` only occurs in a watch, once the zone has no node. */
	readonly state: ZoneStateJson | 'Gone';
	/**
	 * The number of nodes that count.
	 *
	 * @minimum 0
	 */
	readonly size: number;
	/**
	 * The number of nodes that are not ready.
	 *
	 * @minimum 0
	 */
	readonly notReady: number;
	/**
	 * The number of ready nodes that are silent, which no pass has found yet.
	 *
	 * @minimum 0
	 */
	readonly silent: number;
	/**
	 * The number of ready nodes that are late with a renewal and not yet silent: they may be lost.
	 *
	 * @minimum 0
	 */
	readonly late: number;
	/**
	 * Nodes tainted per second; 0 if its evictions are stopped.
	 *
	 * @minimum 0
	 */
	readonly rate: number;
	/** When the zone's token bucket next has a token; null if its evictions are stopped. */
	readonly nextToken: RangeJson | null;
	/** When the zone's next NoExecute taints are added, in order; which nodes get them is random. */
	readonly nextTaints: readonly RangeJson[];
	/** The names of the waiting nodes, in no meaningful order: their real order is random. */
	readonly queue: readonly string[];
	/** The coming states as its silent nodes become Unknown; no steps if there are none. */
	readonly coming: ZoneStoryJson;
	/**
	 * The smallest numbers of further nodes down or back that bring another state, and, if the zone's evictions are stopped,
	 * those that resume them; silent nodes count as down.
	 */
	readonly toNextState: readonly {
		readonly state: ZoneStateJson;
		/**
		 * Nodes tainted per second then; 0 if its evictions are stopped.
		 *
		 * @minimum 0
		 */
		readonly rate: number;
		readonly nodesDown?: number;
		readonly nodesBack?: number;
	}[];
	/** The reasoning, one sentence per step. */
	readonly because: readonly string[];
};

/** Printed by `zones`. */
export type ZoneForecastListJson = ListJson<'ZoneForecast', ZoneForecastJson>;
