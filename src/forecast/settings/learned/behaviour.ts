import type {Instant} from '../../../core/time/instant.ts';
import type {Interval} from '../../observe/interval.ts';

/** A node that fell silent and turned Unknown while it was watched. */
export type Silence = {
	readonly node: string;
	/** When the API server received the last sign of life. */
	readonly lastSign: Interval;
	/** When the API server received the last status, which may be that sign; undefined if none was seen. */
	readonly lastPost: Instant | undefined;
	/** When the controller wrote Unknown. */
	readonly unknown: Interval;
	/** Since when the controllers worked without a stop, and wrote nothing that could have delayed them; infinite if unknown. */
	readonly quietSince: Instant;
};

/** A node that became ready, and whose NoExecute taint the controller removed in its next pass. */
export type Recovery = {
	readonly ready: Interval;
	readonly cleared: Interval;
	readonly quietSince: Instant;
};

/** A monitor pass that was seen while the controllers had little to write. */
export type SeenPass = {
	readonly at: Interval;
	/** How many writes of the controller were seen until then. */
	readonly writesBefore: number;
	/** Since when the leader has not changed. */
	readonly steadySince: Instant;
};

/** Two NoExecute taints that followed each other in a zone, each for a token. */
export type TaintPair = {
	readonly zone: string;
	readonly first: Interval;
	readonly second: Interval;
	/** Whether the zone's queue was never empty in between: then their distance is that of tokens, and else no shorter. */
	readonly hasWaited: boolean;
	/** Whether no pass was writing when either came, so that neither was delayed. */
	readonly isQuiet: boolean;
	/** Whether too few nodes of the zone were not ready to slow it down. */
	readonly isAtFullRate: boolean;
	/** The most nodes that the zone was seen to have: a small zone evicts at the full rate or not at all. */
	readonly largestSize: number;
};

/** A zone that was seen to evict, or not to evict, with a given share of nodes not ready. */
export type ZoneVerdict = {
	readonly zone: string;
	readonly evicts: boolean;
	/** The smallest number if it evicts, the largest if it does not. */
	readonly notReady: number;
	readonly size: number;
	/** The most nodes that the zone was seen to have. */
	readonly largestSize: number;
	readonly watched: number;
};

/** Writes of one controller that followed each other without a pause. */
export type Burst = {
	readonly of: 'node lifecycle controller' | 'taint-eviction controller';
	readonly count: number;
	readonly from: Instant;
	readonly to: Instant;
};

export type Behaviour = {
	readonly silences: readonly Silence[];
	readonly recoveries: readonly Recovery[];
	readonly passes: readonly SeenPass[];
	readonly taintPairs: readonly TaintPair[];
	readonly zoneVerdicts: readonly ZoneVerdict[];
	readonly bursts: readonly Burst[];
};

const mostSightings = 50;

/** Adds an observation, and drops the oldest if there are too many. */
export const keep = <T>(sightings: readonly T[], one: T): readonly T[] =>
	[...sightings, one].slice(-mostSightings);
