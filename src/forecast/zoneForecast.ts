import type {Range} from './podForecast.ts';

export type ZoneState = 'Initial' | 'Normal' | 'PartialDisruption' | 'FullDisruption';

/** One way into another state: so many more nodes down, or so many back. */
export type StateStep = {readonly state: ZoneState; readonly nodesDown?: number; readonly nodesBack?: number};

export type ZoneForecast = {
	/** As people read it: `region/zone`. */
	readonly zone: string;
	readonly state: ZoneState;
	readonly size: number;
	readonly notReady: number;
	/** Nodes tainted per second. */
	readonly rate: number;
	/** When the zone's bucket next holds a token; null where the zone is stopped. */
	readonly nextToken: Range | null;
	/** When the next NoExecute taints of the zone are given: the first, the second, ... Chance decides to whom. */
	readonly taints: readonly Range[];
	/** Names of the nodes that wait, sorted: chance decides their order. */
	readonly queue: readonly string[];
	readonly toNextState: readonly StateStep[];
	readonly because: readonly string[];
};
