import type {ConditionStatus, Node} from '../core/model/node.ts';
import type {Instant} from '../core/time/instant.ts';
import {Range} from './range.ts';

/**
 * Late: one renewal is overdue. Silent: no heartbeat for two renew intervals, not yet Unknown. NotReady, Unknown: the condition is set, not queued.
 * Queued: waits for its NoExecute taint. Held: would be queued, but evictions are stopped. Recovering: heartbeats are
 * back, its NoExecute taint goes in the next pass. Evicted: without a taint its pods were deleted (until 1.26); Queued
 * waits for that then.
 */
export type NodeVerdict =
	| 'Healthy'
	| 'Late'
	| 'Silent'
	| 'NotReady'
	| 'Unknown'
	| 'Queued'
	| 'Held'
	| 'Tainted'
	| 'Evicted'
	| 'Recovering';

/** Whether nothing is wrong with a node, as far as is known: a renewal that is overdue may come. */
export const isWellNode = ({verdict}: Pick<NodeForecast, 'verdict'>): boolean =>
	verdict === 'Healthy' || verdict === 'Late';

/** What a node is short of: its kubelet evicts pods by its own rules then, whatever taints say. */
export type NodePressure = {
	/** Those that are True, by what the node itself says. */
	readonly conditions: readonly string[];
	/** The pod that its kubelet evicts next, as far as that can be told. */
	readonly next: {
		readonly namespace: string;
		readonly name: string;
		readonly when: Range;
		readonly isCertain: boolean;
	} | null;
};

/** Who deletes or replaces an unhealthy node, and when. */
export type NodeRepair = {
	/** As people name it: `MachineHealthCheck openshift-machine-api/workers`. */
	readonly by: string;
	/** When it begins; its pods go from then on. Null where it does not come, or nobody can tell when. */
	readonly at: Range | null;
	/** Whether it comes if nothing changes: all that decides it is seen. */
	readonly isSure: boolean;
	/** Whether its pods go with it. */
	readonly endsPods: boolean;
	/** Where that is known from, what may keep it from coming, and what it does: one sentence. */
	readonly why: string;
};

/** What happens to one node if nothing else changes, and why. */
export type NodeForecast = {
	readonly name: string;
	readonly uid: string;
	readonly labels: Readonly<Record<string, string>>;
	readonly zone: string;
	/** The object that it is about; absent in what was not made from one. */
	readonly node?: Node;
	readonly verdict: NodeVerdict;
	/** Status of the Ready condition; absent where kubelet and controller never wrote one. */
	readonly ready?: ConditionStatus;
	/** When the kubelet last renewed its lease, of renewals that the controllers count; null where no lease can be seen. */
	readonly lastRenewal: Instant | null;
	/** Whether it has shown no sign of life for two renew intervals, whatever its condition. */
	readonly isSilent: boolean;
	/** When Ready turns Unknown; null unless it will. */
	readonly unknown: Range | null;
	/** When the NoExecute taint is added; null unless it will be. */
	readonly noExecute: Range | null;
	/** From when on it may have that taint for a while that goes again before; absent where there is none such. */
	readonly briefTaintFrom?: Instant;
	/** When the controller takes off its own NoExecute taint; null unless it will, absent where the node has none. */
	readonly cleared?: Range | null;
	/** When its pods are deleted without a taint; absent where nodes are tainted, null unless they will be. */
	readonly eviction?: Range | null;
	/** The chance to be tainted with the zone's next token; null unless Queued. */
	readonly nextProbability: number | null;
	/** The keys of its NoExecute taints, whoever gave them. */
	readonly taints: readonly string[];
	readonly because: readonly string[];
	/** Who repairs it, the first to come first; absent where nobody is known to. */
	readonly repairs?: readonly NodeRepair[];
	/** Absent where nothing is short. */
	readonly pressure?: NodePressure;
};

/**
 * When a node gets its NoExecute taint, or one before that goes again, as when every zone is about to be down: pods that do
 * not tolerate it are evicted by either.
 */
export function firstTaintOf({
	noExecute,
	briefTaintFrom,
}: Pick<NodeForecast, 'noExecute' | 'briefTaintFrom'>): Range | null {
	if (!noExecute || briefTaintFrom === undefined) return noExecute;
	const {earliest, expected, latest} = noExecute;
	return new Range(Math.min(earliest, briefTaintFrom), expected, latest);
}
