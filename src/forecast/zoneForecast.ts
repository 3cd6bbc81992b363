import type {ZoneState} from '../core/nodelifecycle/zones/zoneState.ts';
import type {Instant} from '../core/time/instant.ts';
import type {Range} from './range.ts';

/** One way into another state: so many more nodes down, or so many back. */
export type StateStep = {
	readonly state: ZoneState;
	/** Nodes tainted per second then; 0 where evictions are stopped. */
	readonly rate: number;
	readonly nodesDown?: number;
	readonly nodesBack?: number;
};

/** A state that a zone comes into, and how many of its nodes are tainted per second then; a stopped zone has none. */
export type ZoneStep = {readonly at: Range; readonly state: ZoneState; readonly rate: number};

/** The states that a zone goes through. */
export type ZoneStory = {
	readonly steps: readonly ZoneStep[];
	/** Whether it is the same in all hidden states, apart from the instants. */
	readonly isSure: boolean;
};

/** What keeps the nodes of a zone from being tainted, and what ends that. */
export type ZoneStop = {
	readonly kind: 'ControllerDown' | 'AllZonesDown' | 'ZoneStopped';
	readonly by: string;
	readonly since: Instant | null;
	readonly releasedBy: string;
	/** Whether a pass that is under way sets it at its end: until then a node may be tainted. */
	readonly isToCome?: boolean;
};

/** What happens in one zone if nothing else changes. */
export type ZoneForecast = {
	/** As people read it: `region/zone`. */
	readonly zone: string;
	readonly state: ZoneState;
	/** How many nodes count; those that are excluded from disruption checks do not. */
	readonly size: number;
	readonly notReady: number;
	/** How many of those that are ready are silent: they are lost already, and no pass has found it yet. */
	readonly silent: number;
	/** Nodes tainted per second. */
	readonly rate: number;
	/** When the zone's bucket next holds a token; null where the zone is stopped. */
	readonly nextToken: Range | null;
	/** When the next NoExecute taints of the zone are given: the first, the second, ... Chance decides to whom. */
	readonly taints: readonly Range[];
	/** Names of the nodes that wait, sorted: chance decides their order. */
	readonly queue: readonly string[];
	/** The states that it comes into as its silent nodes turn Unknown. */
	readonly coming: ZoneStory;
	/** The fewest further nodes down or back that bring another state, and that let a stopped zone evict; silent ones count as down. */
	readonly toNextState: readonly StateStep[];
	readonly because: readonly string[];
	/** Absent where nothing stops it. */
	readonly stopped?: ZoneStop;
};

/** Whether a node waits for its taint, or may come to: its rate says nothing else. */
export const hasTaintsToCome = ({queue, taints}: Pick<ZoneForecast, 'queue' | 'taints'>): boolean =>
	queue.length + taints.length > 0;

/** How many of a zone's nodes are tainted per second once its silent nodes are Unknown. */
export const rateAhead = ({rate, coming}: Pick<ZoneForecast, 'rate' | 'coming'>): number =>
	coming.steps.at(-1)?.rate ?? rate;
