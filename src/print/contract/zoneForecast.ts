import type {ApiVersion, ListJson, RangeJson, ScoreJson, TimestampJson} from './common.ts';

/** The states that a zone goes through. */
export type ZoneStoryJson = {
	/** Whether it is the same in all hidden states, apart from the instants. */
	readonly isSure: boolean;
	readonly steps: readonly {
		readonly at: RangeJson;
		readonly state: 'Initial' | 'Normal' | 'PartialDisruption' | 'FullDisruption';
		/** Nodes tainted per second; 0 where its evictions are stopped. */
		readonly rate: number;
	}[];
};

/** What happens in one zone if nothing else changes, and why. */
export type ZoneForecastJson = {
	/** Present where the object stands alone. */
	readonly apiVersion?: ApiVersion;
	readonly kind: 'ZoneForecast';
	readonly metadata: {
		readonly name: string;
		/** In a watch alone. */
		readonly score?: ScoreJson;
		/** The recorded time, in a stream from a recording alone. */
		readonly observedAt?: TimestampJson;
	};
	/** `region/zone`; a missing one is `<none>`. */
	readonly zone: string;
	/** `Gone` in a watch alone, once no node is in it. */
	readonly state: 'Initial' | 'Normal' | 'PartialDisruption' | 'FullDisruption' | 'Gone';
	/**
	 * How many nodes count.
	 *
	 * @minimum 0
	 */
	readonly size: number;
	/**
	 * How many of them are not ready.
	 *
	 * @minimum 0
	 */
	readonly notReady: number;
	/**
	 * How many of those that are ready are silent: no pass has found it yet.
	 *
	 * @minimum 0
	 */
	readonly silent: number;
	/**
	 * Nodes tainted per second; 0 where its evictions are stopped.
	 *
	 * @minimum 0
	 */
	readonly rate: number;
	/** When the zone's bucket next holds a token; null where its evictions are stopped. */
	readonly nextToken: RangeJson | null;
	/** When the next NoExecute taints of the zone are given, in order; which nodes get them is random. */
	readonly nextTaints: readonly RangeJson[];
	/** The names of the nodes that wait, sorted: their order is chance. */
	readonly queue: readonly string[];
	/** The states that it comes into as its silent nodes turn Unknown; no steps where it has none. */
	readonly coming: ZoneStoryJson;
	/**
	 * The fewest further nodes down or back that bring another state, and, where the zone's evictions are stopped, those that
	 * resume them; nodes that are silent count as down.
	 */
	readonly toNextState: readonly {
		readonly state: 'Initial' | 'Normal' | 'PartialDisruption' | 'FullDisruption';
		/**
		 * Nodes tainted per second then; 0 where its evictions are stopped.
		 *
		 * @minimum 0
		 */
		readonly rate: number;
		readonly nodesDown?: number;
		readonly nodesBack?: number;
	}[];
	/** The reasoning, one sentence a step. */
	readonly because: readonly string[];
};

/** What `zones` prints. */
export type ZoneForecastListJson = ListJson<'ZoneForecast', ZoneForecastJson>;
