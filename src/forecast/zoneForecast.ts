import type {ZoneState} from '../core/nodelifecycle/zones/zoneState.ts';
import type {Instant} from '../core/time/instant.ts';
import type {Range} from './range.ts';

/** A change of state, and how many more nodes down, or how many nodes back, cause it. */
export type StateStep = {
	readonly state: ZoneState;
	/** Nodes tainted per second then; 0 if evictions are stopped. */
	readonly rate: number;
	readonly nodesDown?: number;
	readonly nodesBack?: number;
};

/** A state that a zone enters, and its rate then, in nodes tainted per second; 0 if evictions are stopped. */
export type ZoneStep = {readonly at: Range; readonly state: ZoneState; readonly rate: number};

/** The states that a zone goes through. */
export type ZoneStory = {
	readonly steps: readonly ZoneStep[];
	/** Whether it is the same in all hidden states, apart from the times. */
	readonly isSure: boolean;
};

/** What stops the tainting of a zone's nodes, and what resumes it. */
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
	/** How many nodes count; nodes excluded from disruption checks do not. */
	readonly size: number;
	readonly notReady: number;
	/** How many ready nodes are silent: they are lost, but no pass has found out yet. */
	readonly silent: number;
	/** How many more ready nodes are late with a renewal: they may be lost. */
	readonly late: number;
	/** Nodes tainted per second. */
	readonly rate: number;
	/** When the zone may taint one more node, whether or not one waits; null if evictions are stopped. JSON calls it `nextToken`. */
	readonly nextTaint: Range | null;
	/** When the next NoExecute taints are added in the zone: the first, the second, ... Which node gets which is random. */
	readonly taints: readonly Range[];
	/** The names of the waiting nodes, in no meaningful order: their real order is random. */
	readonly queue: readonly string[];
	/** The states that it enters as its silent nodes turn Unknown. */
	readonly coming: ZoneStory;
	/** The fewest further nodes down or back that change the state, or let a stopped zone evict; silent nodes count as down. */
	readonly toNextState: readonly StateStep[];
	readonly because: readonly string[];
	/** Absent if nothing stops it. */
	readonly stopped?: ZoneStop;
};

/** Whether a node waits for its taint, or may have to: otherwise the zone's rate has no meaning. */
export const hasTaintsToCome = ({queue, taints}: Pick<ZoneForecast, 'queue' | 'taints'>): boolean =>
	queue.length + taints.length > 0;

/** A zone's rate, in nodes tainted per second, once its silent nodes are Unknown. */
export const rateAhead = ({rate, coming}: Pick<ZoneForecast, 'rate' | 'coming'>): number =>
	coming.steps.at(-1)?.rate ?? rate;

/** Whether no node of a zone is ready and heard any more once it has lost this many further ones. */
export const leavesNone = (
	nodesDown: number | undefined,
	{ready, silent}: {readonly ready: number; readonly silent: number},
): boolean => nodesDown === ready - silent;
